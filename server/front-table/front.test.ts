import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ActivityEntry } from '../../contract/desk/activity.ts';
import type { DeskBook } from '../../contract/desk/books.ts';
import type { FrontTable } from '../../contract/desk/front-table.ts';
import { paths } from '../../contract/paths.ts';
import type { Front } from '../../contract/shop-front.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { deleteBook } from '../catalogue/delete-book.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { emma, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
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
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Book ${index + 1}`);
const front = async () => readJson<Front>(await store.call(paths.front));
const titlesOf = (books: readonly { title: string }[]) => books.map(({ title }) => title);
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

  const poems = await add('Four', { keywords: 'Poems' });
  store.database.catalogueVersion.recordLocalChange();
  expect((await front()).subjects).toEqual(['Novels', 'Crime', 'Poems']);
  await deleteBook(store.database.db, poems, commandActor);
  store.database.catalogueVersion.recordLocalChange();
  expect((await front()).subjects).toEqual(['Novels', 'Crime']);
});

describe('the front table', () => {
  test('has the newest books with a picture while the owner has chosen none', async () => {
    expect(await front()).toEqual({
      table: { heading: 'New on the shelf', words: '', books: [] },
      rows: [],
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

  test('has the books that the owner has chosen, first chosen first, and at most six, and the trail tells it', async () => {
    const [first = '', second = '', third = '', ...others] = await addMany(numbered(8));
    for (const id of [third, first]) expect((await set(id, true)).status).toBe(200);

    expect((await front()).table).toMatchObject({
      heading: 'Chosen by the bookseller',
      books: [{ title: 'Book 3' }, { title: 'Book 1' }],
    });
    expect(await readJson<DeskBook>(await set(first, true))).toMatchObject({
      _id: first,
      onFrontTable: true,
    });
    for (const id of others.slice(0, 4)) expect((await set(id, true)).status).toBe(200);
    expect(await readJson(await set(second, true), 409)).toMatchObject({ code: 'FRONT_TABLE_FULL' });
    await deleteBook(store.database.db, third, commandActor);
    expect((await set(third, false)).status).toBe(404);

    // A deleted book leaves its place to another one.
    expect((await set(second, true)).status).toBe(200);
    const titles = ['Book 1', 'Book 4', 'Book 5', 'Book 6', 'Book 7', 'Book 2'];
    expect(titlesOf((await openFront(store.database)()).table.books)).toEqual(titles);
    await set(second, false);
    expect((await activity()).slice(0, 2)).toMatchObject([
      { action: 'front-table-book-removed', bookId: second },
      { action: 'front-table-book-added', email: reader.email, bookTitle: 'Book 2' },
    ]);
  });

  test('is set as a whole, in order; a sold-out book keeps its place, and a wrong list changes nothing', async () => {
    const [one = '', two = '', three = ''] = await addMany(numbered(3));
    const onTable = async () => titlesOf((await openFront(store.database)()).table.books);

    await edit({ books: [three, one] });
    expect(
      titlesOf((await readJson<FrontTable>(await edit({ books: [two, three], words: 'Two' }))).books),
    ).toEqual(['Book 2', 'Book 3']);
    expect((await activity())[0]).toMatchObject({
      action: 'front-table-edited',
      details: { oldBooks: 'Book 3, Book 1', newBooks: 'Book 2, Book 3', oldWords: '', newWords: 'Two' },
    });
    expect((await edit({ books: [one, 'none'] })).status).toBe(404);
    for (const books of [[one, one], Array(7).fill(one)]) expect((await edit({ books })).status).toBe(400);
    expect(await onTable()).toEqual(['Book 2', 'Book 3']);

    const ofThird = store.database.db.updateTable('books').where('id', '=', three);
    await ofThird.set({ removed_at: 1, sold_out_at: 1 }).execute();
    await edit({ books: [one, two] });
    expect(await onTable()).toEqual(['Book 1', 'Book 2']);
    await ofThird.set({ removed_at: null, sold_out_at: null }).execute();
    expect(await onTable()).toEqual(['Book 3', 'Book 1', 'Book 2']);

    // The trail also has the change from one book to another of the same title.
    for (const id of await addMany(['Emma', 'Emma'])) await edit({ books: [id] });
    expect((await activity())[0]?.details).toEqual({ oldBooks: 'Emma', newBooks: 'Emma' });
  });

  test('has the owner’s words of the right form, which another process may change too', async () => {
    await set(await add('Emma'), true);
    expect((await front()).table.heading).toBe('Chosen by the bookseller');

    const words = { heading: ' Books that begin at sea ', words: 'Four to read.' };
    expect(await readJson<FrontTable>(await edit(words))).toMatchObject({ books: [{ title: 'Emma' }] });
    expect((await front()).table).toMatchObject({ ...words, heading: 'Books that begin at sea' });
    await edit({ words: '' });
    await edit({ words: '' });
    const other = await store.openDatabaseAgain();
    await other.db.updateTable('front_table').set({ heading: 'Elsewhere' }).execute();
    await expect.poll(async () => (await front()).table).toMatchObject({ heading: 'Elsewhere', words: '' });
    expect(await readJson(await store.call('/desk/api/front-table', { cookie }))).toMatchObject({
      heading: 'Elsewhere',
    });

    expect((await activity()).map(({ action, details }) => [action, details]).slice(0, 2)).toEqual([
      ['front-table-edited', { oldWords: 'Four to read.', newWords: '' }],
      ['front-table-edited', expect.objectContaining({ newHeading: 'Books that begin at sea' })],
    ]);
    for (const json of [{ heading: 'a'.repeat(81) }, { words: 'a'.repeat(301) }, { words: 'two\nlines' }]) {
      const field = Object.keys(json)[0];
      expect(await readJson(await edit(json), 400), field).toMatchObject({ errors: [{ field }] });
    }
  });
});

describe('a row', () => {
  const now = Date.now();
  const dayMs = 24 * 60 * 60 * 1000;
  const read = () => openFront(store.database);
  const titlesIn = ({ rows }: Front, heading: string) =>
    titlesOf(rows.find((row) => row.heading === heading)?.books ?? []);
  const newIn = (shown: Front) => titlesIn(shown, 'New this week');
  const mostBoughtIn = (shown: Front) => titlesIn(shown, 'Most bought this month');

  test('of a subject has its newest books, at least six, and no book stands twice above the shelf', async () => {
    const addOf = async (keywords: string, count: number) => {
      for (const title of numbered(count)) await add(`${keywords} ${title}`, { keywords });
    };
    await set(await add('On the table', { keywords: 'Sea' }), true);
    const removed = await add('Elegy', { keywords: 'Poems' });
    await addOf('Poems', 4);
    await addOf('Sea; Poems', 3);
    await addOf('Sea', 10);

    const { table, rows } = await read()();

    expect(rows.map(({ heading, count, books }) => [heading, count, books.length])).toEqual([
      ['Sea', 14, 12],
      ['Poems', 8, 6],
    ]);
    expect(titlesOf(rows[0]?.books ?? []).slice(0, 2)).toEqual(['Sea Book 10', 'Sea Book 9']);
    const shown = [table, ...rows].flatMap(({ books }) => titlesOf(books));
    expect(new Set(shown).size).toBe(19);
    await deleteBook(store.database.db, removed, commandActor);
    expect((await read()()).rows.map(({ heading }) => heading)).toEqual(['Sea']);
  });

  test('of new books has those of seven days, where no subject has a row', async () => {
    const { db } = store.database;
    const titles = numbered(11);
    const [oldest = ''] = await addMany(titles);

    expect(newIn(await read()())).toEqual(titles.slice(0, 6).toReversed());
    await db
      .updateTable('books')
      .set({ added_at: now - 8 * dayMs })
      .where('id', '=', oldest)
      .execute();
    expect(newIn(await read()())).toEqual([]);
    await set(oldest, true);
    expect(newIn(await read()(now))).toEqual(titles.slice(1).toReversed());
    expect(newIn(await read()(now + 8 * dayMs))).toEqual([]);
  });

  /** Adds books of last month, and the five on the table. @returns the ids of those that are not on it. */
  const addOld = async (count: number) => {
    const ids = await addMany(numbered(count));
    await addMany(['A', 'B', 'C', 'D', 'E']);
    await store.database.db
      .updateTable('books')
      .set({ added_at: now - 30 * dayMs })
      .execute();
    return ids;
  };

  test('of best sellers has those that are for sale, at least six, and the same ones for some minutes', async () => {
    const { db } = store.database;
    const ids = await addOld(8);
    const customer = await customerIdOf(db);
    const sell = (sold: readonly string[]) =>
      addOrders(
        db,
        customer,
        sold.map((bookId) => ({ at: now - dayMs, bookId })),
      );
    // The first book is sold once, the second twice, and so on; the last one is not sold.
    await sell(ids.slice(0, 7).flatMap((id, index) => Array.from({ length: index + 1 }, () => id)));
    const readFront = read();

    expect(mostBoughtIn(await readFront())).toEqual(numbered(7).toReversed());
    await sell(Array.from({ length: 9 }, () => ids[7] ?? ''));
    await deleteBook(db, ids[6] ?? '', commandActor);
    expect(mostBoughtIn(await readFront())).toEqual(numbered(6).toReversed());
    await deleteBook(db, ids[5] ?? '', commandActor);
    expect(mostBoughtIn(await readFront())).toEqual([]);
    expect(mostBoughtIn(await read()())).toEqual(['Book 8', ...numbered(5).toReversed()]);
  });

  test('of best sellers is not that of the last visit, hours ago', async () => {
    const { db } = store.database;
    const ids = await addOld(6);
    vi.useFakeTimers({ toFake: ['performance'] });
    const readFront = read();
    expect(mostBoughtIn(await readFront())).toEqual([]);
    const sold = ids.map((bookId) => ({ at: now - dayMs, bookId }));
    await addOrders(db, await customerIdOf(db), sold);

    vi.advanceTimersByTime(5 * 60 * 1000);

    expect(mostBoughtIn(await readFront())).toHaveLength(6);
  });
});
