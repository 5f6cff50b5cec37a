import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { commandActor, listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { lockBooks } from '../catalogue/copies.ts';
import { openDatabase } from '../database/open.ts';
import { readDatabaseSettings } from '../settings/settings.ts';
import { openCuttableConnection } from '../testing/cuttable-connection.ts';
import { forThisTest } from '../testing/ends-with-test.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { emma } from '../testing/test-store.ts';
import { importBooks } from './import-books.ts';
import { makeReady, writeRows } from './write-rows.ts';

test('an import locks the books of its rows in the order of their ids, as orders do', async () => {
  const { db } = await (await createStoreDatabase()).open();
  const books = await Promise.all(['A', 'B'].map((title) => addBook(db, { ...emma, title }, null)));
  const [first, last] = books.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  // Without the order the import would lock the book of an id first, whatever that is.
  const rows = [last, first].map((book, index) => {
    const details = { ...emma, title: book?.title ?? '', priceCents: 1 };
    const row = { line: index + 2, id: index === 0 ? book?.id : undefined, details };
    return { ...makeReady(row, undefined), bookId: book?.id };
  });
  const countWaiting = async () => {
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(db)).rows.length;
  };

  const imported = await db.transaction().execute(async (order) => {
    await lockBooks(order, [first?.id ?? '']);
    const importing = db.transaction().execute((db) => writeRows(db, rows, commandActor));
    await expect.poll(countWaiting).toBe(1);
    await lockBooks(order, [last?.id ?? '']);
    return { importing };
  });

  expect([...(await imported.importing).values()]).toEqual(['changed', 'changed']);
});

test('a commit whose answer is lost counts once, and the import goes on', async () => {
  const connection = await openCuttableConnection((await createStoreDatabase()).url);
  const { db } = await forThisTest(openDatabase(readDatabaseSettings({ DATABASE_URL: connection.url })));
  const rows = Array.from({ length: 300 }, (_, index) => `T${index},A,1,${emma.image}\n`);
  connection.faults.losesNextCommit = true;

  const result = await importBooks(
    db,
    Readable.from([Buffer.from(`title,author,price,image\n${rows.join('')}`)]),
    { actor: commandActor, isDryRun: false, readImage: (image) => ({ image, isMade: false }) },
  );

  const { entries } = await listActivity(db, { limit: 10 });
  const books = await db.selectFrom('books').select('id').execute();
  expect(result).toMatchObject({ added: 300, unchanged: 0 });
  expect(entries).toMatchObject([{ details: { added: 300, unchanged: 0, state: 'finished' } }]);
  expect(books).toHaveLength(300);
});
