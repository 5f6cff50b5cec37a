/** Finds rows that add a book which the store has in other capital letters or spaces: it would be there twice. */

import { itemTable } from '../../database/engine-differences.ts';
import { rowsPerTurn, takeTurn } from '../../database/row-turns.ts';
import type { Db } from '../../database/tables.ts';
import { titleKeyOf } from '../search-text.ts';
import type { ImportRow } from './check-row.ts';

type Named = { title: string; author: string };

/** Some titles have very many books. Not all of them are compared, so that the cost of a batch has an end. */
const maxCandidates = 10_000;

/** @returns by row the book for sale that is spelled like it. A row with an id says itself that it is another book. */
export async function findLookalikes(
  db: Db,
  rows: readonly ImportRow[],
): Promise<Map<ImportRow, Named & { id: string }>> {
  const nameless = rows.filter(({ id }) => id === undefined);
  const found = new Map<ImportRow, Named & { id: string }>();
  if (nameless.length === 0) return found;
  const keys = nameless.map(({ title }, position) => ({ position, title_key: titleKeyOf(title) }));
  const items = itemTable(db, JSON.stringify(keys), { position: 'bigint', title_key: 'text' });
  // By the title alone: SQLite would rather take the index of the authors, of whom some have a thousand books.
  const candidates = await db
    .selectFrom('books')
    .innerJoin(items, 'item.title_key', 'books.title_key')
    .select(['item.position', 'books.id', 'books.title', 'books.author'])
    .where('removed_at', 'is', null)
    .limit(maxCandidates)
    .execute();
  const spellings = nameless.map(spellingOf);
  for (const [index, { position, ...book }] of candidates.entries()) {
    const row = nameless[Number(position)];
    if (row && spellings[Number(position)] === spellingOf(book)) found.set(row, book);
    if ((index + 1) % rowsPerTurn === 0) await takeTurn();
  }
  return found;
}

const spellingOf = ({ title, author }: Named): string =>
  JSON.stringify(
    [title, author].map((text) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()),
  );
