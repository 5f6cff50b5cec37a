import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addBook, findBook } from '../catalogue/books.ts';
import { startSession } from '../sign-in/sessions.ts';
import { createTestDatabase, setUpTestDatabase } from '../testing/test-database.ts';
import { reader } from '../testing/test-store.ts';
import { batchedQuery } from './batched-query.ts';
import { migrations } from './migrations/index.ts';
import { BusyError } from './unavailable.ts';

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

test('simultaneous calls of a batched query get a row each, and an invalid one does not fail the others', async () => {
  const { db } = await open();
  const policy = { providerIssuer: reader.issuer, adminEmails: [], adminClaim: undefined };
  const { customerId: customer } = await startSession(db, reader, policy);
  const insertSession = batchedQuery({
    columns: { id_hash: 'text', customer_id: 'text', created_at: 'bigint' },
    key: 'id_hash',
    build: (db, items) =>
      db
        .insertInto('sessions')
        .columns(['id_hash', 'customer_id', 'created_at', 'last_seen_at'])
        .expression((sessions) =>
          sessions
            .selectFrom(items)
            .select(['id_hash', 'customer_id', 'created_at', 'created_at as last_seen_at'])
            .where('created_at', '>', 0),
        )
        .returning('id_hash'),
  });
  const insert = (id_hash: string, customer_id: string, created_at = 1) =>
    insertSession(db, { id_hash, customer_id, created_at });

  const results = await Promise.allSettled([
    insert('first', customer),
    insert('without customer', 'missing'),
    insert('filtered out', customer, 0),
    insert('with a NUL \u0000', customer),
    insert('last', customer),
  ]);

  expect(results).toMatchObject([
    { value: { id_hash: 'first' } },
    { status: 'rejected', reason: { message: expect.stringMatching(/foreign key/i) } },
    { value: undefined },
    // PostgreSQL's code, on both engines.
    { status: 'rejected', reason: { code: '22021' } },
    { value: { id_hash: 'last' } },
  ]);
});

test('calls of a batched query beyond a bound are rejected at once, and the others get their rows', async () => {
  const { db } = await open();
  const { id } = await addBook(db, { title: 'Emma', author: 'A', image: 'i', priceCents: 1 }, null);

  const results = await Promise.allSettled(Array.from({ length: 3_000 }, () => findBook(db, id)));

  const rejected = results.filter((result) => result.status === 'rejected');
  expect(rejected.length).toBeGreaterThan(0);
  for (const { reason } of rejected) expect(reason).toBeInstanceOf(BusyError);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value?.id] : []));
  expect(new Set(found)).toEqual(new Set([id]));
});
