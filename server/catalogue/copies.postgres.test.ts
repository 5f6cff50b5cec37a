/** Tests that simultaneous changes of copies wait for each other, and that all of them end. */

import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { commandActor } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { importBooks } from '../import/import-books.ts';
import { emma, setUpTestStore } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { editBook } from './edit-book.ts';

const store = setUpTestStore();
const isLocked = async (db: Db) => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db);
  return rows.length > 0;
};
const importFile = (db: Db, text: string) =>
  importBooks(db, Readable.from([Buffer.from(text)]), {
    actor: commandActor,
    isDryRun: false,
    images: { keep: (image) => image },
  });
const edit = (db: Db, id: string) =>
  editBook(db, id, { title: 'Apple Zebra', copies: 0 }, { actor: commandActor, isExpected: () => true });

test.each([
  ['an edit', edit],
  [
    'an import',
    (db: Db, id: string) =>
      importFile(
        db,
        `id,title,author,price,image,copies\nnew,Zebra,A,1,${emma.image},1\n${id},Apple,A,1,${emma.image},0\n`,
      ),
  ],
])('%s of texts and copies waits for a word without one that comes after it', async (_, change) => {
  const { db } = store.database;
  const other = await store.openDatabaseAgain();
  await addBook(db, { ...emma, title: 'Zebra' }, null);
  const { id } = await addBook(db, { ...emma, title: 'Apple', author: 'A', copies: 1 }, null);

  const changed = await other.db.transaction().execute(async (holder) => {
    const lock = (word: string) =>
      sql`select from words where word = ${word} for update nowait`.execute(holder);
    await lock('apple');
    const changed = change(db, id);
    await expect.poll(() => isLocked(holder), { interval: 5 }).toBe(true);
    await lock('zebra');
    return { changed };
  });

  await changed.changed;
  expect(await store.call(`/book/${id}`).then((response) => response.json())).toMatchObject({
    soldOut: true,
  });
});
