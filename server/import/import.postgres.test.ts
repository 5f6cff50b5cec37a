import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { lockBooks } from '../catalogue/copies.ts';
import type { Db } from '../database/tables.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { emma } from '../testing/test-store.ts';
import { importBooks } from './import-books.ts';

const importFile = (db: Db, file: string) =>
  importBooks(db, Readable.from([Buffer.from(file)]), {
    actor: commandActor,
    isDryRun: false,
    images: { keep: (image) => image },
  });

test('an import locks the books of its rows in the order of their ids, as orders do', async () => {
  const { db } = await (await createStoreDatabase()).open();
  const books = await Promise.all(['A', 'B'].map((title) => addBook(db, { ...emma, title }, null)));
  const [first, last] = books.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  // Without sorted locks, the import would first lock the book of the row that has an id.
  const file = `id,title,author,price,image
${last?.id},${last?.title},${emma.author},1,${emma.image}
,${first?.title},${emma.author},1,${emma.image}
`;
  const countWaiting = async () => {
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(db)).rows.length;
  };

  const imported = await db.transaction().execute(async (order) => {
    await lockBooks(order, [first?.id ?? '']);
    const importing = importFile(db, file);
    await expect.poll(countWaiting).toBe(1);
    await lockBooks(order, [last?.id ?? '']);
    return { importing };
  });

  expect(await imported.importing).toMatchObject({ changed: 2, errorCount: 0 });
});
