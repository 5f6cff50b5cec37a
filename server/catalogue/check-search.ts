import { sql } from 'kysely';
import { counted } from '../../contract/counted.ts';
import { collectFaults, type Finding } from '../database/findings.ts';
import { readPages } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { textColumnsOf, textsVersion } from '../search/text-columns.ts';
import { imageId, searchedColumns } from './book-columns.ts';

const pageSize = 500;

/** Checks what search and lists have of each book, and that its stored image exists. An admin may change books meanwhile. */
export async function checkSearch(db: Db, onShare: (share: number) => void): Promise<Finding> {
  const faults = collectFaults();
  const { last } = await db
    .selectFrom('books')
    .select(({ fn }) => fn.max('seq').as('last'))
    .executeTakeFirstOrThrow();
  let books = 0;
  let forSale = 0;
  for await (const page of readPages(checkedBooks(db), 'seq', pageSize)) {
    for (const book of page) {
      const fault = faultOf(book);
      if (fault) faults.add(`The book ${book.id} ${fault}.`);
    }
    books += page.length;
    forSale += page.filter(({ removed_at }) => removed_at === null).length;
    onShare(Number(page.at(-1)?.seq) / Number(last));
  }
  return faults.finding('search', `${counted(books, 'book')}, ${forSale.toLocaleString('en-GB')} for sale`);
}

const checkedBooks = (db: Db) =>
  db
    .selectFrom('books')
    .select(['seq', 'books.id', ...searchedColumns, 'removed_at'])
    .select(['search_text', 'title_key', 'author_key', 'title_sort', 'author_sort', 'is_indexed'])
    .select(lostImage.as('lostImage'));

const lostImage = sql<string | null>`case when image <> '' and image not like 'http%'
  and not exists (select 1 from images where images.id = ${imageId}) then ${imageId} end`;

type CheckedBook = Awaited<ReturnType<ReturnType<typeof checkedBooks>['execute']>>[number];

function faultOf(book: CheckedBook): string | undefined {
  if (book.lostImage !== null) return `has the image ${book.lostImage}, which is missing`;
  if (book.is_indexed !== textsVersion)
    return 'is not indexed for the search: a start of the store does that';
  const texts = Object.entries(textColumnsOf(book));
  const wrong = texts.find(([column, text]) => book[column as keyof CheckedBook] !== text)?.[0];
  return wrong && `has another ${wrong} than its texts make`;
}
