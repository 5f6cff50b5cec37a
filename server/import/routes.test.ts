import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import type { ImportEvent } from '../../contract/desk/books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { createToken } from '../access/tokens.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { type CallInit, readJson as read, setUpTestStore } from '../testing/test-store.ts';

const store = setUpTestStore({ settings: { adminEmails: ['admin@example.com'] } });
let admin: string;
beforeEach(async () => {
  admin = await store.signIn({ sub: 'admin', email: 'admin@example.com' });
});

const image = 'https://covers.example/a.jpg';
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `T${index},A,1,${image}\n`).join('');
const fileOf = (count: number) => `title,author,price,image\n${rowsOf(count)}`;

const send = (body: string, init: CallInit & { query?: string } = {}) =>
  store.call(deskPaths.booksImport + (init.query ?? ''), {
    method: 'POST',
    cookie: admin,
    body,
    ...init,
    headers: { 'content-type': 'text/csv', ...init.headers },
  });

async function importFile(body: string, query?: string): Promise<ImportEvent[]> {
  const response = await send(body, query === undefined ? {} : { query });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
  ]);
  return (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const countBooks = async () => (await store.database.db.selectFrom('books').select('id').execute()).length;
const activity = async () => (await listActivity(store.database.db, { limit: 10 })).entries;

test('a file is checked, imported, and shown at once; its token or admin stands in the trail', async () => {
  expect(await read(await store.call('/books'))).toEqual([]);
  const file = `${fileOf(2)},A,1,${image}\nT,A,1,emma.jpg\nU,A,1,http://a.example/b.jpg\n`;
  const reason = 'Must be an https: address or an image uploaded to the store.';
  const result = {
    type: 'result',
    ...{ added: 2, changed: 0, unchanged: 0, restored: 0, missingImages: 0 },
    errorCount: 3,
    errors: [
      { line: 4, column: 'title', reason: 'Must not be empty.' },
      { line: 5, column: 'image', reason },
      { line: 6, column: 'image', reason },
    ],
    changes: [],
  };

  expect((await importFile(file, '?dryRun=true')).at(-1)).toEqual(result);
  expect([await countBooks(), await activity()]).toEqual([0, []]);
  expect((await importFile(file)).at(-1)).toEqual(result);

  const books = await read<Book[]>(await store.call('/books'));
  expect(books.map(({ title }) => title)).toEqual(['T1', 'T0']);
  expect(await activity()).toMatchObject([{ action: 'books-imported', email: 'admin@example.com' }]);
  const token = await createToken(store.database.db, { name: 'feed', may: 'catalogue' }, commandActor);
  const byScript = await send(fileOf(3), { headers: { authorization: `Bearer ${token}` } });
  expect(await byScript.text()).toContain('"added":1');
  expect((await activity())[0]).toMatchObject({ token: 'feed' });
});

test('an export is in the audit trail, changes nothing when it is imported, and HEAD exports nothing', async () => {
  await addBook(store.database.db, { title: '=Łódź', author: 'A', image, priceCents: 1 }, null);
  const head = await store.call(deskPaths.booksExport, { method: 'HEAD', cookie: admin });
  expect([head.status, await activity()]).toEqual([200, []]);

  const response = await store.call(deskPaths.booksExport, { cookie: admin });
  const bytes = Buffer.from(await response.arrayBuffer());

  expect(await activity()).toMatchObject([{ action: 'books-exported', email: 'admin@example.com' }]);
  expect(response.headers.get('content-disposition')).toMatch(/filename="books-\d{4}-\d{2}-\d{2}\.csv"$/);
  expect(bytes.toString()).toMatch(/^\ufeffid,title,author,price,.*\r\n[^,]+,'=Łódź,/);
  expect((await importFile(bytes.toString())).at(-1)).toMatchObject({ unchanged: 1, added: 0, changed: 0 });
});

/** Sends the start of a file, and waits until the store reads it. */
function sendSlowly(headers: Record<string, string | number> = {}) {
  return request(store.origin + deskPaths.booksImport, {
    method: 'POST',
    headers: { cookie: admin, 'content-type': 'text/csv', ...headers },
  });
}

test('an import tells its progress, ends when its client goes away, and the next one does the rest', async () => {
  const file = fileOf(20_000);
  const sent = sendSlowly();
  sent.on('error', () => {});
  sent.end(file);
  const [response] = await once(sent, 'response');
  const [events] = await once(response.setEncoding('utf8'), 'data');
  await expect.poll(countBooks, { interval: 20 }).toBeGreaterThan(0);

  sent.destroy();

  const number = expect.any(Number);
  const progress = { bytes: number, rows: number, line: number, rowsPerSecond: number };
  expect(JSON.parse(events.split('\n')[0])).toMatchObject({ type: 'progress', ...progress });
  await expect.poll(activity).toMatchObject([{ details: { state: 'stopped' } }]);
  const stored = await countBooks();
  expect(await activity()).toMatchObject([{ details: { added: stored, line: stored + 1 } }]);
  expect(stored).toBeLessThan(20_000);
  const rest = await importFile(fileOf(stored + 10), '?dryRun=true');
  expect(rest.at(-1)).toMatchObject({ added: 10, unchanged: stored });
});

test('a second import at the same time is refused before its body travels', async () => {
  const first = sendSlowly({ 'transfer-encoding': 'chunked', expect: '100-continue' });
  first.flushHeaders();
  await once(first, 'continue');
  expect((await send(fileOf(1))).status).toBe(503);
  first.write('title,author,price,image\n');

  first.end(rowsOf(1));
  const [response] = await once(first, 'response');

  expect(await text(response)).toContain('"added":1');
  expect((await importFile(fileOf(2))).at(-1)).toMatchObject({ added: 1, unchanged: 1 });
});

test('a file above the limit is refused unread, and a body of another type', async () => {
  const sent = sendSlowly({ 'content-length': 64 * 1024 * 1024 + 1, expect: '100-continue' });
  sent.on('error', () => {}).flushHeaders();

  const [response] = await once(sent, 'response');

  expect([response.statusCode, JSON.parse(await text(response)).code]).toEqual([413, 'BODY_TOO_LARGE']);
  const ofAnotherType = await send('title', { headers: { 'content-type': 'text/plain' } });
  expect(await read(ofAnotherType, 415)).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
});
