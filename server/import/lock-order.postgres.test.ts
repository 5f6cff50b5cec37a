import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { lockBooks } from '../catalogue/copies.ts';
import type { Db } from '../database/tables.ts';
import { emma, setUpTestStore } from '../testing/test-store.ts';
import { makeReady, writeRows } from './write-rows.ts';

const store = setUpTestStore();

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db);
  return rows.length;
}

test('an import locks the books of its rows in the order of their ids, as orders do', async () => {
  const { db } = store.database;
  const [first = '', last = ''] = (
    await Promise.all(['A', 'B'].map((title) => addBook(db, { ...emma, title }, null)))
  )
    .map(({ id }) => id)
    .toSorted();
  const titles = new Map(
    (await db.selectFrom('books').select(['id', 'title']).execute()).map((book) => [book.id, book.title]),
  );
  // Without the order the import would lock the book of an id first, whatever that is.
  const rows = [
    { id: last, title: titles.get(last) ?? '' },
    { id: undefined, title: titles.get(first) ?? '' },
  ].map(({ id, title }, index) => {
    const row = { line: index + 2, id, details: { ...emma, title, priceCents: 1 } };
    return { ...makeReady(row, undefined), bookId: id ?? first };
  });

  const imported = await db.transaction().execute(async (order) => {
    await lockBooks(order, [first]);
    const importing = db.transaction().execute((db) => writeRows(db, rows, commandActor));
    await expect.poll(() => countWaiting(db)).toBe(1);
    await lockBooks(order, [last]);
    return { importing };
  });

  expect([...(await imported.importing).values()]).toEqual(['changed', 'changed']);
});
