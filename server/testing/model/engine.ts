/** The store on one engine, for sequences: two nodes, a browser for each person, and the ids behind the names of the model. */

import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../../contract/paths.ts';
import { sweepErasures } from '../../customers/erase-customer.ts';
import { type Database, openDatabase } from '../../database/open.ts';
import { sweepSessions } from '../../sign-in/sessions.ts';
import { emptyTables } from '../test-database.ts';
import { cookiesOf } from '../test-provider.ts';
import { identityOf, type Node, type OpenNode, sendDueMail, setClock, settingsOf } from './node.ts';
import type { Person } from './shop.ts';

/** `isLost`: the answer is lost on the way, and the request is sent again. `node`: the index of the node that gets it. */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  json?: object | undefined;
  text?: { type: string; body: string };
  headers?: Readonly<Record<string, string>>;
  isLost?: boolean;
  node?: number;
};
/** `body`: JSON, with the model's names in place of ids, and numbers in place of times; undefined if the model does not know it. */
export type Answer = { status: number; body?: unknown };
type Received = Pick<Response, 'status' | 'headers'> & { text: string };

const names = /\b(?:book|customer|order|etag)-\d+\b/g;
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The random numbers of orders, as mails have them. */
const numbers = /\b[ACDEFGHJKMNPQRTUWXY34679]{8}\b/g;
const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/**
 * Fields that may differ between two correct stores: the use of a session is recorded after the answer, and the lists that sales decide,
 * such as the `rows` of the front, are held for some minutes of the real clock. `store` has the disk and the version; an order's `number` is random.
 */
const incomparable = new Set(['requestId', 'lastSeenAt', 'rows', 'beside', 'store', 'number']);

export class Engine {
  readonly name: string;
  readonly #url: string;
  readonly #open: OpenNode;
  #nodes: Node[] = [];
  #now = 0;
  #losses = 0;
  #database: Database | undefined;
  readonly #ids = new Map<string, string>();
  readonly #cookies = new Map<Person, string>();

  constructor(name: string, url: string, open: OpenNode) {
    this.name = name;
    this.#url = url;
    this.#open = open;
  }

