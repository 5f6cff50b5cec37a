import { Readable } from 'node:stream';
import type { CompiledQuery, KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ActivityEntry } from '../../contract/desk/activity.ts';
import type { DeskBook } from '../../contract/desk/books.ts';
import type { FrontTable } from '../../contract/desk/front-table.ts';
import { paths } from '../../contract/paths.ts';
import type { Front } from '../../contract/shop-front.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { deleteBook, restoreBook } from '../catalogue/delete-book.ts';
import type { Db } from '../database/tables.ts';
import { importBooks } from '../import/import-books.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { plansOf } from '../testing/plans.ts';
import { emma, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { setOnFrontTable } from './front-table.ts';
import { openFront } from './read-front.ts';

const store = setUpTestStore({ settings: { hasRateLimits: false, adminEmails: [reader.email] } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
});

afterEach(() => void vi.useRealTimers());

const add = async (title: string, more: Partial<typeof emma & { copies: number; keywords: string }> = {}) =>
  (await addBook(store.database.db, { ...emma, title, ...more }, null)).id;
const addMany = async (titles: readonly string[]) => {
  const ids: string[] = [];
  for (const title of titles) ids.push(await add(title));
  return ids;
};
const importFile = (text: string) =>
  importBooks(store.database.db, Readable.from([Buffer.from(text)]), {
    actor: commandActor,
    isDryRun: false,
    readImage: (image) => ({ image, isMade: false }),
  });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Book ${index + 1}`);
const front = async () => readJson<Front>(await store.call(paths.front));
const titlesOf = (books: readonly { title: string }[]) => books.map(({ title }) => title);
const onTable = async () => titlesOf((await front()).table.books);
const set = (id: string, isOn: boolean) =>
  store.call(`/desk/api/books/${id}/front-table`, { cookie, json: { isOn } });
const edit = (json: unknown) => store.call('/desk/api/front-table', { method: 'PATCH', cookie, json });
const activity = async () =>
  (await readJson<ActivityEntry[]>(await store.call('/desk/api/activity', { cookie }))).filter(({ action }) =>
    action.startsWith('front-table'),
  );

test('the subjects that several books have are named, the most frequent first', async () => {
  await add('One', { keywords: 'Novels, Crime (a further name)' });
  await add('Two', { keywords: 'novels; Crime' });
  await add('Three', { keywords: 'Novels, Poems' });
  expect((await front()).subjects).toEqual(['Novels', 'Crime']);

  const poems = await add('Four', { keywords: 'Poems' });
  store.database.catalogueVersion.recordLocalChange();
  expect((await front()).subjects).toEqual(['Novels', 'Crime', 'Poems']);
  await deleteBook(store.database.db, poems, commandActor);
  store.database.catalogueVersion.recordLocalChange();
  expect((await front()).subjects).toEqual(['Novels', 'Crime']);
});

test('the subjects stay when many books without keywords are added', async () => {
  for (const title of ['One', 'Two']) await add(title, { keywords: 'Novels' });
  const rows = Array.from({ length: 2_100 }, (_, index) => `Plain ${index},A,1,${emma.image}\n`);
  await importFile(`title,author,price,image\n${rows.join('')}`);
  store.database.catalogueVersion.recordLocalChange();

  expect((await front()).subjects).toEqual(['Novels']);
});

describe('the front table', () => {
  test('has the newest books with a picture while the owner has chosen none', async () => {
    expect(await front()).toEqual({
      table: { heading: 'New on the shelf', words: '', books: [] },
      newThisWeek: [],
      mostBought: [],
      bookCount: 0,
      subjects: [],
    });
    await addMany(numbered(5));
    await add('Without a picture', { image: '' });

    const { table, bookCount } = await front();

    expect(titlesOf(table.books)).toEqual(['Book 5', 'Book 4', 'Book 3', 'Book 2', 'Book 1']);
    expect(table.books[0]).toEqual((await readJson<object[]>(await store.call('/books')))[1]);
    expect(bookCount).toBe(6);
  });

  test('has the books that the owner has chosen, first chosen first, and at most six', async () => {
    const ids = await addMany(numbered(8));
    const [first = '', second = '', third = '', ...others] = ids;
    await front();
    for (const id of [third, first]) expect((await set(id, true)).status).toBe(200);

    expect((await front()).table).toMatchObject({
      heading: 'Chosen by the bookseller',
      books: [{ title: 'Book 3' }, { title: 'Book 1' }],
    });
    const again = await readJson<DeskBook>(await set(first, true));
    expect(again).toMatchObject({ _id: first, onFrontTable: true });
    // Two at once must not both take the last place.
    const responses = await Promise.all(others.map((id) => set(id, true)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 409]);
    const late = await set(second, true);
    expect(await late.json()).toMatchObject({ status: 409, code: 'FRONT_TABLE_FULL' });
    expect(await onTable()).toHaveLength(6);

    await set(third, false);
    expect((await readJson<DeskBook>(await set(second, true))).onFrontTable).toBe(true);
    expect((await onTable()).at(-1)).toBe('Book 2');
    const [last, before] = await activity();
    expect(last).toMatchObject({
      action: 'front-table-book-added',
      email: reader.email,
      bookTitle: 'Book 2',
    });
    expect(before).toMatchObject({ action: 'front-table-book-removed', bookId: third });
    expect(await activity()).toHaveLength(8);
  });

  test('is left by a book that is deleted or sold out, and found again when it is for sale', async () => {
    const [one = '', two = ''] = await addMany(['One', 'Two']);
    const last = await add('Last copy', { copies: 1 });
    for (const id of [one, two, last]) await set(id, true);
    const { db } = store.database;

    await store.call(paths.addOrder, { cookie, json: orderOf({ ...emma, title: 'Last copy' }) });
    expect(await onTable()).toEqual(['One', 'Two']);
    await deleteBook(db, one, commandActor);
    expect(titlesOf((await openFront(store.database)()).table.books)).toEqual(['Two']);
    // A place that they leave is free.
    for (const id of await addMany(numbered(5))) expect((await set(id, true)).status).toBe(200);
    await restoreBook(db, one, commandActor);

    expect(titlesOf((await openFront(store.database)()).table.books)).toEqual([
      ...['One', 'Two', 'Book 1', 'Book 2', 'Book 3', 'Book 4'],
    ]);
    expect((await set('no-such-book', true)).status).toBe(404);
    await deleteBook(db, two, commandActor);
    expect((await set(two, false)).status).toBe(404);
  });

  test('keeps its books when a file changes them', async () => {
    const id = await add('Emma');
    await set(id, true);

    await importFile(`id,title,author,price,image\n${id},Emma,J. A.,1,${emma.image}\n`);

    expect((await openFront(store.database)()).table.books).toMatchObject([
      { title: 'Emma', author: 'J. A.' },
    ]);
  });

  test('has the owner’s words, which another process may change too', async () => {
    await set(await add('Emma'), true);
    expect((await front()).table.heading).toBe('Chosen by the bookseller');

    const words = { heading: ' Books that begin at sea ', words: 'Four to read.' };
    expect(await readJson<FrontTable>(await edit(words))).toMatchObject({
      heading: 'Books that begin at sea',
      words: 'Four to read.',
      books: [{ title: 'Emma' }],
    });
    expect((await front()).table).toMatchObject({
      heading: 'Books that begin at sea',
      words: 'Four to read.',
    });
    await edit({ words: '' });
    await edit({ words: '' });
    const other = await store.openDatabaseAgain();
    await other.db.updateTable('front_table').set({ heading: 'Elsewhere' }).execute();
    await expect.poll(async () => (await front()).table).toMatchObject({ heading: 'Elsewhere', words: '' });

    expect((await activity()).map(({ action, details }) => [action, details]).slice(0, 2)).toEqual([
      ['front-table-edited', { oldWords: 'Four to read.', newWords: '' }],
      [
        'front-table-edited',
        {
          oldHeading: '',
          newHeading: 'Books that begin at sea',
          oldWords: '',
          newWords: 'Four to read.',
        },
      ],
    ]);
  });

  test.each([
    ['heading', 'a'.repeat(81)],
    ['words', 'a'.repeat(301)],
    ['words', 'two\nlines'],
  ])('refuses as %s a text of the wrong form', async (field, text) => {
    const response = await edit({ [field]: text });

    expect(await response.json()).toMatchObject({ status: 400, errors: [{ field }] });
  });
});

describe('a row', () => {
  const now = Date.now();
  const dayMs = 24 * 60 * 60 * 1000;
  const read = (parts: { countedEachTime?: number } = {}) => openFront({ ...store.database, ...parts });

  test('of new books has those of seven days, without those on the table, and at least six', async () => {
    const { db } = store.database;
    const titles = numbered(11);
    const [oldest = ''] = await addMany(titles);

    expect(titlesOf((await read()()).newThisWeek)).toEqual(titles.slice(0, 6).toReversed());
    await db
      .updateTable('books')
      .set({ added_at: now - 8 * dayMs })
      .where('id', '=', oldest)
      .execute();
    expect((await read()()).newThisWeek).toEqual([]);
    await set(oldest, true);
    expect(titlesOf((await read()(now)).newThisWeek)).toEqual(titles.slice(1).toReversed());
    expect((await read()(now + 8 * dayMs)).newThisWeek).toEqual([]);
  });

  test('of best sellers has those that are for sale, at least six, and the same ones for some minutes', async () => {
    const { db } = store.database;
    const ids = await addMany(numbered(8));
    const customer = await customerIdOf(db);
    const sell = (sold: readonly string[]) =>
      addOrders(
        db,
        customer,
        sold.map((bookId) => ({ at: now - dayMs, bookId })),
      );
    // The first book once, the second twice, and so on, without the last one.
    await sell(ids.slice(0, 7).flatMap((id, index) => Array.from({ length: index + 1 }, () => id)));
    const readFront = read();

    expect(titlesOf((await readFront()).mostBought)).toEqual(numbered(7).toReversed());
    await sell(Array.from({ length: 9 }, () => ids[7] ?? ''));
    await deleteBook(db, ids[6] ?? '', commandActor);
    expect(titlesOf((await readFront()).mostBought)).toEqual(numbered(6).toReversed());
    await deleteBook(db, ids[5] ?? '', commandActor);
    expect((await readFront()).mostBought).toEqual([]);
    expect(titlesOf((await read()()).mostBought)).toEqual(['Book 8', ...numbered(5).toReversed()]);
  });

  test('of best sellers is not that of the last visit, hours ago', async () => {
    const { db } = store.database;
    const ids = await addMany(numbered(6));
    vi.useFakeTimers({ toFake: ['performance'] });
    const readFront = read();
    expect((await readFront()).mostBought).toEqual([]);
    const sold = ids.map((bookId) => ({ at: now - dayMs, bookId }));
    await addOrders(db, await customerIdOf(db), sold);

    vi.advanceTimersByTime(5 * 60 * 1000);

    expect((await readFront()).mostBought).toHaveLength(6);
  });

  test('an order does not have the cached response loaded again', async () => {
    await addMany(['Emma', ...numbered(3)]);
    const { db } = store.database;
    await front();
    await db.schema.alterTable('front_table').renameTo('elsewhere').execute();
    try {
      const order = await store.call(paths.addOrder, { cookie, json: orderOf(emma) });

      expect(order.status).toBe(201);
      expect((await store.call(paths.front)).status).toBe(200);
      await add('One more');
      expect((await store.call(`${paths.front}?`)).status).toBe(500);
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('front_table').execute();
    }
  });

  test('a large catalogue is counted once in some minutes, a small one each time', async () => {
    await addMany(numbered(3));
    const [small, large] = [read(), read({ countedEachTime: 2 })];
    const counts = async () => [(await small()).bookCount, (await large()).bookCount];

    expect(await counts()).toEqual([3, 3]);
    await add('One more');

    expect(await counts()).toEqual([4, 3]);
  });
});

/** @returns the statements of a read, and their plans, as one text each. */
async function plansOfReads(read: (db: Db) => Promise<unknown>): Promise<string[]> {
  const { db } = store.database;
  const statements: CompiledQuery[] = [];
  const record: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await read(db.withPlugin(record));
  const plans = await plansOf(db, statements);
  return statements.map((statement, index) => `${statement.sql}\n${plans[index]}`);
}

test('the front costs a large catalogue no more than a small one: each look at the books follows an index to a limit', async () => {
  const ids = await addMany(numbered(8));
  const { listDb } = store.database;
  await openFront(store.database)();
  const unchosen = await plansOfReads((db) => openFront({ db, listDb })());
  for (const id of ids.slice(0, 4)) await setOnFrontTable(store.database.db, id, true, commandActor);

  const plans = [...unchosen, ...(await plansOfReads((db) => openFront({ db, listDb })()))];

  const ofBooks = plans.filter((plan) => plan.includes('from "books"'));
  // A query in another one comes by itself too.
  expect(ofBooks.length).toBeGreaterThanOrEqual(7);
  for (const plan of ofBooks) {
    // That of the query that reads the books, not of one around it.
    expect(plan).toMatch(/from "books"(?:(?!\) as ")[^\n])*limit/);
    expect(plan).toMatch(/Index (Only )?Scan|USING (COVERING )?INDEX/);
    // Which of the indexes of books for sale PostgreSQL takes depends on the statistics.
    expect(plan).not.toMatch(/Seq Scan on books|SCAN books(?! USING)/);
  }
});
