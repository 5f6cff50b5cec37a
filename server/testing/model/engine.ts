/** The store on one engine, for sequences: two nodes, a browser for each person, and the ids behind the names of the model. */

import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../../contract/paths.ts';
import { sweepErasures } from '../../customers/erase-customer.ts';
import { type Database, openDatabase } from '../../database/open.ts';
import { rollUpSales } from '../../orders/sales-sums.ts';
import { sweepSessions } from '../../sign-in/sessions.ts';
import { emptyTables } from '../test-database.ts';
import { cookiesOf } from '../test-provider.ts';
import { Unordered } from './answers.ts';
import { setClock } from './clock.ts';
import {
  identityOf,
  type Node,
  type OpenNode,
  type Received,
  type Sent,
  sendDueMail,
  settingsOf,
} from './node.ts';
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
export type Answered = { status: number; body: unknown };

const names = /\b(?:book|customer|order|etag)-\d+\b/g;
const isName = /^(?:book|customer|order)-\d+$/;
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/**
 * Fields that may differ between two correct stores: the use of a session is recorded after the answer, and the lists that sales decide,
 * such as `mostBought`, are held for some minutes of the real clock. `store` has the disk and the version.
 */
const incomparable = new Set(['requestId', 'lastSeenAt', 'mostBought', 'newThisWeek', 'beside', 'store']);

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

  /** Empties the shop. */
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
    await rollUpSales(this.#db);
  }

  /** @param name the name of the customer in the model. @returns true if the browser got a session. */
  async signIn(person: Person, name: string | undefined, node: number): Promise<boolean> {
    const visit = (path: string, cookie = '') =>
      this.#send(node, path, { method: 'GET', headers: { cookie } });
    const begun = await visit(paths.signIn, this.#cookies.get(person));
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const cookie = [this.#cookies.get(person), cookiesOf(begun)].filter(Boolean).join('; ');
    const query = new URLSearchParams({ state, code: JSON.stringify(identityOf(person)) });
    const finished = await visit(`${paths.signInCallback}?${query}`, cookie);
    const session = cookiesOf(finished);
    if (session !== '') this.#cookies.set(person, session);
    const { issuer, sub } = identityOf(person);
    const customers = this.#db.selectFrom('customers').select('id').where('issuer', '=', issuer);
    const customer = await customers.where('sub', '=', sub).executeTakeFirst();
    if (name !== undefined && customer) this.#ids.set(name, customer.id);
    return session !== '';
  }

  /** @param as the person whose browser sends the call; undefined: a browser without a cookie. */
  async send(as: Person | undefined, { isLost = false, node = 0, ...call }: Call): Promise<Answered> {
    const { method, path, json, text, headers = {} } = call;
    const body = json ? JSON.stringify(json) : text?.body;
    const sentType = json ? 'application/json' : text?.type;
    const cookie = as && this.#cookies.get(as);
    const sent = {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(sentType && { 'content-type': sentType }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#fill(value)])),
      },
      body: body && this.#fill(body),
    };
    const request = () => this.#send(node, this.#fill(path), sent);
    if (isLost) await this.#lose(node, request);
    const response = await request();
    const etag = response.headers.get('etag');
    const [book] = /book-\d+/.exec(path) ?? [];
    if (etag && book && path.startsWith('/book/') && method === 'GET')
      this.#ids.set(book.replace('book', 'etag'), etag);
    if (as && /colophon-session=;/.test(response.headers.get('set-cookie') ?? '')) this.#cookies.delete(as);
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, body: read(response.text, type) };
  }

  /** Sends a request whose answer does not arrive. A node that is a process is killed a few milliseconds later. */
  async #lose(node: number, request: () => Promise<Received>): Promise<void> {
    const answered = request();
    if (!this.#nodes[node]?.isProcess) await answered;
    else {
      const noticed = answered.catch(() => {});
      this.#losses += 1;
      await pause(this.#losses % 8);
      await this.restart(node);
      await noticed;
    }
  }

  #send(node: number, path: string, sent: Sent): Promise<Received> {
    const to = this.#nodes[node];
    if (!to) throw new Error('the engine has not started');
    return to.send(path, sent);
  }

  #fill = (text: string): string => text.replace(names, (name) => this.#ids.get(name) ?? name);

  /** @returns the ids of the books whose pages a text names. */
  idsOfBooksIn = (text: string): string[] => [
    ...new Set([...text.matchAll(/\/books\/([0-9a-f-]{36})/g)].flatMap(([, id]) => id ?? [])),
  ];

  /** @returns the body with the model's names in place of ids, and without what differs between engines. */
  named(body: unknown): unknown {
    const byId = new Map([...this.#ids].map(([name, id]) => [id, name]));
    const text = JSON.stringify(body ?? null, (key, value) => (incomparable.has(key) ? undefined : value));
    return JSON.parse(text.replace(uuids, (id) => byId.get(id) ?? 'an id'));
  }

  /**
   * Compares an answer with the model's. An id that is seen for the first time gets the name that the model has for it.
   * @returns a sentence about the first difference; undefined if there is none.
   */
  difference(expected: unknown, actual: unknown, at = 'body'): string | undefined {
    const differs = () => `${at} is ${JSON.stringify(actual)}, and not ${JSON.stringify(expected)}`;
    if (expected instanceof Unordered) return this.#differenceUnordered(expected, actual, at);
    if (typeof expected === 'string' && isName.test(expected) && typeof actual === 'string') {
      const known = this.#ids.get(expected);
      const isNew = known === undefined && ![...this.#ids.values()].includes(actual);
      if (isNew) this.#ids.set(expected, actual);
      return isNew || known === actual ? undefined : `${differs()} (${known ?? 'a new one'})`;
    }
    if (typeof expected === 'string' && typeof actual === 'string') {
      return this.#fill(expected) === actual ? undefined : differs();
    }
    if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
      return expected === actual ? undefined : differs();
    }
    if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length))
      return differs();
    for (const [name, value] of Object.entries(expected)) {
      const found = this.difference(value, Reflect.get(actual, name), `${at}.${name}`);
      if (found) return found;
    }
    return undefined;
  }

  #differenceUnordered({ items }: Unordered, actual: unknown, at: string): string | undefined {
    const rest = Array.isArray(actual) ? [...actual] : [];
    const missing = items.filter((item) => {
      const index = rest.findIndex((one) => this.difference(item, one) === undefined);
      if (index >= 0) rest.splice(index, 1);
      return index < 0;
    });
    if (missing.length === 0 && rest.length === 0) return undefined;
    return `${at} lacks ${JSON.stringify(missing)}, and has ${JSON.stringify(rest)} besides`;
  }
}

/** @returns parsed JSON; for lines of JSON their values, for the progress of an import the last one; otherwise the text. */
function read(text: string, type: string): unknown {
  const lines = text.split('\n').filter((line) => line !== '');
  if (type.includes('ndjson')) return JSON.parse(lines.at(-1) ?? '');
  if (type.includes('jsonl')) return lines.map((line) => JSON.parse(line));
  return type.includes('json') && text !== '' ? JSON.parse(text) : text;
}
