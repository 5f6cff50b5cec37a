import { beforeEach, expect, test } from 'vitest';
import type { ChangedBooks } from '../../contract/desk/changed-books.ts';
import { maxAtOnce } from '../../contract/desk/limits.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { moneyIn } from '../../contract/price.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { readJson, setUpTestStore } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { changeBooks, withPercent } from './change-books.ts';
import { deleteBook, restoreBook } from './delete-book.ts';
import { findDeskBook } from './desk-books.ts';
import { editBook } from './edit-book.ts';

const store = setUpTestStore({ settings: { adminEmails: ['ada@example.com'] } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn({ sub: 'ada', email: 'ada@example.com' });
});

const edited = { actor: commandActor, isExpected: () => true };
const image = 'https://covers.example/emma.jpg';
const shelve = async (title: string, priceCents: number, keywords: string | null = null) => {
  const { id } = await addBook(
    store.database.db,
    { title, author: 'Jane Austen', image, priceCents, keywords },
    null,
  );
  return { _id: id, version: 0 };
};
type Ref = { _id: string; version: number };
const versionsOf = (books: readonly Ref[]): Promise<Ref[]> =>
  Promise.all(books.map(async (one) => ({ ...one, version: (await book(one))?.version ?? 0 })));
const change = async (books: readonly Ref[], by: object): Promise<ChangedBooks> =>
  send(await versionsOf(books), by);
const send = async (books: readonly Ref[], by: object, dryRun = false): Promise<ChangedBooks> =>
  readJson(
    await store.call(deskPaths.booksChange, { method: 'POST', cookie, json: { books, change: by, dryRun } }),
  );
const undo = async ({ changed }: ChangedBooks): Promise<ChangedBooks> =>
  readJson(
    await store.call(deskPaths.booksUndo, {
      method: 'POST',
      cookie,
      json: { books: changed.map(({ _id, version, from }) => ({ _id, version, ...from })) },
    }),
  );
const book = async ({ _id }: Ref) => findDeskBook(store.database.db, _id);
const prices = async (...books: readonly Ref[]) =>
  await Promise.all(books.map(async (one) => (await book(one))?.price.value));

test('a percentage of a price is rounded to the nearest cent, half a cent up', () => {
  const changes: [cents: number, percent: number, expected: number][] = [
    [1299, -10, 1169],
    // 1144.5 cents.
    [1090, 5, 1145],
    [1, -50, 1],
    [1, -51, 0],
    [0, 1000, 0],
    [3333, 33.33, 4444],
    [999_999_999, 0.01, 1_000_099_999],
  ];
  expect(changes.map(([cents, percent]) => [cents, percent, withPercent(cents, percent, 1)])).toEqual(
    changes,
  );
  // 1,365 yen and 1,364.4 yen.
  expect([withPercent(130_000, 5, 100), withPercent(130_000, 4.95, 100)]).toEqual([136_500, 136_400]);
});

test('prices change by a percentage after a preview, once, and Undo leaves out what was changed since', async () => {
  const [one, two] = [await shelve('One', 1299), await shelve('Two', 1090)];
  const versions = await versionsOf([one, two]);

  const preview = await send(versions, { pricePercent: -10 }, true);
  expect(preview.changed).toMatchObject([
    { title: 'One', from: { price: 12.99 }, to: { price: 11.69 } },
    { title: 'Two', from: { price: 10.9 }, to: { price: 9.81 } },
  ]);
  expect(await prices(one, two)).toEqual([12.99, 10.9]);

  const done = await send(versions, { pricePercent: -10 });
  expect(done.changed.map(({ to }) => to)).toEqual(preview.changed.map(({ to }) => to));
  const again = await send(versions, { pricePercent: -10 });
  expect(again).toMatchObject({ changed: [], skipped: [{ reason: 'changed' }, { reason: 'changed' }] });
  expect(await prices(one, two)).toEqual([11.69, 9.81]);

  await change([two], { price: { value: '20' } });
  const undone = await undo(done);
  expect(undone).toMatchObject({
    changed: [{ title: 'One' }],
    skipped: [{ title: 'Two', reason: 'changed' }],
  });
  expect(await prices(one, two)).toEqual([12.99, 20]);
  const { entries } = await listActivity(store.database.db, { limit: 10 });
  expect(entries.filter(({ action }) => action === 'book-edited')).toHaveLength(4);
});

