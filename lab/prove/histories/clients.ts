/** Clients that buy, add, change and read all the time, and the history of their calls. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Book } from '../../../contract/book.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { amountToCents, centsToAmount } from '../../../contract/money.ts';
import type { Order } from '../../../contract/order.ts';
import { paths } from '../../../contract/paths.ts';
import { type Buyer, book as unlimited } from '../../failover/store-nodes.ts';
import type { CopiesOperation, Operation, RegisterOperation, SetOperation } from './history.ts';
import type { StoreNode } from './nodes.ts';

/** The books whose prices are changed, and their first prices. */
export const pricedTitles = ['Persuasion', 'Sanditon'] as const;
export const firstPriceCents = 100;
/** The book with few copies. */
export const scarce = { title: 'Lady Susan', author: 'Jane Austen', priceCents: 700 } as const;
export const firstCopies = 5;
/** The titles of all added books begin with this text, and no other title does. */
const addedTitle = 'Added ';
/** A page of a list has two hundred books: all added ones are on the first page. */
const mostAdded = 150;

/** Ids of books, by title. */
export type Ids = Readonly<Record<string, string>>;

export type History = {
  orders: SetOperation[];
  additions: SetOperation[];
  prices: RegisterOperation[];
  /** Reads of prices that a cache may have answered. */
  reads: RegisterOperation[];
  copies: CopiesOperation[];
  /** The idempotency key of each order, by the id of the order. */
  keys: Map<string, string>;
  /** Answers that no client should get. */
  wrong: string[];
  asked: number;
};

const inTheBeginning = {
  process: 'owner',
  node: 'none',
  outcome: 'ok',
  ...{ invokedAt: 0, answeredAt: 0 },
} as const;

export const openHistory = (): History => ({
  ...{ orders: [], additions: [], prices: [], reads: [], keys: new Map(), wrong: [], asked: 0 },
  copies: [{ ...inTheBeginning, key: scarce.title, kind: 'restock', value: firstCopies }],
});

/** `readAll`: reads everything once more, after `stop`. */
export type Clients = { stop(): Promise<void>; readAll(): Promise<void> };

const answerTimeoutMs = 8_000;
const triesOfOrder = 40;
/** Orders of one buyer: a customer gets at most ten receipts an hour, and some receipts are sent twice. */
const ordersOfBuyer = 5;

type Asked = Pick<Operation, 'process' | 'node' | 'invokedAt' | 'answeredAt' | 'outcome'>;
/** `isSent`: false if the node refused the connection. */
type Answer = Asked & { body: string; etag: string; isSent: boolean };
type Question = { method?: string; json?: unknown; headers?: Readonly<Record<string, string>> };

