/** The books as the desk shows them: with their keywords, and with who deleted them and when. */

import { byField, type HiddenFieldName, hiddenFields } from '../../contract/book-fields.ts';
import type { DeskBook, DeskBooksQuery } from '../../contract/desk/books.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { isUuid } from '../../contract/uuid.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';
import { findBooks } from '../search/search.ts';
import { searchPatterns } from '../search/search-text.ts';
import { allColumns, presentBook } from './books.ts';

type DeskPage = { books: DeskBook[]; nextCursor: string | undefined };

/**
 * Lists a page of the books for sale, or of the deleted ones. An id that the store has made finds its book.
 * @throws {Problem} VALIDATION_FAILED for a cursor that no page has given out.
 */
export async function listDeskBooks(db: Db, { state, ...query }: DeskBooksQuery): Promise<DeskPage> {
  if (query.q !== undefined && isUuid(query.q)) {
    const book = await findDeskBook(db, query.q);
    const isListed = book && (book.removedAt !== null) === (state === 'deleted');
    if (isListed) return { books: [book], nextCursor: undefined };
  }
  return state === 'deleted' ? await listDeleted(db, query) : await listForSale(db, query);
}

/** Finds a book, also a deleted one. */
export const findDeskBook = async (db: Db, id: string): Promise<DeskBook | undefined> =>
  (await describeBooks(db, [id]))[0];

async function listForSale(db: Db, query: Omit<DeskBooksQuery, 'state'>): Promise<DeskPage> {
  const { books, nextCursor } = await findBooks(db, { ...query, spelling: 'as-typed' });
  return {
    books: await describeBooks(
      db,
      books.map(({ id }) => id),
    ),
    nextCursor,
  };
}

/** How many deleted books a page reads at most. They are in no index of the text. */
const maxRead = 5_000;

async function listDeleted(
  db: Db,
  { q = '', limit = maxPageSize, cursor }: Omit<DeskBooksQuery, 'state'>,
): Promise<DeskPage> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  let readBooks = db
    .selectFrom('books')
    .select(['id', 'seq', 'removed_at', 'search_text'])
    .where('removed_at', 'is not', null)
    .orderBy('removed_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(maxRead);
  if (after) {
    readBooks = readBooks.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('removed_at', 'seq'), '<', tuple(after.removedAt, after.seq)),
    );
  }
  const read = db.selectFrom(readBooks.as('books'));
  const found = await read
    .select(['id', 'seq', 'removed_at as removedAt'])
    .where(engineOf(db).hasPatterns(searchPatterns(q)))
    .orderBy('removed_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  const page = found.slice(0, limit);
  // After a page that is not full the next one continues behind the last book that was read.
  const last =
    found.length > limit
      ? page.at(-1)
      : await read
          .select(['seq', 'removed_at as removedAt'])
          .orderBy('removed_at', 'desc')
          .orderBy('seq', 'desc')
          .offset(maxRead - 1)
          .limit(1)
          .executeTakeFirst();
  return {
    books: await describeBooks(
      db,
      page.map(({ id }) => id),
    ),
    nextCursor: last && `${last.removedAt}.${last.seq}`,
  };
}

function readCursor(cursor: string): { removedAt: number; seq: number } {
  const [, removedAt, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (removedAt === undefined || seq === undefined) {
    throw fieldProblem('cursor', 'Take it from the Link header of a page.');
  }
  return { removedAt: Number(removedAt), seq: Number(seq) };
}

/** @returns the books of these ids, in their order; without those that there are not. */
async function describeBooks(db: Db, ids: readonly string[]): Promise<DeskBook[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('books')
    .leftJoin('customers', (join) =>
      join.onRef('customers.id', '=', 'books.removed_by').on('customers.erased_at', 'is', null),
    )
    .select(['books.id', ...allColumns, 'added_at', 'removed_at', 'removed_by', 'version', 'customers.email'])
    .where('books.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { added_at, removed_at, removed_by, version, email } = row;
    return {
      ...presentBook(row),
      ...byField<Pick<DeskBook, HiddenFieldName>>(hiddenFields, ({ property }) => row[property]),
      addedAt: timeText(added_at),
      removedAt: timeOrNull(removed_at),
      // It stays when the book is restored.
      removedBy: removed_at === null ? null : removerOf(removed_by, email),
      version,
    };
  });
}

/** @param removedBy as `actorId` writes it. */
function removerOf(removedBy: string | null, email: string | null): DeskBook['removedBy'] {
  if (removedBy?.startsWith(':')) return { token: removedBy.slice(1) };
  return email === null ? null : { email };
}
