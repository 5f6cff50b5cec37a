import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { addBook } from '../catalogue/books.ts';
import { examplesOf, setUpSharedDatabase } from '../testing/test-database.ts';
import { type BestBounds, type BestPlace, listBestMatches, readPlace, writePlace } from './best-matches.ts';
import { compareMatches, rankOf, ranks } from './ranks.ts';
import { readQuery } from './search-text.ts';
import { textColumnsOf } from './text-columns.ts';

const database = setUpSharedDatabase();

const book = (title: string, author = 'N N'): BookDetails => ({
  title,
  author,
  image: 'https://covers.example/1.jpg',
  priceCents: 100,
});

/** Adds books, the oldest first, and lets the planner know them. @returns the titles, by the id. */
async function stock(books: readonly BookDetails[]): Promise<Map<string, BookDetails>> {
  const added = new Map<string, BookDetails>();
  for (const details of books) added.set((await addBook(database.db, details, null)).id, details);
  await sql`analyze`.execute(database.db);
  return added;
}

type Search = { q: string; limit: number; bounds?: BestBounds; place?: BestPlace | undefined };

/** @param between called after each page. @returns every page of a search, as ids. */
async function pagesOf(
  { q, limit, bounds, place }: Search,
  between?: () => Promise<unknown>,
): Promise<string[][]> {
  const query = readQuery(q);
  if (!query) throw new Error('a query without words');
  const pages: string[][] = [];
  do {
    const page = await listBestMatches(database.listDb, { query, limit, place }, bounds);
    if (!page) throw new Error('a place that the last page named is unknown');
    pages.push(page.books.map(({ id }) => id));
    place = page.next && readPlace(writePlace(page.next));
    if (page.next && !place) throw new Error('a place that cannot be read');
    if (pages.length > 200) throw new Error('the list does not end');
    await between?.();
  } while (place);
  return pages;
}

const titlesOf = async (search: Search) => {
  const ids = (await pagesOf(search)).flat();
  const rows = await database.db.selectFrom('books').select(['id', 'title']).execute();
  return ids.map((id) => rows.find((row) => row.id === id)?.title);
};

test('the ranks follow each other, in one the shorter title is first, and then the newest', async () => {
  await stock([
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

  expect(await titlesOf({ q: 'secret garden', limit: 200 })).toEqual([
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

test('a forged cursor lists matches at most', async () => {
  const stocked = await stock([book('Atlas A'), book('Atlas B'), book('Atlas C'), book('Else')]);
  const [a, b, c, other] = [...stocked.keys()];
  const forged = {
    'a window that ends before it begins': `beginning.${c}.${a}.${b}.`,
    'books of another part': `author.${a}.${c}.${b}.`,
    'a book that does not match': `others.${other}..${other}.`,
    'the newest book before all others': `beginning....${a}`,
  };
  for (const [name, cursor] of Object.entries(forged)) {
    const listed = await titlesOf({ q: 'atlas', limit: 5, place: readPlace(cursor) });

    expect(['Atlas A', 'Atlas B', 'Atlas C'], name).toEqual(expect.arrayContaining(listed));
  }
});

describe('over all pages of a search, whatever its limits', () => {
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
  const q = fc.oneof(
    { arbitrary: textOf(2), weight: 6 },
    { arbitrary: textOf(4), weight: 2 },
    fc.constantFrom('riv', 'the r', 'r', 'e', '川', 'theriver', 'usa', 'odysseia'),
  );

  /** @returns the ids of the books that have each pattern, as both engines compare them. */
  const expectedIds = (books: Map<string, BookDetails>, text: string) => {
    const query = readQuery(text);
    if (!query) throw new Error('a query without words');
    return [...books]
      .map(([id, details], index) => {
        const texts = textColumnsOf(details);
        const ranked = {
          id,
          seq: index,
          titleKey: texts.title_key,
          authorKey: texts.author_key,
          searchText: texts.search_text,
        };
        return { id, book: ranked, rank: rankOf(query, ranked) };
      })
      .filter(
        ({ book: { searchText }, rank }) =>
          rank <= ranks.titleBeginsWithLetters ||
          query.patterns.every((pattern) => searchText.includes(pattern)),
      )
      .sort(compareMatches)
      .map(({ id }) => id);
  };

  test('each match comes once, the best first; none is missing or comes twice in small windows, also while books are added', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stockedBook, { maxLength: 30 }),
        fc.record({
          q,
          limit: fc.integer({ min: 1, max: 8 }),
          bounds: fc.record({
            windowSize: fc.integer({ min: 1, max: 6 }),
            search: fc.record({
              fewMatches: fc.integer({ min: 1, max: 6 }),
              readableBooks: fc.record({
                newestFirst: fc.integer({ min: 2, max: 12 }),
                byTitleOrPrice: fc.constant(2),
              }),
            }),
          }),
        }),
        fc.array(q, { maxLength: 5 }),
        stockedBook,
        async (books, search, others, added) => {
          await database.db.deleteFrom('books').execute();
          const stocked = await stock(books);
          const { bounds: _, ...one } = search;
          for (const unbounded of [one, ...others.map((q) => ({ ...one, q }))]) {
            const pages = await pagesOf(unbounded);
            expect(pages.flat(), JSON.stringify(unbounded)).toEqual(expectedIds(stocked, unbounded.q));
            for (const page of pages) expect(page.length).toBeLessThanOrEqual(one.limit);
          }

          let toAdd = 3;
          const pages = await pagesOf(search, async () => {
            toAdd -= 1;
            if (toAdd >= 0) await addBook(database.db, added, null);
          });

          const listed = pages.flat();
          expect(new Set(listed).size, JSON.stringify(search)).toBe(listed.length);
          const found = listed.filter((id) => stocked.has(id));
          expect(found.sort(), JSON.stringify(search)).toEqual(expectedIds(stocked, search.q).sort());
        },
      ),
      {
        numRuns: examplesOf(80),
        // Read again, the only window has more matches than the index is asked for.
        examples: [
          [
            [book('thriver the'), book('U.S.A.', 'the river'), { ...book('of'), keywords: 'the' }],
            {
              q: 'the',
              limit: 1,
              bounds: {
                windowSize: 3,
                search: { fewMatches: 3, readableBooks: { newestFirst: 2, byTitleOrPrice: 2 } },
              },
            },
            [],
            book('the'),
          ],
        ],
      },
    );
  });
});
