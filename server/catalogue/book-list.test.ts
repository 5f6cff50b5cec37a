import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { searchPatterns, searchTextOf } from '../search/search-text.ts';
import { authorSortOf, titleSortOf } from '../search/sort-keys.ts';
import { plansOf } from '../testing/plans.ts';
import { examplesOf, setUpSharedDatabase } from '../testing/test-database.ts';
import { listedColumns } from './book-columns.ts';
import { type ListOrder, listBooks, orderedBooks, type PriceRange, type SearchBounds } from './book-list.ts';
import { addBook, findPosition, type ListedBookForSale } from './books.ts';

const database = setUpSharedDatabase();

type StockedBook = BookDetails & { isRemoved: boolean };

/** Fills the empty catalogue, and lets the planner know it. @returns the books for sale, the oldest first. */
async function stock(books: readonly StockedBook[]): Promise<ListedBookForSale[]> {
  const { db } = database;
  const forSale: ListedBookForSale[] = [];
  for (const { isRemoved, ...details } of books) {
    const { isbn: _isbn, description: _description, ...book } = await addBook(db, details, null);
    if (isRemoved) await db.updateTable('books').set({ removed_at: 1 }).where('id', '=', book.id).execute();
    else forSale.push(book);
  }
  await sql`analyze`.execute(db);
  return forSale;
}

const book = (title: string, priceCents = 100): StockedBook => ({
  title,
  author: 'N N',
  image: 'https://covers.example/1.jpg',
  priceCents,
  isRemoved: false,
});

type Search = {
  q: string;
  sort: ListOrder;
  limit: number;
  bounds: SearchBounds;
  prices?: PriceRange | undefined;
};

/** @returns every page of a search. */
async function pagesOf({ q, sort, limit, bounds, prices }: Search): Promise<ListedBookForSale[][]> {
  const patterns = searchPatterns(q);
  const pages: ListedBookForSale[][] = [];
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? undefined : await findPosition(database.db, cursor);
    const page = await listBooks(database.listDb, { sort, limit, patterns, prices, after }, bounds);
    if (page.nextCursor !== undefined && page.nextCursor === cursor) throw new Error('the list does not end');
    cursor = page.nextCursor;
    pages.push(page.books);
  } while (cursor !== undefined);
  return pages;
}

/** @param books the oldest first. @returns those that a search must find, in its order. */
function expectedBooks(
  books: readonly ListedBookForSale[],
  { q, sort, prices = { minCents: 0, maxCents: 999 } }: Search,
): ListedBookForSale[] {
  const patterns = searchPatterns(q);
  const matching = books.filter(
    (one) =>
      patterns.every((pattern) => searchTextOf(one).includes(pattern)) &&
      one.priceCents >= prices.minCents &&
      one.priceCents <= prices.maxCents,
  );
  const byText = (textOf: (book: ListedBookForSale) => string) =>
    matching.toSorted((one, other) => Buffer.compare(Buffer.from(textOf(one)), Buffer.from(textOf(other))));
  const byPrice = matching.toSorted((one, other) => one.priceCents - other.priceCents);
  return {
    newest: matching.toReversed(),
    title: byText(({ title }) => titleSortOf(title)),
    author: byText(({ author }) => authorSortOf(author)),
    price: byPrice,
    'price-desc': byPrice.toReversed(),
  }[sort];
}

describe('over all pages of a search, in each order and whatever its limits', () => {
  const words = ['the', 'river', 'of', 'Émile', '川', '𐐀-zoo', 'thriver'];
  const textOf = (maxLength: number) =>
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength }).map((parts) => parts.join(' '));
  const stockedBook = fc.record({
    title: textOf(8),
    author: fc.constantFrom('Ada', 'Émile Zola', 'the river'),
    image: fc.constant('https://covers.example/1.jpg'),
    priceCents: fc.integer({ min: 0, max: 3 }),
    isRemoved: fc.nat(4).map((number) => number === 0),
  });
  const search = fc.record({
    q: fc.oneof(
      { arbitrary: textOf(2), weight: 6 },
      { arbitrary: textOf(6), weight: 3 },
      fc.constantFrom('', 'theriver', 'r', 'of t'),
    ),
    sort: fc.constantFrom<ListOrder>('newest', 'title', 'author', 'price', 'price-desc'),
    prices: fc.option(
      fc.record({ minCents: fc.integer({ min: 0, max: 4 }), maxCents: fc.integer({ min: 0, max: 4 }) }),
      { nil: undefined },
    ),
    limit: fc.integer({ min: 1, max: 6 }),
    bounds: fc.record({
      fewMatches: fc.integer({ min: 1, max: 6 }),
      readableBooks: fc.record({
        newestFirst: fc.integer({ min: 2, max: 12 }),
        byTitleOrPrice: fc.integer({ min: 2, max: 12 }),
      }),
    }),
  });

  test('each match comes once, in order, and nothing else', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stockedBook, { maxLength: 30 }),
        fc.array(search, { minLength: 8, maxLength: 8 }),
        async (books, searches) => {
          await database.db.deleteFrom('books').execute();
          const forSale = await stock(books);
          for (const one of searches) {
            const pages = await pagesOf(one);

            expect(pages.flat(), JSON.stringify(one)).toEqual(expectedBooks(forSale, one));
            for (const page of pages) expect(page.length).toBeLessThanOrEqual(one.limit);
          }
        },
      ),
      { numRuns: examplesOf(40) },
    );
  });
});

