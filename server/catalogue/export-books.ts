/** The books for sale as a CSV file, which an import takes. */

import { centsToAmount } from '../../contract/money.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import { rowsPerTurn, takeTurn } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { csvLine } from '../http/csv-line.ts';
import { csvColumns } from './csv-columns.ts';

type ExportOptions = {
  hasByteOrderMark?: boolean;
  /** Called with the number of books that each part of the file has. */
  onBooks?: (count: number) => void;
};

/**
 * Exports the books for sale, oldest first: added in this order, they have the same places. The memory for one page is enough.
 * @param readDb where the books are read. The audit trail is written to `db`, before the first of them.
 * @returns the text of the file in parts, none of them empty.
 */
export async function exportBooks(
  { db, readDb }: { db: Db; readDb: Db },
  actor: Actor,
  options: ExportOptions = {},
): Promise<AsyncGenerator<string>> {
  await recordActivity(db, 'books-exported', actor);
  return partsOf(readDb, options);
}

async function* partsOf(
  db: Db,
  { hasByteOrderMark = false, onBooks }: ExportOptions,
): AsyncGenerator<string> {
  yield `${hasByteOrderMark ? '\ufeff' : ''}${csvLine(csvColumns)}`;
  for (let after = 0; ; ) {
    const books = await db
      .selectFrom('books')
      .select(['seq', 'id', 'title', 'author', 'price_cents', 'image', 'keywords'])
      .where('removed_at', 'is', null)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsPerTurn)
      .execute();
    const last = books.at(-1);
    if (!last) return;
    await takeTurn();
    yield books
      .map(({ id, title, author, price_cents, image, keywords }) =>
        csvLine([id, title, author, centsToAmount(price_cents).toFixed(2), image, keywords ?? '']),
      )
      .join('');
    onBooks?.(books.length);
    after = last.seq;
  }
}
