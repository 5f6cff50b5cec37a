import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { searchPatterns, searchTextOf } from '../search/search-text.ts';
import { authorSortOf, titleSortOf } from '../search/sort-keys.ts';
import { plansOf } from '../testing/plans.ts';
import { examplesOf, setUpSharedDatabase } from '../testing/test-database.ts';
import { type ListOrder, listBooks, orderedBooks, type PriceRange } from './book-list.ts';
import { addBook, findForSale, findPosition, type ListedBookForSale } from './books.ts';

const database = setUpSharedDatabase();

type StockedBook = BookDetails & { isRemoved: boolean };

/** Fills the empty catalogue, and updates the planner's statistics. @returns the books for sale, the oldest first. */
async function stock(books: readonly StockedBook[]): Promise<ListedBookForSale[]> {
  const { db } = database;
  const forSale: ListedBookForSale[] = [];
  for (const { isRemoved, ...details } of books) {
    const { id } = await addBook(db, details, null);
    if (isRemoved) await db.updateTable('books').set({ removed_at: 1 }).where('id', '=', id).execute();
    forSale.push(...(await findForSale(db, [id])));
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
  max: { found: number; order: number };
  prices?: PriceRange | undefined;
};

/** @returns every page of a search. */
async function pagesOf({ q, sort, limit, max, prices }: Search): Promise<ListedBookForSale[][]> {
  const patterns = searchPatterns(q);
  const pages: ListedBookForSale[][] = [];
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? undefined : await findPosition(database.db, cursor);
    const page = await listBooks(database.listDb, { sort, limit, patterns, prices, after }, max);
    if (page.nextCursor !== undefined && page.nextCursor === cursor) throw new Error('the list does not end');
    cursor = page.nextCursor;
    pages.push(page.books);
  } while (cursor !== undefined);
  return pages;
}

/** @param books the oldest first. @returns the books that a search must find, in the order of the search. */
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
    max: fc.record({ found: fc.integer({ min: 1, max: 6 }), order: fc.integer({ min: 2, max: 12 }) }),
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

            const ids = (books: readonly { id: string }[]) => books.map(({ id }) => id);
            expect(ids(pages.flat()), JSON.stringify(one)).toEqual(ids(expectedBooks(forSale, one)));
            for (const page of pages) expect(page.length).toBeLessThanOrEqual(one.limit);
          }
        },
      ),
      { numRuns: examplesOf(40) },
    );
  });
});

test('few matches are found on one page, wherever they are; for more, a search reads a limited number of books for a page', async () => {
  const titled = (length: number, title: string, priceCents?: number) =>
    Array.from({ length }, (_, index) => book(`${title} ${index}`, priceCents));
  await stock([
    ...titled(5, 'Zebra', 999),
    ...titled(1, 'Yak', 700),
    ...titled(20, 'Atlas'),
    ...titled(1, 'Yak', 900),
  ]);

  for (const sort of ['newest', 'title', 'author', 'price'] as const) {
    const few = { q: '', sort, limit: 200, max: { found: 3, order: 2 } };
    const sizes = async (search: Partial<Search>) =>
      (await pagesOf({ ...few, ...search })).map(({ length }) => length);
    expect(await sizes({ q: 'yak' }), sort).toEqual([2]);
    // No book has these two words together.
    expect(await sizes({ q: 'zebra atlas' }), sort).toEqual([0]);
    expect(await sizes({ prices: { minCents: 600, maxCents: 900 } }), sort).toEqual([2]);
  }
  for (const many of [
    { q: 'zebra', sort: 'title' },
    { q: 'zebra', sort: 'price' },
    { q: '', sort: 'newest', prices: { minCents: 950, maxCents: 999 } },
  ] as const) {
    const pages = await pagesOf({ ...many, limit: 5, max: { found: 3, order: 8 } });

    // There are 27 books, at most eight on a page; the five that match are the last ones.
    expect(pages.slice(0, 2), JSON.stringify(many)).toEqual([[], []]);
    expect(pages.flat()).toHaveLength(5);
  }
});

const position = { seq: 5, titleSort: 'm', authorSort: 'm', priceCents: 150 };
const prices = { minCents: 100, maxCents: 200 };

test('an index yields the page of each order, from its start or a place on, without a sort', async () => {
  await stock(Array.from({ length: 20 }, (_, index) => book(`Atlas ${index}`, 10 * index)));
  const columns = {
    title: 'title_sort',
    author: 'author_sort',
    price: 'price_cents',
    'price-desc': 'price_cents',
  };
  for (const [sort, column] of Object.entries(columns)) {
    for (const range of [
      {},
      { after: position },
      ...(column === 'price_cents' ? [{ prices }, { prices, after: position }] : []),
    ]) {
      const query = { limit: 3, ...range };
      const compiled = orderedBooks(database.db, { ...query, sort: sort as ListOrder }).compile();
      const [plan] = await plansOf(database.db, [compiled]);

      expect(plan, sort).toContain(`books_for_sale_by_${sort.split('-')[0]}`);
      expect(plan, sort).not.toMatch(/(?<!_)sort|temp b-tree/i);
      // The plan reads the index from the page's position, and not from the start.
      if (Object.keys(range).length > 0) {
        expect(plan, sort).toMatch(new RegExp(`(Index Cond|SEARCH).*${column}`));
      }
    }
  }
});