  async start(): Promise<void> {
    this.#database ??= await openDatabase(settingsOf(this.#url));
    this.#nodes = await Promise.all([this.#open(this.#url), this.#open(this.#url)]);
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes.splice(0)) await node.end();
    await this.#database?.close();
    this.#database = undefined;
  }

  /** Ends one node, and starts another one in its place. */
  async restart(index: number): Promise<void> {
    await this.#nodes[index]?.end();
    const node = await this.#open(this.#url);
    await node.setClock(this.#now);
    this.#nodes[index] = node;
  }

  async setClock(now: number): Promise<void> {
    setClock(now);
    this.#now = now;
    for (const node of this.#nodes) await node.setClock(now);
  }

  async empty(): Promise<void> {
    if (this.#database) await emptyTables(this.#database);
    for (const node of this.#nodes) node.forget();
    this.#ids.clear();
    this.#cookies.clear();
  }

  /** True if a node hears of the change of another node a little later. */
  get lags(): boolean {
    return this.#database?.engine === 'postgres';
  }

  get #db() {
    if (!this.#database) throw new Error('the engine has not started');
    return this.#database.db;
  }

  sendMail = (bounces: (address: string) => boolean): Promise<void> => sendDueMail(this.#db, bounces);

  /** Does the hourly work of a node. */
  async sweep(): Promise<void> {
    await sweepSessions(this.#db);
    await sweepErasures(this.#db);
  }

  /**
   * Begins a sign-in on a node, and finishes it on the other one.
   * @param name the name of the customer in the model.
   * @returns true if the browser got a session.
   */
  async signIn(person: Person, name: string | undefined, node: number): Promise<boolean> {
    const headers = { cookie: this.#cookies.get(person) ?? '' };
    const begun = await this.#fetch(node, paths.signIn, { headers });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, code: JSON.stringify(identityOf(person)) });
    const cookie = [headers.cookie, cookiesOf(begun)].filter(Boolean).join('; ');
    const finished = await this.#fetch(1 - node, `${paths.signInCallback}?${query}`, { headers: { cookie } });
    const session = cookiesOf(finished);
    if (session !== '') this.#cookies.set(person, session);
    const { issuer, sub } = identityOf(person);
    const customers = this.#db.selectFrom('customers').select('id').where('issuer', '=', issuer);
    const customer = await customers.where('sub', '=', sub).executeTakeFirst();
    if (name !== undefined && customer) this.#ids.set(name, customer.id);
    return session !== '';
  }

  /**
   * @param as the person whose browser sends the call; undefined: a browser without a cookie.
   * @param expected the answer of the model: an id that is seen for the first time gets the name that it has there.
   */
  async send(as: Person | undefined, call: Call, expected: Answer): Promise<Answer> {
    const { method, path, json, text, headers = {}, isLost = false, node = 0 } = call;
    const cookie = as && this.#cookies.get(as);
    const type = json ? 'application/json' : text?.type;
    const sent = Object.entries({
      ...headers,
      ...(cookie && { cookie }),
      ...(type && { 'content-type': type }),
    });
    const init = {
      method,
      headers: sent.map(([name, value]): [string, string] => [name, this.#fill(value)]),
      body: this.#fill(json ? JSON.stringify(json) : (text?.body ?? '')) || null,
    };
    const request = () => this.#fetch(node, this.#fill(path), init);
    if (isLost) await this.#lose(node, request);
    const response = await request();
    const etag = response.headers.get('etag');
    if (etag && method === 'GET' && /^\/book\/book-\d+$/.test(path)) {
      this.#ids.set(path.replace('/book/book', 'etag'), etag);
    }
    if (as && /colophon-session=;/.test(response.headers.get('set-cookie') ?? '')) this.#cookies.delete(as);
    const body = read(response.text, response.headers.get('content-type') ?? '');
    this.#learn([expected.body].flat(), [body].flat());
    return { status: response.status, body: this.#named(body) };
  }

  #learn(expected: readonly unknown[], items: readonly unknown[]): void {
    if (expected.length !== items.length) return;
    for (const [index, item] of items.entries()) {
      const [name, id] = [idOf(expected[index]), idOf(item)];
      const isNew = name && id && !this.#ids.has(name) && ![...this.#ids.values()].includes(id);
      if (isNew) this.#ids.set(name, id);
    }
  }

  /** Sends a request whose answer does not arrive. A node that is a process is killed a few milliseconds later. */
  async #lose(node: number, request: () => Promise<Received>): Promise<void> {
    const answered = request();
    if (!this.#nodes[node]?.isProcess) return void (await answered);
    const noticed = answered.catch(() => {});
    this.#losses += 1;
    await pause(this.#losses % 8);
    await this.restart(node);
    await noticed;
  }

  async #fetch(node: number, path: string, init: RequestInit): Promise<Received> {
    const response = await fetch(`${this.#nodes[node]?.origin}${path}`, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  #fill = (text: string): string => text.replace(names, (name) => this.#ids.get(name) ?? name);

  #named(body: unknown): unknown {
    const byId = new Map([...this.#ids].map(([name, id]) => [id, name]));
    return JSON.parse(JSON.stringify(body ?? null), (key, value) => {
      if (incomparable.has(key)) return undefined;
      if (typeof value !== 'string') return value;
      if (isTime.test(value)) return Date.parse(value);
      return value.replace(numbers, 'a number').replace(uuids, (id) => byId.get(id) ?? 'an id');
    });
  }
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && '_id' in value ? String(value._id) : undefined;

/**
 * @returns parsed JSON; for lines of JSON their values, for the progress of an import the last one; for a feed the books whose pages it
 * names; otherwise the text.
 */
function read(text: string, type: string): unknown {
  const lines = text.split('\n').filter((line) => line !== '');
  if (type.includes('ndjson')) return JSON.parse(lines.at(-1) ?? '');
  if (type.includes('jsonl')) return lines.map((line) => JSON.parse(line));
  if (/atom|rss/.test(type)) return [...new Set(text.match(/(?<=\/books\/)[0-9a-f-]{36}/g))];
  return type.includes('json') && text !== '' ? JSON.parse(text) : text;
}
