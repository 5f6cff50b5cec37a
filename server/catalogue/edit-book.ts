/** Changing a book: its id, its place in the list and its orders stay. */

import { centsToAmount } from '../../contract/money.ts';
import type { Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { type BookDetails, type BookVersion, bookColumns } from './books.ts';
import { foldText, searchColumnsOf } from './search-text.ts';
import { countWords } from './words.ts';

/** What changes; what is left out stays. Keywords of null: the book has none any more. */
export type BookEdit = Partial<BookDetails>;

/** What the columns of an edited book become. @returns those that depend on the texts too. */
export const editedColumns = ({ priceCents, ...texts }: BookDetails) => ({
  ...texts,
  keywords: texts.keywords ?? null,
  price_cents: priceCents,
  title_sort: foldText(texts.title),
  ...searchColumnsOf(texts),
});

/** @returns the names of the fields that a change gives another value, in alphabetical order. */
export function changedFields(book: BookDetails, edit: BookEdit): (keyof BookDetails)[] {
  const names = Object.keys(edit) as (keyof BookDetails)[];
  return names.filter((name) => edit[name] !== undefined && edit[name] !== book[name]).sort();
}

/** @returns for the audit trail, such as `{oldPrice: 12.99, newPrice: 10.99}`. */
const oldAndNew = (fields: readonly (keyof BookDetails)[], old: BookDetails, edited: BookDetails) =>
  Object.fromEntries(
    fields.flatMap((field): [string, string | number][] => {
      if (field === 'priceCents') {
        return [
          ['oldPrice', centsToAmount(old.priceCents)],
          ['newPrice', centsToAmount(edited.priceCents)],
        ];
      }
      const name = field.charAt(0).toUpperCase() + field.slice(1);
      return [
        [`old${name}`, old[field] ?? ''],
        [`new${name}`, edited[field] ?? ''],
      ];
    }),
  );

/** Whether the words of a book for sale are counted. Those of one that waits for its index may not be (indexing.ts). */
export const areWordsCounted = (book: { is_indexed: number | null; title_key: string | null }): boolean =>
  book.is_indexed !== null || book.title_key !== null;

/**
 * Changes a book for sale. A change to the values that it has is none: the version stays, and nothing is recorded.
 * @param isExpected whether the version that is there is the one that the change is based on.
 * @returns the book, or undefined for a removed one and for none.
 * @throws {Problem} BOOK_CHANGED when another version is there.
 */
export async function editBook(
  db: Db,
  id: string,
  edit: BookEdit,
  { actor, isExpected }: { actor: Actor; isExpected(book: BookVersion): boolean },
): Promise<BookVersion | undefined> {
  return await db.transaction().execute(async (db) => {
    for (;;) {
      const found = await db
        .selectFrom('books')
        .select([...bookColumns, 'version', 'keywords', 'is_indexed', 'title_key'])
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      if (!found) return undefined;
      if (!isExpected(found)) throw new Problem('BOOK_CHANGED');
      const fields = changedFields(found, edit);
      if (fields.length === 0) return found;
      const { title, author, image, priceCents, keywords } = found;
      const details = { title, author, image, priceCents, keywords, ...edit };
      const edited = await db
        .updateTable('books')
        .set({ ...editedColumns(details), version: found.version + 1 })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .where('version', '=', found.version)
        .where('is_indexed', found.is_indexed === null ? 'is' : '=', found.is_indexed)
        .returning([...bookColumns, 'version'])
        .executeTakeFirst();
      // Changed by another connection since it was read: PostgreSQL shows the next statement what is there now.
      if (!edited) continue;
      await recordActivity(db, 'book-edited', actor, {
        book: edited,
        details: {
          fields: fields.map((name) => (name === 'priceCents' ? 'price' : name)).join(', '),
          ...oldAndNew(fields, found, details),
        },
      });
      await countWords(db, { come: [details], leave: areWordsCounted(found) ? [found] : [] });
      return edited;
    }
  });
}
