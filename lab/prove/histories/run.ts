/** Makes histories of a store while faults strike it, and checks them. */

import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../../contract/paths.ts';
import { addBook } from '../../../server/catalogue/books.ts';
import { openDatabase } from '../../../server/database/open.ts';
import { readDatabaseSettings } from '../../../server/settings/settings.ts';
import { randomNumbers } from '../../../server/testing/random-numbers.ts';
import { openSmtpServer } from '../../../server/testing/smtp-server.ts';
import { pages } from '../../../tools/builds.ts';
import { installPrograms } from '../../../tools/debian-packages.ts';
import { type Buyer, prepareStore } from '../../failover/store-nodes.ts';
import { killMachine, statusOf, waitFor } from '../../rigs/machines.ts';
import { checkCopies, checkReceipts } from './check-copies.ts';
import { checkReads, checkRegister } from './check-register.ts';
import { checkSet } from './check-set.ts';
import {
  type Clients,
  firstCopies,
  firstPriceCents,
  type History,
  type Ids,
  openHistory,
  pricedTitles,
  scarce,
  startClients,
} from './clients.ts';
import type { Lag } from './history.ts';
import { type Fault, longestPauseMs, type Rig } from './nodes.ts';
import { openPostgresRig, openSqliteRig } from './rigs.ts';

/** `waitsForClaims`: true: a message that a killed node has claimed is sent by another node after five minutes; false: it is due at once. */
type HistoryOptions = {
  engine: Rig['engine'];
  minutes: number;
  seed: number;
  waitsForClaims: boolean;
};

/** `asked`: the number of requests. `orders`: of answered orders. `faults`: how often each fault has struck. */
export type Played = {
  asked: number;
  orders: number;
  faults: ReadonlyMap<string, number>;
  leftOut: readonly string[];
  anomalies: readonly string[];
};

/** A node hears of the change of another node within this time, unless it stands still. */
const hearMs = 2_000;
const buyersOfMinute = 120;
/** Messages that a node sends at once: each is sent again if a fault strikes before the node has recorded it as sent. */
const claimed = 5;
/** This is longer than five minutes, after which another node claims a killed node's messages. */
const claimsTimeoutMs = 400_000;
const receiptsTimeoutMs = 30_000;

