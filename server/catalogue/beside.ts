import { sql } from 'kysely';
import type { BooksBeside } from '../../contract/book.ts';
import { subjectsOf } from '../../contract/subjects.ts';
import type { Db } from '../database/tables.ts';
import { subjectPattern } from '../search/search-text.ts';
import { apart } from './apart.ts';
import { isNotDeleted, listedColumns } from './book-columns.ts';
import { listBooks, type RankedBookForSale } from './book-list.ts';
import { booksForSale, findForSale, type ListedBookForSale, presentBook } from './books.ts';

const maxBooks = 12;
/** Limits: the most subjects that are searched, and the newest books that are read for each. */
const maxSubjects = 4;
const booksPerSubject = 60;

/**
 * The fewest customers who must have bought both books: a row says nothing about the purchases of one of them, nor, to one of two,
 * about those of the other.
 */
const minCustomers = 3;
/** How many orders of a book are looked at for what else their buyers bought. */
const newestOrders = 200;

/** The lifetime of a cached response: a purchase changes no version of the catalogue. */
export const besideLifetimeMs = 60 * 60 * 1000;

type Page = { id: string; seq: number; authorKey: string | null; keywords: string | null };

/** Finds the books for the page of another one, which may be sold out. @returns undefined for a deleted book and for none. */
export async function listBeside(db: Db, id: string): Promise<BooksBeside | undefined> {
  const page = await db
    .selectFrom('books')
    .select(['books.id', 'seq', 'author_key as authorKey', 'keywords'])
    .where('books.id', '=', id)
    .where(isNotDeleted)
    .executeTakeFirst();
  if (!page) return undefined;
  const byAuthor = await byAuthorOf(db, page).execute();
  const shown = new Set([id, ...byAuthor.map((book) => book.id)]);
  const beside: ListedBookForSale[] = [];
  // Each step runs only if the steps before it have left room.
  for (const find of [findOfSubjects, findBoughtWith, findNeighbours]) {
    if (beside.length === maxBooks) break;
    const more = (await find(db, page)).filter((book) => !shown.has(book.id));
    beside.push(...more.slice(0, maxBooks - beside.length));
    for (const book of beside) shown.add(book.id);
  }
  return { byAuthor: apart(byAuthor).map(presentBook), beside: apart(beside).map(presentBook) };
}

export const byAuthorOf = (db: Db, { id, authorKey }: Pick<Page, 'id' | 'authorKey'>) =>
  booksForSale(db)
    .select(listedColumns)
    .where('author_key', '=', authorKey || null)
    .where('books.id', '<>', id)
    .orderBy('seq', 'desc')
    .limit(maxBooks);

async function findOfSubjects(db: Db, { seq, keywords }: Page): Promise<ListedBookForSale[]> {
  const patterns = subjectsOf(keywords).slice(0, maxSubjects).map(subjectPattern);
  const found = new Map<string, RankedBookForSale>();
  for (const pattern of patterns) {
    const { books } = await listBooks(db, { sort: 'newest', limit: booksPerSubject, patterns: [pattern] });
    for (const book of books) found.set(book.id, book);
  }
  return [...found.values()]
    .map((book) => ({
      book,
      same: patterns.filter((pattern) => book.searchText.includes(pattern)).length,
      distance: Math.abs(book.seq - seq),
    }))
    .sort((one, other) => other.same - one.same || one.distance - other.distance)
    .map(({ book }) => book);
}

async function findBoughtWith(db: Db, { id }: Page): Promise<ListedBookForSale[]> {
  const { rows } = await boughtWith(id).execute(db);
  const ids = rows.map(({ bookId }) => bookId);
  return await findForSale(db, ids);
}

/** A query of the books that buyers of this one bought too, by id, most buyers first. A withdrawn or cancelled order is no purchase. */
export const boughtWith = (id: string) => sql<{ bookId: string }>`
  select book_id as "bookId" from orders
  where withdrawn_at is null and cancelled_at is null and book_id <> ${id} and customer_id in (
    select customer_id from orders where book_id = ${id} and withdrawn_at is null and cancelled_at is null order by id desc limit ${newestOrders}
  )
  group by book_id having count(distinct customer_id) >= ${minCustomers}
  order by count(distinct customer_id) desc, book_id limit ${2 * maxBooks}`;

async function findNeighbours(db: Db, { seq }: Page): Promise<ListedBookForSale[]> {
  const near = booksForSale(db)
    .select([...listedColumns, 'seq'])
    .limit(maxBooks);
  const [newer, older] = await Promise.all([
    near.where('seq', '>', seq).orderBy('seq').execute(),
    near.where('seq', '<', seq).orderBy('seq', 'desc').execute(),
  ]);
  return [...newer, ...older].sort((one, other) => Math.abs(one.seq - seq) - Math.abs(other.seq - seq));
}
