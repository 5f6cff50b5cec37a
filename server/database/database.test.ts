import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase, setUpTestDatabase } from '../testing/test-database.ts';
import * as migrations from './migrations/index.ts';

const testDatabase = setUpTestDatabase(createTestDatabase);
const open = () => testDatabase.open();

test('several processes open an empty database at once: one migrates it and the others wait', async () => {
  const script = join(import.meta.dirname, '..', 'testing', 'open-and-close.ts');
  const exits = await Promise.all(
    Array.from({ length: 4 }, () => once(fork(script, [JSON.stringify(testDatabase.settings)]), 'exit')),
  );

  expect(exits).toEqual(Array.from({ length: 4 }, () => [0, null]));
  const { db } = await open();
  const recorded = await db.selectFrom('kysely_migration').select('name').execute();
  expect(recorded.map(({ name }) => name)).toEqual(Object.keys(migrations));
  expect(await db.selectFrom('books').selectAll().execute()).toEqual([]);
});

test('an error rolls the whole transaction back, and the next transaction works', async () => {
  const { db } = await open();
  const image = { id: 'i', width: 1, height: 1, created_at: 1 };
  const rendition = { image_id: 'missing', width: 240, bytes: Buffer.from('x') };

  await expect(
    db.transaction().execute(async (db) => {
      await db.insertInto('images').values(image).execute();
      await db.insertInto('image_renditions').values(rendition).execute();
    }),
  ).rejects.toThrow(/foreign key/i);

  expect(await db.selectFrom('images').selectAll().execute()).toEqual([]);
  await db.transaction().execute((db) => db.insertInto('images').values(image).execute());
  expect(await db.selectFrom('images').select('id').execute()).toEqual([{ id: 'i' }]);
});