export async function playHistory(
  { engine, minutes, seed, waitsForClaims }: HistoryOptions,
  print: (text: string) => void,
): Promise<Played> {
  await installPrograms({ faketime: 'faketime', strace: 'strace' });
  if (!pages.isBuilt() && !(await pages.make())) throw new Error('The pages could not be built.');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'colophon-histories-')));
  const closing: (() => unknown)[] = [];
  const smtp = await openSmtpServer();
  try {
    let buyers: Buyer[] = [];
    let ids: Ids = {};
    let databaseUrl = '';
    const rig = await (engine === 'SQLite' ? openSqliteRig : openPostgresRig)({
      folder,
      settings: {
        ADMIN_EMAILS: 'buyer-1@example.com',
        MAIL_URL: smtp.url.href,
        MAIL_FROM: 'shop@example.com',
      },
      closes: (close) => closing.push(close),
      async prepare(url) {
        databaseUrl = url;
        buyers = await prepareStore(url, 10 + Math.ceil(minutes * buyersOfMinute));
        ids = await addBooks(url);
      },
    });
    const history = openHistory();
    const clients = startClients(rig.nodes, { buyers, ids }, history);
    closing.push(clients.stop);
    const faults = await strikeAll(rig, { seed, ms: minutes * 60_000 }, print);
    const isReady = async (origin: string) => (await statusOf(origin + paths.readiness)) === 200;
    for (const { name, origin } of rig.nodes) await waitFor(name, () => isReady(origin), 60_000);
    await clients.stop();
    print(`${history.asked} questions; reading everything`);
    const struck = [...faults.values()].reduce((sum, count) => sum + count, 0);
    const anomalies = await check(
      history,
      { engine, databaseUrl, clients, mails: smtp.mails, struck, waitsForClaims },
      print,
    );
    const { asked, keys, wrong } = history;
    for (const answer of new Set(wrong)) anomalies.push(`a wrong answer: ${answer}`);
    if (anomalies.length > 0) showLogs(folder, rig, print);
    return { asked, orders: keys.size, faults, leftOut: rig.leftOut, anomalies };
  } finally {
    for (const close of closing.toReversed()) await close();
    await killMachine({ folder });
    await smtp.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function addBooks(databaseUrl: string): Promise<Ids> {
  const { db, close } = await openDatabase(readDatabaseSettings({ DATABASE_URL: databaseUrl }));
  const image = 'https://covers.example/x.jpg';
  const { id } = await addBook(db, { ...scarce, image, copies: firstCopies }, null);
  const ids: Record<string, string> = { [scarce.title]: id };
  for (const title of pricedTitles) {
    const book = { title, author: 'Jane Austen', image, priceCents: firstPriceCents };
    ids[title] = (await addBook(db, book, null)).id;
  }
  await close();
  return ids;
}

/** Lets faults strike until the time is over, some of them together. The seed decides their order. Resolves when all have ended. */
async function strikeAll(
  { faults }: Rig,
  { seed, ms }: { seed: number; ms: number },
  print: (text: string) => void,
): Promise<Map<string, number>> {
  const random = randomNumbers(seed);
  const struck = new Map<string, number>();
  const endsAt = performance.now() + ms;
  const strike = async ({ name, target, strike }: Fault, lastsMs: number) => {
    struck.set(name, (struck.get(name) ?? 0) + 1);
    print(`${name} (${target})`);
    const end = await strike(random);
    await pause(lastsMs);
    await end();
  };
  let left: Fault[] = [];
  const next = (): Fault => {
    if (left.length === 0) left = [...faults];
    const [fault] = left.splice(Math.floor(random() * left.length), 1);
    if (!fault) throw new Error('there are no faults');
    return fault;
  };
  while (performance.now() < endsAt) {
    await pause(1_000 + random() * 4_000);
    const first = next();
    const second = next();
    const together = [first, ...(second.target !== first.target && random() < 0.3 ? [second] : [])];
    if (together.length === 1) left.push(second);
    await Promise.all(together.map((fault) => strike(fault, 500 + random() * 5_500)));
  }
  await pause(5_000);
  return struck;
}

type Parts = {
  engine: Rig['engine'];
  databaseUrl: string;
  clients: Clients;
  mails: readonly { messageId: string }[];
  struck: number;
  waitsForClaims: boolean;
};

/** @returns the anomalies. */
async function check(
  history: History,
  { engine, databaseUrl, clients, mails, struck, waitsForClaims }: Parts,
  print: (text: string) => void,
): Promise<string[]> {
  // A node may still be busy with a request whose client has left.
  await pause(12_000);
  const { db, close } = await openDatabase(readDatabaseSettings({ DATABASE_URL: databaseUrl }));
  const rows = await db.selectFrom('orders').select(['id', 'idempotency_key as key']).execute();
  if (!waitsForClaims)
    await db.updateTable('outbox').set({ due_at: 0 }).where('due_at', 'is not', null).execute();
  await close();
  const at = performance.now();
  await clients.readAll();
  const keys = new Map([...history.keys, ...rows.map(({ id, key }) => [id, key ?? id] as const)]);
  const orders = history.orders.map((operation) =>
    operation.kind === 'list'
      ? { ...operation, value: operation.value.map((id) => keys.get(id) ?? id) }
      : operation,
  );
  const mayLag: Lag = (shown, { node }) =>
    engine === 'SQLite' || shown.node === node ? 0 : longestPauseMs + hearMs;
  const initial = new Map(pricedTitles.map((title) => [title, firstPriceCents]));
  const stored = { orders: new Set(rows.map(({ key }) => key ?? '')), at };
  const anomalies = [
    ...checkSet(orders),
    ...checkSet(history.additions, mayLag),
    ...checkRegister(history.prices, initial),
    ...checkReads(history.prices, history.reads, initial, mayLag),
    ...checkCopies(history.copies, stored),
  ];
  for (const anomaly of anomalies) print(anomaly);
  for (const [key, same] of Map.groupBy(rows, ({ key, id }) => key ?? id))
    if (same.length > 1) anomalies.push(`doubled: the order ${key}`);
  const expected = rows.flatMap(({ id, key }) => (key?.startsWith('buyer-') ? [id] : []));
  const others = new Set(rows.filter(({ key }) => !key?.startsWith('buyer-')).map(({ id }) => id));
  const receipts = () =>
    mails
      .flatMap(({ messageId }) => /^<receipt\.([^@]+)@/.exec(messageId)?.slice(1) ?? [])
      .filter((id) => !others.has(id));
  const missing = () => checkReceipts(expected, receipts(), struck * claimed);
  print(`waiting for receipts: ${receipts().length} of ${expected.length}`);
  await waitFor(
    'receipts',
    () => missing().length === 0,
    waitsForClaims ? claimsTimeoutMs : receiptsTimeoutMs,
  ).catch(() => {});
  return [...anomalies, ...missing()];
}

function showLogs(folder: string, { nodes }: Rig, print: (text: string) => void): void {
  for (const { name } of nodes) {
    const lines = readFileSync(join(folder, `${name}.log`), 'utf8').split('\n');
    const failures = lines.filter((line) => /"level":(4|5|6)0/.test(line));
    print(`${name}:\n${failures.slice(-15).join('\n')}`);
  }
}
