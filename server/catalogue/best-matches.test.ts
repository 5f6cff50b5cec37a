import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { compareMatches, noSales, rankOf } from '../search/ranks.ts';
import { readQuery } from '../search/search-text.ts';
import { textColumnsOf } from '../search/text-columns.ts';
import { examplesOf, setUpSharedDatabase } from '../testing/test-database.ts';
import { listBestMatches } from './best-matches.ts';
import { addBook } from './books.ts';

const database = setUpSharedDatabase();

const book = (title: string, author = 'N N'): BookDetails => ({
  title,
  author,
  image: 'https://covers.example/1.jpg',
  priceCents: 100,
});

/** Adds books, the oldest first, and updates the planner's statistics. @returns the books by their ids. */
async function stock(books: readonly BookDetails[]): Promise<Map<string, BookDetails>> {
  const added = new Map<string, BookDetails>();
  for (const details of books) added.set((await addBook(database.db, details, null)).id, details);
  await sql`analyze`.execute(database.db);
  return added;
}

type Search = { q: string; limit: number; max?: { newest: number; byKey: number } };

/** @param between is called after each page. @returns every page of a search, as ids. */
async function pagesOf({ q, limit, max }: Search, between?: () => Promise<unknown>): Promise<string[][]> {
  const query = readQuery(q);
  if (!query) throw new Error('a query without words');
  const search = { query, patterns: query.patterns, sold: noSales, limit };
  const pages: string[][] = [];
  for (let cursor: string | undefined; pages.length < 200; ) {
    const page = await listBestMatches(database.listDb, { ...search, cursor }, max);
    pages.push(page.books.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
    await between?.();
  }
  throw new Error('the list does not end');
}

test('the ranks follow each other, in one the shorter title is first, and then the newest', async () => {
  const stocked = await stock([
    book('The Unsecret Garden'),
    book('Secrets', 'Anne Gardener'),
    book('A Secret (Garden, #1)'),
    book('My Secret', 'Edna Garden'),
    book('Garden of Secret Paths'),
    book('Secret Gardening for Children'),
    book('Secret Gardens'),
    book('Secret Garden Party'),
    book('Secret Garden Parties'),
    book('Poems', 'Secret Garden'),
    book('The Secret Garden'),
    book('Secret Garden (Classics, #2)'),
    book('Secret Garden'),
    book('Somebody Else'),
  ]);

  const ids = (await pagesOf({ q: 'secret garden', limit: 200 })).flat();
  expect(ids.map((id) => stocked.get(id)?.title)).toEqual([
    'Secret Garden',
    'Secret Garden (Classics, #2)',
    'Poems',
    'Secret Garden Party',
    'Secret Garden Parties',
    'Secret Gardens',
    'Secret Gardening for Children',
    'My Secret',
    'The Secret Garden',
    'Garden of Secret Paths',
    'A Secret (Garden, #1)',
    'Secrets',
    'The Unsecret Garden',
  ]);
});

test('a title comes before books that have its letters, where the query has a space inside a word', async () => {
  const stocked = await stock([book('The Secret'), book('Seven Cretan Nights'), book('The Secret Power')]);

  const [first = ''] = (await pagesOf({ q: 'the se cret', limit: 200 })).flat();

  expect(stocked.get(first)?.title).toBe('The Secret');
});

test('a title that is the query and an author who is it are first, also among more matches than are ranked', async () => {
  const others = Array.from({ length: 12 }, (_, index) => book(`A River ${index}`));
  const stocked = await stock([book('River'), book('Poems', 'River'), book('River Songs'), ...others]);

  const pages = await pagesOf({ q: 'river', limit: 4, max: { newest: 3, byKey: 5 } });

  const titles = pages.flat().map((id) => stocked.get(id)?.title);
  expect(titles.slice(0, 3)).toEqual(['River', 'Poems', 'River Songs']);
  expect(titles.slice(6)).toEqual(
    others
      .slice(0, -3)
      .map(({ title }) => title)
      .toReversed(),
  );
});

const words = ['the', 'river', 'of', 'Émile', '川', 'rivers', 'thriver', 'U.S.A.', 'Ὀδύσσεια'];
const textOf = (maxLength: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength }).map((texts) => texts.join(' '));
const stockedBook: fc.Arbitrary<BookDetails> = fc.record({
  title: fc.tuple(textOf(4), fc.constantFrom('', ' (River, #1)')).map((texts) => texts.join('')),
  author: fc.constantFrom('Ada', 'Émile Zola', 'the river', 'river, the'),
  keywords: fc.constantFrom(null, 'riverside', 'the'),
  image: fc.constant('https://covers.example/1.jpg'),
  priceCents: fc.constant(100),
});
const anyQuery = fc.oneof(
  { arbitrary: textOf(2), weight: 6 },
  { arbitrary: textOf(4), weight: 2 },
  fc.constantFrom('riv', 'the r', 'r', 'e', '川', 'theriver', 'usa', 'odysseia'),
);

/** @returns the ids of the books that have each pattern, the best first. */
function expectedIds(books: Map<string, BookDetails>, q: string): string[] {
  const query = readQuery(q);
  if (!query) throw new Error('a query without words');
  return [...books]
    .map(([id, details], seq) => {
      const { title_key: titleKey, author_key: authorKey, search_text: searchText } = textColumnsOf(details);
      return { id, seq, titleKey, authorKey, searchText, seriesNumber: null };
    })
    .filter(({ searchText }) => query.patterns.every((pattern) => searchText.includes(pattern)))
    .map((ranked) => ({ rank: rankOf(query, ranked), book: ranked }))
    .sort((one, other) => compareMatches(one, other))
    .map(({ book: { id } }) => id);
}

test('over all pages of a search each match comes once, the best first, and none is missing, also while books are added', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stockedBook, { maxLength: 30 }),
      fc.array(fc.record({ q: anyQuery, limit: fc.integer({ min: 1, max: 8 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.record({ newest: fc.integer({ min: 1, max: 6 }), byKey: fc.integer({ min: 1, max: 6 }) }),
      stockedBook,
      async (books, searches, max, added) => {
        await database.db.deleteFrom('books').execute();
        const stocked = await stock(books);
        for (const search of searches) {
          const pages = await pagesOf(search);
          expect(pages.flat(), JSON.stringify(search)).toEqual(expectedIds(stocked, search.q));
          for (const page of pages) expect(page.length).toBeLessThanOrEqual(search.limit);
          // A search that has more matches than are ranked still lists each match once.
          const listed = (await pagesOf({ ...search, max })).flat();
          expect(listed.toSorted(), JSON.stringify(search)).toEqual(expectedIds(stocked, search.q).sort());
        }

        let toAdd = 3;
        const [search = { q: 'the', limit: 2 }] = searches;
        const pages = await pagesOf(search, async () => {
          toAdd -= 1;
          if (toAdd >= 0) await addBook(database.db, added, null);
        });

        const found = pages.flat().filter((id) => stocked.has(id));
        expect(found.sort(), JSON.stringify(search)).toEqual(expectedIds(stocked, search.q).sort());
      },
    ),
    { numRuns: examplesOf(80) },
  );
});