/** @param buyers the first is the admin. */
export function startClients(
  nodes: readonly StoreNode[],
  { buyers, ids }: { buyers: readonly Buyer[]; ids: Ids },
  history: History,
): Clients {
  const [admin, ...others] = buyers;
  const asAdmin = { cookie: admin?.cookie ?? '' };
  let isStopping = false;
  const any = (): StoreNode => {
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (!node) throw new Error('there is no node');
    return node;
  };

  const ask = async (
    process: string,
    { name, origin }: StoreNode,
    path: string,
    { method = 'GET', json, headers = {} }: Question = {},
  ): Promise<Answer> => {
    const invokedAt = performance.now();
    history.asked += 1;
    const answered = (outcome: Asked['outcome'], rest: Partial<Answer> = {}): Answer => ({
      ...{ process, node: name, invokedAt, answeredAt: performance.now(), outcome },
      ...{ body: '', etag: '', isSent: true, ...rest },
    });
    try {
      const response = await fetch(origin + path, {
        method,
        headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
        body: json === undefined ? null : JSON.stringify(json),
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      const body = await response.text();
      const { status: code } = response;
      if (response.ok) return answered('ok', { body, etag: response.headers.get('etag') ?? '' });
      if (code !== 409 && code !== 412 && code !== 503)
        history.wrong.push(`${method} ${path}: ${code} ${body}`);
      return answered(code >= 500 ? 'unknown' : 'fail', { body });
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      return answered('unknown', { isSent: code !== 'ECONNREFUSED' });
    }
  };
  const loop =
    (process: string, intervalMs: number, act: (process: string) => Promise<unknown>) => async () => {
      while (!isStopping) {
        await act(process);
        await pause(intervalMs * (0.5 + Math.random()));
      }
    };
  const asked = ({ process, node, invokedAt, answeredAt, outcome }: Answer): Asked => ({
    ...{ process, node, invokedAt, answeredAt, outcome },
  });

  /** @returns the tries, each at any node, until one is answered. */
  const order = async (
    process: string,
    buyer: Buyer,
    key: string,
    { title, author, priceCents }: { title: string; author: string; priceCents: number },
  ): Promise<Answer[]> => {
    const json = {
      title,
      author,
      price: centsToAmount(priceCents),
      email: buyer.email,
      time: new Date().toDateString(),
    };
    const tries: Answer[] = [];
    for (let count = 0; count < triesOfOrder; count += 1) {
      const headers = { cookie: buyer.cookie, 'idempotency-key': key };
      const answer = await ask(process, any(), paths.addOrder, { method: 'POST', json, headers });
      if (answer.isSent) tries.push(answer);
      if (answer.outcome === 'ok') history.keys.set((JSON.parse(answer.body) as Order)._id, key);
      if (answer.outcome !== 'unknown') break;
      await pause(250);
    }
    return tries;
  };
  const listOrders = async (process: string, { email, cookie }: Buyer): Promise<void> => {
    const answer = await ask(process, any(), paths.allOrder(email), { headers: { cookie } });
    if (answer.outcome !== 'ok') return;
    const value = (JSON.parse(answer.body) as Order[]).map(({ _id }) => _id);
    history.orders.push({ ...asked(answer), key: email, kind: 'list', value });
  };
  const waiting = others[Symbol.iterator]();
  const buyersOfNow = new Map<string, { buyer: Buyer; bought: number }>();
  const buy = async (process: string): Promise<void> => {
    let own = buyersOfNow.get(process);
    if (!own || own.bought >= ordersOfBuyer) {
      const { value: buyer } = waiting.next();
      if (!buyer) return;
      own = { buyer, bought: 0 };
      buyersOfNow.set(process, own);
    }
    const { buyer } = own;
    own.bought += 1;
    const key = `${buyer.email}-${own.bought}`;
    for (const one of await order(process, buyer, key, unlimited))
      history.orders.push({ ...asked(one), key: buyer.email, kind: 'add', value: key });
    await listOrders(process, buyer);
  };

  let scarceOrders = 0;
  const buyScarce = async (process: string): Promise<void> => {
    if (!admin) return;
    scarceOrders += 1;
    const key = `scarce-${scarceOrders}`;
    for (const one of await order(process, admin, key, scarce)) {
      history.copies.push({ ...asked(one), key: scarce.title, kind: 'buy', value: key });
      if (one.body.includes('SOLD_OUT'))
        history.copies.push({ ...asked(one), outcome: 'ok', key: scarce.title, kind: 'count', value: 0 });
    }
  };
  /** Three orders at the same moment: these are the likeliest ones to sell the last copy twice. */
  const buyScarceAtOnce = (process: string): Promise<unknown> =>
    Promise.all([1, 2, 3].map((number) => buyScarce(`${process} ${number}`)));
  const restock = async (process: string): Promise<void> => {
    const by = 1 + Math.floor(Math.random() * 3);
    const path = deskPaths.bookCopies(ids[scarce.title] ?? '');
    const one = await ask(process, any(), path, { method: 'POST', json: { by }, headers: asAdmin });
    if (one.isSent) history.copies.push({ ...asked(one), key: scarce.title, kind: 'restock', value: by });
    await countCopies(process);
  };
  const countCopies = async (process: string): Promise<void> => {
    const one = await ask(process, any(), deskPaths.book(ids[scarce.title] ?? ''), { headers: asAdmin });
    if (one.outcome !== 'ok') return;
    const { copies } = JSON.parse(one.body) as { copies: number };
    history.copies.push({ ...asked(one), key: scarce.title, kind: 'count', value: copies });
  };

  const priceIn = ({ body }: Answer): number =>
    amountToCents((JSON.parse(body) as Book).price.value) ?? Number.NaN;
  /** @param query `?` or empty: the response cache does not answer a path with a `?`. */
  const readPrice = async (
    process: string,
    title: string,
    node: StoreNode,
    query = '',
  ): Promise<Answer | undefined> => {
    const answer = await ask(process, node, paths.book(ids[title] ?? '') + query);
    if (answer.outcome !== 'ok') return undefined;
    const into = query ? history.prices : history.reads;
    into.push({ ...asked(answer), key: title, kind: 'read', value: priceIn(answer) });
    return answer;
  };
  let lastPriceCents = firstPriceCents;
  const changePrice = (title: string) => async (process: string) => {
    const seen = await readPrice(process, title, any(), '?');
    if (!seen) return;
    lastPriceCents += 1;
    const to = lastPriceCents;
    const node = any();
    const one = await ask(process, node, paths.book(ids[title] ?? ''), {
      ...{ method: 'PATCH', json: { price: { value: centsToAmount(to) } } },
      headers: { ...asAdmin, 'if-match': seen.etag },
    });
    if (one.isSent)
      history.prices.push({ ...asked(one), key: title, kind: 'replace', value: { from: priceIn(seen), to } });
    await readPrice(process, title, node);
    await readPrice(process, title, any());
  };

  let added = 0;
  const add = async (process: string): Promise<void> => {
    if (added === mostAdded) return;
    added += 1;
    const title = `${addedTitle}${added}`;
    const json = { title, author: 'x', price: { value: 1 }, image: 'https://covers.example/x.jpg' };
    for (let count = 0; count < triesOfOrder; count += 1) {
      const node = any();
      const headers = { ...asAdmin, 'idempotency-key': `book-${added}` };
      const one = await ask(process, node, paths.addBook, { method: 'POST', json, headers });
      if (one.isSent) history.additions.push({ ...asked(one), key: 'books', kind: 'add', value: title });
      await list(process, node);
      if (one.outcome !== 'unknown') return;
      await pause(250);
    }
  };
  const list = async (process: string, node = any()): Promise<void> => {
    // This is not the shop's first page, which a node stores for times without a database: this list is queried.
    const answer = await ask(process, node, `${paths.books}?limit=199`);
    if (answer.outcome !== 'ok') return;
    const value = (JSON.parse(answer.body) as Book[]).map(({ title }) => title);
    history.additions.push({
      ...{ ...asked(answer), key: 'books', kind: 'list' },
      value: value.filter((title) => title.startsWith(addedTitle)),
    });
  };

  const running = Promise.all(
    [
      ...[1, 2, 3].map((number) => loop(`buyer ${number}`, 250, buy)),
      loop('collector', 150, buyScarceAtOnce),
      loop('supplier', 700, restock),
      ...pricedTitles.flatMap((title) =>
        [1, 2].map((number) => loop(`editor ${number} of ${title}`, 150, changePrice(title))),
      ),
      loop('publisher', 5_000, add),
      ...[1, 2].map((number) => loop(`reader ${number}`, 150, (process) => list(process))),
    ].map((run) => run()),
  );
  return {
    async stop() {
      isStopping = true;
      await running;
    },
    async readAll() {
      for (const email of new Set(history.orders.map(({ key }) => key))) {
        const buyer = others.find((one) => one.email === email);
        if (buyer) await listOrders('auditor', buyer);
      }
      for (const node of nodes) await list('auditor', node);
      for (const title of pricedTitles) await readPrice('auditor', title, any(), '?');
      await countCopies('auditor');
    },
  };
}
