import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { commandActor, listActivity } from '../activity/activity.ts';
import { openDatabase } from '../database/open.ts';
import { readDatabaseSettings } from '../settings/settings.ts';
import { openCuttableConnection } from '../testing/cuttable-connection.ts';
import { forThisTest } from '../testing/ends-with-test.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { importBooks } from './import-books.ts';

test('a commit whose answer is lost counts once, and the import goes on', async () => {
  const connection = await openCuttableConnection((await createStoreDatabase()).url);
  const { db } = await forThisTest(openDatabase(readDatabaseSettings({ DATABASE_URL: connection.url })));
  const rows = Array.from({ length: 300 }, (_, index) => `T${index},A,1,https://covers.example/a.jpg\n`);
  connection.loseNextCommit();

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
