import { beforeEach, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { listActivity } from '../activity/activity.ts';
import {
  type CallInit,
  emma,
  openTestStore,
  readJson as read,
  setUpTestStore,
} from '../testing/test-store.ts';
import { addBook, findPosition } from './books.ts';

const store = setUpTestStore();
let admin: string;
let id: string;
beforeEach(async () => {
  admin = await store.signIn();
  id = await shelve('Emma', 'austen');
});

const image = 'https://covers.example/emma.jpg';
async function shelve(title: string, keywords: string | null = null): Promise<string> {
  const details = { title, author: 'Jane Austen', image, priceCents: 1299, keywords };
  return (await addBook(store.database.db, details, null)).id;
}

const etagOf = async (headers: Record<string, string> = {}): Promise<string> =>
  (await store.call(`/book/${id}`, { headers })).headers.get('etag') ?? '';

/** @param ifMatch by default the ETag of the book as it is now. */
async function edit(json: unknown, ifMatch?: string, init: CallInit = {}): Promise<Response> {
  const headers = { 'if-match': ifMatch ?? (await etagOf()) };
  return await store.call(`/book/${id}`, { method: 'PATCH', cookie: admin, json, headers, ...init });
}

const activity = async () => (await listActivity(store.database.db, { limit: 10 })).entries;
const find = async (query: string): Promise<string[]> =>
  (await read<Book[]>(await store.call(`/books?q=${query}&spelling=as-typed`))).map(({ title }) => title);

test('changes what is sent and nothing else, and every page and the trail show it at once', async () => {
  await store.call('/books');
  const before = await findPosition(store.database.db, id);

  const book = await read<Book>(await edit({ price: { value: '9.5' } }));

  expect(book).toEqual({ _id: id, title: 'Emma', author: 'Jane Austen', image, price: { value: 9.5 } });
  expect(await read(await store.call(`/book/${id}`))).toEqual({
    ...book,
    ...{ subjects: ['austen'], authors: [{ name: 'Jane Austen', slug: 'jane-austen' }] },
  });
  expect(await read(await store.call('/books'))).toEqual([book]);
  expect(await findPosition(store.database.db, id)).toEqual({ ...before, priceCents: 950 });
  await edit({ price: { value: 1 }, title: 'Emma again' });
  const prices = { oldPrice: 9.5, newPrice: 1 };
  const details = { fields: 'price, title', ...prices, oldTitle: 'Emma', newTitle: 'Emma again' };
  const of = { action: 'book-edited', bookId: id, bookTitle: 'Emma again', email: 'reader@example.com' };
  expect((await activity())[0]).toMatchObject({ ...of, details });
});

test('moves a book to its new place in the searches and among the titles', async () => {
  await shelve('Persuasion');

  await read(await edit({ title: '  Zuleika Dobson ', author: 'Max Beerbohm', keywords: 'oxford' }));

  expect(await find('emma')).toEqual([]);
  expect(await find('austen')).toEqual(['Persuasion']);
  expect([await find('zuleika'), await find('beerbohm'), await find('oxford')]).toEqual(
    Array(3).fill(['Zuleika Dobson']),
  );
  const byTitle = await read<Book[]>(await store.call('/books?sort=title'));
  expect(byTitle.map(({ title }) => title)).toEqual(['Persuasion', 'Zuleika Dobson']);
  // A misspelt query finds the new word, and no longer the old one.
  expect((await store.call('/books?q=beerbahm')).headers.get('corrected-query')).toBe('beerbohm');
  expect((await store.call('/books?q=emmma')).headers.get('corrected-query')).toBeNull();
});

test('the ETag changes with each edit, also with one that is undone, and with none that changes nothing', async () => {
  const before = await etagOf();
  await edit({ keywords: 'regency' });
  const response = await edit({ keywords: 'austen' });
  const after = await etagOf({ 'if-none-match': before });

  expect(response.headers.get('etag')).toBe(after);
  expect(after).not.toBe(before);
  const same = { title: 'Emma ', author: 'Jane Austen', image, price: { value: 12.99 }, keywords: 'austen' };
  for (const json of [same, {}]) expect((await edit(json)).headers.get('etag')).toBe(after);
  expect(await activity()).toHaveLength(2);
});

test('If-Match names the version that is changed, as a proxy may have written it', async () => {
  const forms: [string, (etag: string) => string, number][] = [
    ['several', (etag) => `"other", ${etag}`, 200],
    ['one that a proxy made weak', (etag) => `W/${etag}`, 200],
    ['one that Apache has renamed', (etag) => etag.replace(/"$/, '-gzip"'), 200],
    ['that of another encoding', (etag) => etag.replace('-identity', '-br'), 200],
    ['another one', () => '"other"', 412],
    ['no ETag', () => 'anything', 412],
  ];
  for (const [index, [name, ifMatch, status]] of forms.entries()) {
    const response = await edit({ price: { value: index } }, ifMatch(await etagOf()));
    expect(response.status, name).toBe(status);
  }
  const without = await store.call(`/book/${id}`, { method: 'PATCH', cookie: admin, json: { title: 'X' } });
  expect(await read(without, 428)).toMatchObject({ code: 'PRECONDITION_REQUIRED' });
  expect(await find('emma')).toEqual(['Emma']);
});

test('a wrong value is refused, and nothing is changed', async () => {
  for (const [field, json] of [
    ['title', { title: ' ' }],
    ['price.value', { price: {} }],
    ['image', { image: `/images/${'ab'.repeat(16)}.webp` }],
    ['keywords', { keywords: 'two\nlines' }],
    ['isbn', { isbn: '978-0-14-143958-8' }],
    ['description', { description: 'w'.repeat(2_001) }],
    ['copies', { copies: 10_000 }],
  ] as const) {
    const refused = await read(await edit({ author: 'Another', ...json }), 400);
    expect(refused, field).toMatchObject({ errors: [{ field }] });
  }

  expect(await activity()).toEqual([]);
});

test('an image that the book has already stays, although IMAGE_ORIGINS no longer names its host', async () => {
  const strict = await openTestStore({ settings: { imageOrigins: ['https://images.example'] } });
  const cookie = await strict.signIn();
  const { id } = await addBook(strict.database.db, emma, null);
  const patch = (json: unknown) =>
    strict.call(`/book/${id}`, { method: 'PATCH', cookie, json, headers: { 'if-match': '*' } });

  expect((await patch({ image, price: { value: 2 } })).status).toBe(200);
  expect((await patch({ image: `${image}?2` })).status).toBe(400);
});
