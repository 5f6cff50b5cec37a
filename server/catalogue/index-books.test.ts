import { expect, test } from 'vitest';
import { plansOf } from '../testing/plans.ts';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { emma } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { findBooks } from './find-books.ts';
import { indexBooks, olderBooks } from './index-books.ts';

const database = setUpSharedDatabase();

/** Adds books as a version without this index did. */
async function addOld(titles: readonly string[], removedAt: number | null = null): Promise<void> {
  for (let start = 0; start < titles.length; start += 500) {
    await database.db
      .insertInto('books')
      .values(
        titles.slice(start, start + 500).map((title) => ({
          id: `id of ${title}`,
          title,
          author: 'Фёдор Достоевский',
          image: 'https://covers.example/1.jpg',
          price_cents: 100,
          search_text: ' an old text ',
          title_sort: title,
          added_at: 1,
          removed_at: removedAt,
        })),
      )
      .execute();
  }
}

const listWords = async () =>
  (await database.db.selectFrom('words').selectAll().orderBy('word').execute()).map(({ word, books }) => [
    word,
    Number(books),
  ]);

test('a book of an older version gets the texts of a new one', async () => {
  await addOld(['Преступление']);
  const details = { ...emma, title: 'Преступление', author: 'Фёдор Достоевский' };

  expect(await indexBooks(database.db)).toBe(1);

  await addBook(database.db, details, null);
  const texts = await database.db
    .selectFrom('books')
    .select(['search_text', 'title_key', 'author_key', 'title_sort', 'author_sort', 'is_indexed'])
    .execute();
  expect(texts).toHaveLength(2);
  expect(texts[0]).toEqual(texts[1]);
  expect(await listWords()).toEqual([
    ['dostoevskiy', 2],
    ['fedor', 2],
    ['prestuplenie', 2],
  ]);
  expect((await findBooks(database.db, { q: 'prestuplenie dostoevskiy' })).books).toHaveLength(2);
});

test('a book of an older version is found by its subjects, and no word of a removed book is counted', async () => {
  await addBook(database.db, { ...emma, keywords: 'Gothic, Novels' }, null);
  await database.db
    .updateTable('books')
    .set({ search_text: ' emma jane austen gothic novels ', is_indexed: null })
    .execute();
  await addOld(['Кобзар'], 1);
  // Letters without a reading, more than an index takes.
  await addOld([`ab ${'𐤀'.repeat(300)}`]);
  const bySubject = async () => (await findBooks(database.db, { subject: 'novels' })).books.length;
  expect(await bySubject()).toBe(0);

  expect(await indexBooks(database.db)).toBe(3);

  expect(await bySubject()).toBe(1);
  expect((await findBooks(database.db, { q: 'ab' })).books).toHaveLength(1);
  expect(await listWords()).toContainEqual(['austen', 1]);
  expect(await listWords()).not.toContainEqual(['kobzar', 1]);
});

test('a book that an older version added or changed meanwhile gets its sort keys, and keeps the rest', async () => {
  await addBook(database.db, { ...emma, title: 'The Waves', author: 'Virginia Woolf' }, null);
  const read = () => database.db.selectFrom('books').selectAll().execute();
  const expected = await read();
  await database.db
    .updateTable('books')
    .set({ is_indexed: 1, title_sort: 'the waves', author_sort: null })
    .execute();
  expect((await findBooks(database.db, { sort: 'author' })).books).toEqual([]);

  expect(await indexBooks(database.db)).toBe(1);
  expect(await indexBooks(database.db)).toBe(0);

  expect(await read()).toEqual(expected);
  expect(expected).toMatchObject([{ title_sort: 'waves', author_sort: 'woolf virginia' }]);
  expect((await findBooks(database.db, { sort: 'author' })).books).toHaveLength(1);
  expect((await findBooks(database.db, { q: 'waves' })).books).toHaveLength(1);
  expect(await listWords()).toContainEqual(['waves', 1]);
});

test('a start looks for such books in an index of them alone', async () => {
  const [plan] = await plansOf(database.db, [olderBooks(database.db).select('seq').orderBy('seq').compile()]);

  expect(plan).toContain('books_of_older_texts');
});

test('several nodes at once count each book once, and an interrupted indexing goes on where it stopped', async () => {
  await addOld(Array.from({ length: 600 }, (_, index) => `Dracula ${index}`));
  const stop = () => {
    throw new Error('stopped');
  };
  await expect(indexBooks(database.db, { onProgress: stop })).rejects.toThrow('stopped');

  const indexed = await Promise.all([indexBooks(database.db), indexBooks(database.db)]);

  expect(indexed[0] + indexed[1]).toBe(100);
  expect(await listWords()).toContainEqual(['dracula', 600]);
});
