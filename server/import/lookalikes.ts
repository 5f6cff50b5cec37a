/** Finds rows that add a book which the store has in other capital letters or spaces: it would be there twice. */

import { engineOf } from '../database/engine.ts';
import { readInTurn } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { authorKeyOf, titleKeyOf } from '../search/search-text.ts';
import type { ImportRow } from './check-row.ts';

type Named = { title: string; author: string };

/** Some titles have very many books. Not all of them are compared, so that the cost of a batch has an end. */
const maxCandidates = 10_000;
/** They arrive in one turn of the event loop. */
const maxFound = 1_000;

/** @returns by row the book for sale that is spelled like it. A row with an id says itself that it is another book. */
export async function findLookalikes(
  db: Db,
  rows: readonly ImportRow[],
): Promise<Map<ImportRow, Named & { id: string }>> {
  const nameless = rows.filter(({ id }) => id === undefined);
  const found = new Map<ImportRow, Named & { id: string }>();
  if (nameless.length === 0) return found;
  const keys = nameless.map(({ details }, position) => ({
    position,
    title_key: titleKeyOf(details.title),
    author_key: authorKeyOf(details.author),
  }));
  const items = engineOf(db).itemTable(JSON.stringify(keys), {
    position: 'bigint',
    title_key: 'text',
    author_key: 'text',
  });
  // By the title alone: SQLite would rather take the index of the authors, of whom some have a thousand books.
  const sameTitle = db
    .selectFrom('books')
    .innerJoin(items, 'item.title_key', 'books.title_key')
    .select(['position', 'id', 'title', 'author', 'books.author_key', 'item.author_key as wanted_key'])
    .where('removed_at', 'is', null)
    .limit(maxCandidates);
  const sameAuthor = db
    .selectFrom(sameTitle.as('same_title'))
    .select(['position', 'id', 'title', 'author'])
    .whereRef('author_key', '=', 'wanted_key')
    .limit(maxFound);
  const candidates = await readInTurn(() => sameAuthor.execute());
  const spellings = nameless.map(({ details }) => spellingOf(details));
  for (const { position, ...book } of candidates) {
    const row = nameless[Number(position)];
    if (row && spellings[Number(position)] === spellingOf(book)) found.set(row, book);
  }
  return found;
}

const spellingOf = ({ title, author }: Named): string =>
  JSON.stringify(
    [title, author].map((text) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()),
  );
