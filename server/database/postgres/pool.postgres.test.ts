import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { endsWithTest, forThisTest } from '../../testing/ends-with-test.ts';
import { runStatements, shopRole, startReplicatedPostgres } from '../../testing/postgres-server.ts';
import {
  asSuperuser,
  createStoreDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../testing/test-database.ts';
import { type Database, openDatabase } from '../open.ts';
import { openUnlimited } from '../open-unlimited.ts';
import type { Db } from '../tables.ts';
import { BusyError } from '../unavailable.ts';
import type { PostgresSettings } from './client.ts';

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createStoreDatabase();
});

const settings = (changes: Partial<PostgresSettings> = {}): PostgresSettings => {
  if (testDatabase.settings.engine !== 'postgres') throw new Error('this is a test of PostgreSQL');
  return { ...testDatabase.settings, ...changes };
};

const open = (changes?: Partial<PostgresSettings>): Promise<Database> =>
  forThisTest(openDatabase(settings(changes)));

const sleep = (db: Db, seconds: number) => sql`select pg_sleep(${seconds})`.execute(db);

const runningStatements = async (db: Db, text: string): Promise<number> => {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
      and query like ${`%${text}%`}`.execute(db);
  return rows.length;
};

/** Waits until exactly one statement has waited for a lock for this long. */
const untilOneWaits = (db: Db, seconds = 0) =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and clock_timestamp() - query_start > make_interval(secs => ${seconds})
      `.execute(db);
      return rows.length;
    })
    .toBe(1);

describe('time limits', () => {
  test('a list or a single read ends at the limit for reads, on the server too', async () => {
    const { db, listDb } = await open({ readTimeoutMs: 200, statementTimeoutMs: 60_000 });

    await expect(sleep(listDb, 10)).rejects.toMatchObject({ code: '57014' });
    await expect(sleep(db, 60)).rejects.toThrow();
    await expect.poll(() => runningStatements(db, 'pg_sleep')).toBe(0);
  });

  test('a write and a transaction may take longer than a read, up to the limit for statements', async () => {
    const { db } = await open({ readTimeoutMs: 300, statementTimeoutMs: 2_000 });
    const write = (id: string, seconds: number) =>
      sql`
      insert into sign_in_attempts (id, created_at) select ${id}, 1 from pg_sleep(${seconds})`.execute(db);

    await write('in time', 0.7);
    await db.transaction().execute(async (db) => sleep(db, 0.7));

    await expect(write('late', 60)).rejects.toMatchObject({ code: '57014' });
  });

  test('a start waits for the migration of another node for longer than any statement may take', async () => {
    testDatabase = await createTestDatabase();
    const [holder, watcher] = [openUnlimited(testDatabase.settings), openUnlimited(testDatabase.settings)];
    for (const { close } of [holder, watcher]) endsWithTest(close);
    const opening = await holder.db.transaction().execute(async (db) => {
      await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(db);
      const opening = open({ readTimeoutMs: 100, statementTimeoutMs: 100 });
      opening.catch(() => {});
      await untilOneWaits(watcher.db, 0.2);
      return { opening };
    });

    await expect(opening.opening).resolves.toBeDefined();
  });
});

test('a close does not wait for a server that hangs, and fails what it still runs', async () => {
  const servers = await startReplicatedPostgres(0);
  endsWithTest(servers.stop);
  const { url } = servers.primary;
  const [idle, busy] = [await open({ url }), await open({ url, statementTimeoutMs: 60_000 })];
  await expect.poll(() => idle.catalogueVersion.version()).not.toBeNaN();
  const error = sql`create table slept as select 1 from pg_sleep(60)`
    .execute(busy.db)
    .catch((error: unknown) => error);
  await expect.poll(() => runningStatements(idle.db, 'table slept')).toBe(1);
  // A close that waits for the server would wait for ever.
  await servers.primary.signal('SIGSTOP');

  await Promise.all([idle.close(), busy.close()]);

  expect(await error).toBeInstanceOf(Error);
});

