/** Finds rows that add a book which the store has in other capital letters or spaces: it would be there twice. */

import { itemTable } from '../../database/engine-differences.ts';
import type { Db } from '../../database/tables.ts';
import { authorKeyOf, titleKeyOf } from '../search-text.ts';
import type { ImportRow } from './check-row.ts';

type Named = { title: string; author: string };

/** @returns by row the book for sale that is spelled like it. A row with an id says itself that it is another book. */
export async function findLookalikes(
  db: Db,
  rows: readonly ImportRow[],
): Promise<Map<ImportRow, Named & { id: string }>> {
  const nameless = rows.filter(({ id }) => id === undefined);
  const found = new Map<ImportRow, Named & { id: string }>();
  if (nameless.length === 0) return found;
  const keys = nameless.map(({ title, author }, position) => ({
    position,
    title_key: titleKeyOf(title),
    author_key: authorKeyOf(author),
  }));
  const items = itemTable(db, JSON.stringify(keys), {
    position: 'bigint',
    title_key: 'text',
    author_key: 'text',
  });
  const candidates = await db
    .selectFrom('books')
    .innerJoin(items, (join) =>
      join.onRef('item.title_key', '=', 'books.title_key').onRef('item.author_key', '=', 'books.author_key'),
    )
    .select(['item.position', 'books.id', 'books.title', 'books.author'])
    .where('removed_at', 'is', null)
    .orderBy('seq')
    .execute();
  for (const { position, ...book } of candidates) {
    const row = nameless[Number(position)];
    if (row && spellingOf(row) === spellingOf(book)) found.set(row, book);
  }
  return found;
}

const spellingOf = ({ title, author }: Named): string =>
  JSON.stringify(
    [title, author].map((text) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()),
  );