test('subjects are added and removed, and books that cannot change are named', async () => {
  const [sea, both, none] = [
    await shelve('Sea', 1, 'Sea'),
    await shelve('Both', 1, 'Ships; sea'),
    await shelve('None', 1),
  ];
  const all = [sea, both, none];
  const keywords = async () => await Promise.all(all.map(async (one) => (await book(one))?.keywords));

  const added = await change(all, { addSubject: ' Sea ' });
  expect(added.skipped.map(({ title, reason }) => [title, reason])).toEqual([
    ['Sea', 'same'],
    ['Both', 'same'],
  ]);
  expect(await keywords()).toEqual(['Sea', 'Ships; sea', 'Sea']);
  const removed = await change(all, { removeSubject: 'SEA' });
  expect(await keywords()).toEqual([null, 'Ships', null]);
  await undo(removed);
  expect(await keywords()).toEqual(['Sea', 'Ships; sea', 'Sea']);

  expect((await send([{ _id: 'none', version: 1 }], { isDeleted: true })).skipped).toEqual([
    { _id: 'none', title: '', reason: 'gone' },
  ]);
  for (const addSubject of ['x'.repeat(999), 'A whole sentence about the book']) {
    expect((await change([both], { addSubject })).skipped).toMatchObject([{ reason: 'invalid' }]);
  }
  const dear = await shelve('Dear', 999_999_999);
  expect((await change([dear], { pricePercent: 1 })).skipped).toMatchObject([{ reason: 'invalid' }]);
});

test.each([
  ['edits', (id: string) => editBook(store.database.db, id, { priceCents: 5 }, edited)],
  ['deletes', (id: string) => deleteBook(store.database.db, id, commandActor)],
  ['restores', (id: string) => restoreBook(store.database.db, id, commandActor)],
])('a book that somebody %s meanwhile is not deleted or restored with others', async (does, meddle) => {
  const one = await shelve('One', 1);
  const isDeleted = does !== 'restores';
  if (!isDeleted) await deleteBook(store.database.db, one._id, commandActor);
  const books = await versionsOf([one]);
  let isFirst = true;
  const db = store.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) await meddle(one._id);
      isFirst = false;
      return result;
    },
  });

  const { changed, skipped } = await changeBooks(
    db,
    books,
    { change: { isDeleted }, money: moneyIn('USD') },
    commandActor,
  );

  expect([changed, skipped]).toMatchObject([[], [{ reason: 'changed' }]]);
});

test('a subject is added and removed among keywords as they may be written', async () => {
  const cases: [by: object, keywords: string, expected: string | undefined][] = [
    [{ addSubject: 'Novels' }, 'Novels (War and Peace, Leo Tolstoy), Russia', undefined],
    [{ addSubject: 'CRONICAS' }, 'Crônicas', undefined],
    [{ addSubject: 'Sea, Ships' }, 'Ships', 'Ships, Sea'],
    [{ removeSubject: 'Novels' }, 'Novels (War, Leo Tolstoy), Russia', '(War, Leo Tolstoy), Russia'],
    [{ removeSubject: 'Leo Tolstoy' }, 'Novels (War and Peace, Leo Tolstoy); Russia', undefined],
    [{ removeSubject: 'Cronicas' }, 'Brazil; Crônicas (Chronicles)', 'Brazil (Chronicles)'],
  ];
  for (const [by, keywords, expected] of cases) {
    const { changed, skipped } = await change([await shelve('One', 1, keywords)], by);

    expect([changed[0]?.to.keywords, skipped[0]?.reason], keywords).toEqual(
      expected === undefined ? [undefined, 'same'] : [expected, undefined],
    );
  }
});

test('as many books as there may be, with keywords as long as they may be, are changed and undone at once', async () => {
  const keywords = `Sea, (${'É'.repeat(990)})`;
  const books = Array.from({ length: maxAtOnce }, () => ({ _id: crypto.randomUUID(), version: 1 }));

  const { skipped } = await send(books, { removeSubject: 'Sea' });
  const changed = books.map((book) => ({ ...book, title: '', from: { keywords }, to: {} }));

  expect(skipped).toHaveLength(maxAtOnce);
  expect((await undo({ changed, skipped: [] })).skipped).toEqual(skipped);
});