describe('shares', () => {
  test('lists that wait for the server leave connections to other statements', async () => {
    const { db, listDb } = await open({ poolSize: 5 });
    const other = await open();
    let settledCount = 0;
    const lists = await other.db.transaction().execute(async (holder) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(holder);
      const lists = Array.from({ length: 8 }, () =>
        sql`select pg_advisory_xact_lock_shared(1)`.execute(listDb).finally(() => {
          settledCount += 1;
        }),
      );
      await untilOneWaits(other.db);

      await Promise.all(Array.from({ length: 40 }, () => sleep(db, 0.001)));

      expect(settledCount).toBe(0);
      return lists;
    });
    await Promise.all(lists);
  });

  test('lists beyond the queue are refused at once, and those in it are served', async () => {
    const { listDb } = await open({ poolSize: 5 });
    await sleep(listDb, 0);

    /** The error of each list, in the order in which they settle. */
    const errors: unknown[] = [];
    const list = () =>
      sleep(listDb, 0.01).then(
        () => errors.push(undefined),
        (error: unknown) => errors.push(error),
      );
    await Promise.all(Array.from({ length: 80 }, list));

    const refused = Array.from({ length: 29 }, () => expect.any(BusyError));
    const served = Array.from({ length: 51 }, () => undefined);
    expect(errors).toEqual([...refused, ...served]);
  });

  test('a request waits for a connection for no longer than the limit', async () => {
    const { db } = await open({ poolSize: 2, connectTimeoutMs: 400 });
    const held = Promise.withResolvers<void>();
    const holding = db.transaction().execute(() => held.promise);
    await expect(sleep(db, 0)).rejects.toThrow('timeout exceeded');
    held.resolve();
    await holding;
    await sleep(db, 0);
  });
});

test('a server that refuses more connections makes requests wait for free ones; if it refuses all, they fail in time', async () => {
  const role = `shop_${randomUUID().replaceAll('-', '')}`;
  const asOwner = (...statements: string[]) => runStatements(asSuperuser(testDatabase.url), ...statements);
  await asOwner(
    `create role ${role} login`,
    `do $$ begin execute format('alter database %I owner to ${role}', current_database()); end $$`,
    `grant all on schema public to ${role}`,
    `grant all on all tables in schema public to ${role}`,
    `grant all on all sequences in schema public to ${role}`,
  );
  endsWithTest(() =>
    asOwner(`reassign owned by ${role} to postgres`, `drop owned by ${role}`, `drop role ${role}`),
  );
  const limitConnections = (limit: number) => asOwner(`alter role ${role} connection limit ${limit}`);
  const url = testDatabase.url.replace(`${shopRole}@`, `${role}@`);
  const { db, listDb } = await open({ url, connectTimeoutMs: 2_000 });
  const connections = async (): Promise<number> =>
    (await sql`select 1 from pg_stat_activity where usename = current_user`.execute(db)).rows.length;
  await sql`select 1`.execute(db);
  await expect.poll(connections).toBe(3);

  // The listener's connection, that of its check, and three for requests.
  await limitConnections(5);
  const statements = Array.from({ length: 100 }, () => sleep(db, 0.005));
  const lists = Array.from({ length: 20 }, () => sleep(listDb, 0.005));
  await Promise.all([...statements, ...lists]);
  expect(await connections()).toBeLessThanOrEqual(5);

  await limitConnections(0);
  await asOwner(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  // The first requests may still get the connections that have just ended.
  await expect.poll(() => sleep(db, 0).catch(String)).toContain('timeout exceeded');
  const errors = await Promise.all(Array.from({ length: 10 }, () => sleep(db, 0).catch(String)));
  expect(new Set(errors)).toEqual(new Set(['Error: timeout exceeded when trying to connect']));
  await limitConnections(-1);
  await sleep(db, 0);
});
