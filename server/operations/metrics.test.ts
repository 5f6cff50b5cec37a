import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { recordBackup } from '../database/last-backup.ts';
import { placeOrder } from '../orders/place-order.ts';
import { exchange } from '../testing/exchange.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { emma, openTestStore, orderOf, reader, type TestStore } from '../testing/test-store.ts';

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore();
});

/** @returns the value of each series, by its name and labels. */
async function readMetrics(): Promise<Map<string, number>> {
  const { payload } = await store.app.inject({ url: paths.metrics });
  const lines = payload.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** @returns for each source of the database's gauges 1 if it responded in time, or 0. */
const readOf = (values: Map<string, number>) =>
  ['backup', 'mail', 'space'].map((source) => values.get(`stored_gauges_read{source="${source}"}`));

/** @returns the values, once the database has given all of them: on a busy machine a thread starts slowly. */
async function readStored(): Promise<Map<string, number>> {
  let values = new Map<string, number>();
  const read = async () => {
    values = await readMetrics();
    return readOf(values);
  };
  await expect.poll(read).toEqual([1, 1, 1]);
  return values;
}

/** On PostgreSQL a node that has just started loads each page until it listens. */
const whenListening = () =>
  expect.poll(async () => (await readMetrics()).get('catalogue_changes_known')).toBe(1);

test('purchases and refusals are counted by their code, those of orders apart but for strangers and other sites', async () => {
  await addBook(store.database.db, emma, null);
  const cookie = await store.signIn();
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000).toDateString();

  await store.call(paths.addOrder, { json: orderOf(emma), cookie });
  await store.call(paths.addOrder, { json: orderOf({ ...emma, priceCents: 1 }), cookie });
  await store.call(paths.addOrder, { json: { ...orderOf(emma), time: twoDaysAgo }, cookie });
  await store.call('/nowhere');
  // These requests raise no count that an alert reads.
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  await store.call(paths.addOrder, { json: orderOf(emma) });
  await store.call(paths.addOrder, { json: orderOf(emma), cookie: 'colophon-session=invented' });
  await store.call(paths.addOrder, { json: {}, headers: foreign });
  await store.call(paths.addOrder, { json: orderOf(emma), cookie, headers: foreign });

  const values = await readMetrics();
  const countsOf = (metric: string) =>
    ['PRICE_CHANGED', 'VALIDATION_FAILED', 'NOT_FOUND', 'BOOK_GONE'].map((code) =>
      values.get(`${metric}{code="${code}"}`),
    );
  expect(values.get('orders_total')).toBe(1);
  expect(countsOf('problems_total')).toEqual([1, 1, 1, 0]);
  expect(countsOf('orders_refused_total')).toEqual([1, 1, 0, 0]);
  expect(values.get('problems_total{code="CROSS_SITE_REQUEST"}')).toBe(2);
  const refused = [...values].filter(([name]) => name.startsWith('orders_refused_total'));
  expect(refused.reduce((sum, [, count]) => sum + count, 0)).toBe(2);
});