describe('a search with more matches than are sorted', () => {
  const bounds = { fewMatches: 3, readableBooks: { newestFirst: 8, byTitleOrPrice: 8 } };
  const others = Array.from({ length: 20 }, (_, index) => book(`Atlas ${index}`));
  const matches = Array.from({ length: 5 }, (_, index) => book(`Zebra ${index}`, 999));

  test.each(['title', 'price'] as const)(
    'reads a limited number of books for a page in the order of %s',
    async (sort) => {
      await stock([...matches, ...others]);

      const pages = await pagesOf({ q: 'zebra', sort, limit: 5, bounds });

      // 25 books, at most eight at a time; the matches begin at the 21st.
      expect(pages.slice(0, 2)).toEqual([[], []]);
      expect(pages.flat()).toHaveLength(matches.length);
    },
  );

  test('fills its page at once when the matches are adjacent', async () => {
    await stock([...matches, ...others]);

    const pages = await pagesOf({ q: 'atlas', sort: 'title', limit: 4, bounds });

    expect(pages.map((page) => page.length)).toEqual([4, 4, 4, 4, 4, 0]);
  });
});

test('a search with few matches finds them on one page, wherever they are in its order', async () => {
  const bounds = { fewMatches: 3, readableBooks: { newestFirst: 2, byTitleOrPrice: 2 } };
  await stock([
    book('Zebra 1'),
    ...Array.from({ length: 20 }, (_, index) => book(`Atlas ${index}`)),
    book('Zebra 2'),
    book('Zoo 3', 900),
  ]);

  for (const sort of ['newest', 'title', 'price'] as const) {
    const [page = [], ...more] = await pagesOf({ q: 'zebra', sort, limit: 200, bounds });
    expect(page).toHaveLength(2);
    expect(more).toEqual([]);
  }
});

test('a search for words that are common, but never together, finds nothing on one page', async () => {
  const bounds = { fewMatches: 3, readableBooks: { newestFirst: 4, byTitleOrPrice: 4 } };
  const every = (count: number, title: string) => Array.from({ length: count }, () => book(title));
  await stock([...every(20, 'the river'), ...every(20, 'der Fluss')]);

  for (const sort of ['newest', 'title', 'price'] as const) {
    expect(await pagesOf({ q: 'river fluss', sort, limit: 200, bounds })).toEqual([[]]);
  }
});

test('few books of a price are found on one page, wherever they are in the order', async () => {
  const bounds = { fewMatches: 3, readableBooks: { newestFirst: 2, byTitleOrPrice: 2 } };
  await stock([
    book('First', 700),
    ...Array.from({ length: 20 }, (_, index) => book(`Atlas ${index}`)),
    book('Last', 900),
  ]);
  const prices = { minCents: 600, maxCents: 900 };

  for (const sort of ['newest', 'title', 'author'] as const) {
    const [page = [], ...more] = await pagesOf({ q: '', sort, limit: 200, bounds, prices });
    expect(page).toHaveLength(2);
    expect(more).toEqual([]);
  }
});

test('many books of a price are read a limited number for a page', async () => {
  const bounds = { fewMatches: 3, readableBooks: { newestFirst: 8, byTitleOrPrice: 8 } };
  await stock([
    ...Array.from({ length: 5 }, (_, index) => book(`Zebra ${index}`, 999)),
    ...Array.from({ length: 20 }, (_, index) => book(`Atlas ${index}`)),
  ]);

  const pages = await pagesOf({
    q: '',
    sort: 'newest',
    limit: 5,
    bounds,
    prices: { minCents: 900, maxCents: 999 },
  });

  expect(pages.slice(0, 2)).toEqual([[], []]);
  expect(pages.flat()).toHaveLength(5);
});

const position = { seq: 5, titleSort: 'm', authorSort: 'm', priceCents: 150 };
const prices = { minCents: 100, maxCents: 200 };

test.each([
  { sort: 'title' },
  { sort: 'title', after: position },
  { sort: 'author' },
  { sort: 'author', after: position },
  { sort: 'price', prices },
  { sort: 'price', prices, after: position },
  { sort: 'price-desc' },
  { sort: 'price-desc', after: position },
  { sort: 'price-desc', prices, after: position },
] as const)('an index yields the page of %o, without a sort', async ({ sort, ...range }) => {
  await stock(Array.from({ length: 20 }, (_, index) => book(`Atlas ${index}`, 10 * index)));
  const query = { sort, limit: 3, columns: listedColumns, prices: undefined, after: undefined, ...range };
  const [plan] = await plansOf(database.db, [orderedBooks(database.db, query).compile()]);

  const column = {
    title: 'title_sort',
    author: 'author_sort',
    price: 'price_cents',
    'price-desc': 'price_cents',
  };
  expect(plan).toContain(`books_for_sale_by_${sort.split('-')[0]}`);
  expect(plan).not.toMatch(/(?<!_)sort|temp b-tree/i);
  // The page begins in the index, and not at its start.
  if (range && Object.keys(range).length > 0)
    expect(plan).toMatch(new RegExp(`(Index Cond|SEARCH).*${column[sort]}`));
});
