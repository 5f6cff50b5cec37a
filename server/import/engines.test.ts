import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { emma } from '../testing/test-store.ts';
import { importBooks } from './import-books.ts';

const database = setUpSharedDatabase();

test('two imports of one file at the same time add each book once, and others change the catalogue meanwhile', async () => {
  const other = await database.openAgain();
  const rows = Array.from({ length: 300 }, (_, index) => `Import ${index},A,1,${emma.image}\n`);
  const file = Buffer.from(`title,author,price,image\n${rows.join('')}`);
  const addOwn = async () => {
    for (let index = 0; index < 30; index += 1) {
      await addBook(database.db, { ...emma, title: `Own ${index}`, author: 'A' }, commandActor);
    }
  };

  const [results] = await Promise.all([
    Promise.all(
      [database.db, other.db].map((db) =>
        importBooks(db, Readable.from([file]), {
          actor: commandActor,
          isDryRun: false,
          images: { keep: (image) => image },
        }),
      ),
    ),
    addOwn(),
  ]);

  const titles = await database.db.selectFrom('books').select('title').execute();
  expect([titles.length, new Set(titles.map(({ title }) => title)).size]).toEqual([330, 330]);
  expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(300);
  const words = await database.db.selectFrom('words').selectAll().where('books', '>', 0).execute();
  // The index counts "Import"; "Own" is too short.
  expect(words.map(({ word, books }) => [word, Number(books)])).toEqual([['import', 300]]);
});