test('requests that cannot be read are counted by the code of their problem', async () => {
  const get = (path: string, headers = '') =>
    exchange(store.origin, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);

  await exchange(store.origin, 'no request\r\n\r\n');
  await get('/', `X: ${'x'.repeat(20_000)}\r\n`);
  await get('/books%zz');
  for (const method of ['PUT', 'PROPFIND', 'TRACE', 'GET', 'HEAD']) {
    await exchange(store.origin, `${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  }

  const values = await readMetrics();
  expect(values.get('problems_total{code="MALFORMED_REQUEST"}')).toBe(2);
  expect(values.get('problems_total{code="HEADERS_TOO_LARGE"}')).toBe(1);
  // Methods that no route accepts share one series.
  const series = [...values.keys()].flatMap((name) => /_seconds_count\{method="(\w+)"/.exec(name)?.[1] ?? []);
  expect([...new Set(series)].sort()).toEqual(['GET', 'HEAD', 'POST', 'other']);
});

test('statements are measured by kind and counted by error, responses of the catalogue are loads or hits, and purchases that the store fails are a series before the first', async () => {
  const failures = `http_request_duration_seconds_count{method="POST",route="${paths.addOrder}",status="500"}`;
  const inserts = 'database_statement_duration_seconds_count{kind="insert"}';
  await whenListening();
  const before = await readMetrics();
  for (let count = 0; count < 4; count += 1) await (await store.call(paths.books)).text();
  await addBook(store.database.db, emma, null);
  const cookie = await store.signIn();
  await store.database.db.schema.dropTable('orders').execute();

  await store.call(paths.addOrder, { json: orderOf(emma), cookie });

  const values = await readMetrics();
  expect([before.get(failures), values.get(failures)]).toEqual([0, 1]);
  expect(values.get(inserts)).toBeGreaterThan(before.get(inserts) ?? 0);
  const code = isOnPostgres() ? '42P01' : 'ERR_SQLITE_ERROR';
  expect(values.get(`database_errors_total{code="${code}"}`)).toBeGreaterThan(0);
  expect(values.get('response_cache_total{result="load"}')).toBe(1);
  expect(values.get('response_cache_total{result="hit"}')).toBe(3);
});

test('each pool of the database says how many of it are in use, and how many statements wait', async () => {
  const pool = isOnPostgres() ? 'statements' : 'writer';
  const gaugeOf = async (gauge: string) =>
    (await readMetrics()).get(`database_pool_${gauge}{pool="${pool}"}`);

  let waiting: Promise<unknown> = Promise.resolve();
  await store.database.db.transaction().execute(async (db) => {
    await db.deleteFrom('sessions').execute();
    expect(await gaugeOf('in_use')).toBe(1);
    if (isOnPostgres()) return;
    // SQLite has one writer, and the transaction holds it.
    waiting = store.database.db.deleteFrom('sessions').execute();
    await expect.poll(() => gaugeOf('waiting')).toBe(1);
  });
  await waiting;

  expect([await gaugeOf('in_use'), await gaugeOf('waiting')]).toEqual([0, 0]);
  expect(await gaugeOf('size')).toBeGreaterThanOrEqual(1);
});

test('mail that waits, the time of the last backup and the size of the database are read from it', async () => {
  const { db } = store.database;
  await addBook(db, emma, null);
  const before = await readStored();
  await store.signIn();
  const { id } = await db.selectFrom('customers').select('id').executeTakeFirstOrThrow();
  const order = { ...emma, time: new Date().toDateString() };
  await placeOrder(db, { ...reader, id }, order, { senders: { mail: true, webhooks: false } });
  await recordBackup(db, { startedAt: 1_800_000_000_000, bytes: 1 });

  const values = await readStored();

  expect(before.get('mail_waiting')).toBe(0);
  expect(before.has('backup_last_success_timestamp_seconds')).toBe(false);
  expect(values.get('mail_waiting')).toBe(2);
  expect(values.get('backup_last_success_timestamp_seconds')).toBe(1_800_000_000);
  const [size, log, free = 0, whole = 0] = ['size', 'log_size', 'disk_free', 'disk_size'].map((what) =>
    values.get(`database_${what}_bytes`),
  );
  expect(size).toBeGreaterThan(50_000);
  if (isOnPostgres()) expect([log, free, whole]).toEqual([undefined, 0, 0]);
  else expect([log !== undefined, whole > free]).toEqual([true, true]);
  // Gauges that the database cannot give are reported as unread; the other gauges are given.
  await db.schema.alterTable('outbox').renameTo('outbox_elsewhere').execute();
  await expect.poll(async () => readOf(await readMetrics())).toEqual([1, 0, 1]);
});

test('the build, the clock and the conversions of images are there from the start, and soon that changes of the catalogue are known', async () => {
  const from = Date.now() / 1000;

  const values = await readMetrics();

  const clock = values.get('clock_timestamp_seconds');
  expect(clock).toBeGreaterThanOrEqual(from);
  expect(clock).toBeLessThanOrEqual(Date.now() / 1000);
  const engine = isOnPostgres() ? 'postgres' : 'sqlite';
  const build = [...values.keys()].find((series) => series.startsWith('colophon_build_info'));
  expect(build).toContain(`commit="unknown",node="${process.versions.node}",database="${engine}"`);
  expect(values.get('image_conversions{state="waiting"}')).toBe(0);
  expect(values.get('mail_total{outcome="given_up"}')).toBe(0);
  await whenListening();
});

test('what a browser reports of a page is counted by its screen; what is no such report, or one too many, is not', async () => {
  const report = async (json: object, headers = {}, { call } = store) =>
    (await call(paths.vitals, { json, headers })).status;
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

  expect(await report({ screen: 'home', lcp: 800, inp: 48, cls: 0.02 })).toBe(204);
  expect(await report({ screen: 'home', lcp: 3_000 })).toBe(204);
  for (const wrong of [
    {},
    { screen: 'nowhere' },
    { screen: 'home', lcp: -1 },
    { screen: 'home', inp: 60_001 },
  ])
    expect(await report(wrong), JSON.stringify(wrong)).toBe(400);
  expect(await report({ screen: 'home', more: 'x'.repeat(2_048) })).toBe(413);
  const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"screen":"home"}' };
  expect((await store.call(paths.vitals, text)).status).toBe(415);
  expect(await report({ screen: 'home', lcp: 1 }, foreign)).toBe(403);

  const values = await readMetrics();
  const countOf = (name: string) => values.get(`visitor_${name}_count{screen="home"}`);
  expect(['lcp_seconds', 'inp_seconds', 'cls'].map(countOf)).toEqual([2, 1, 1]);
  expect(values.get('visitor_lcp_seconds_sum{screen="home"}')).toBe(3.8);
  const limited = await openTestStore({ limitScale: 1 / 600 });
  expect([
    await report({ screen: 'book' }, {}, limited),
    await report({ screen: 'book' }, {}, limited),
  ]).toEqual([204, 429]);
  const off = await openTestStore({ settings: { measuresVisitors: false } });
  expect(await report({ screen: 'home' }, {}, off)).toBe(404);
});
