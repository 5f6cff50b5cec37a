import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { openReadiness } from '../../operations/readiness.ts';
import { openCuttableConnection } from '../../testing/cuttable-connection.ts';
import { endsWithTest, forThisTest } from '../../testing/ends-with-test.ts';
import { startReplicatedPostgres } from '../../testing/postgres-server.ts';
import { createStoreDatabase, createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase, openUnlimited } from '../open.ts';
import type { Db } from '../tables.ts';
import { BusyError } from '../unavailable.ts';
import type { PostgresSettings } from './pools.ts';

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
  test('a list ends at the limit for reads on the server too, a single read a second later for its caller, and its connection with it', async () => {
    const { db, listDb } = await open({ poolSize: 2, readTimeoutMs: 200, statementTimeoutMs: 60_000 });

    await expect(sleep(listDb, 10)).rejects.toMatchObject({ code: '57014' });
    await expect(sleep(db, 60)).rejects.toThrow('Query read timeout');
    await sleep(db, 0);
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
    const [holder, watcher] = [
      await openUnlimited(testDatabase.settings),
      await openUnlimited(testDatabase.settings),
    ];
    for (const db of [holder, watcher]) endsWithTest(() => db.destroy());
    const opening = await holder.transaction().execute(async (db) => {
      await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(db);
      const opening = open({ readTimeoutMs: 100, statementTimeoutMs: 100 });
      opening.catch(() => {});
      await untilOneWaits(watcher, 0.2);
      return { opening };
    });

    await expect(opening.opening).resolves.toBeDefined();
  });
});

test('a close does not wait for a server that hangs', async () => {
  const servers = await startReplicatedPostgres(0);
  endsWithTest(servers.stop);
  const { url } = servers.primary;
  const [idle, busy] = [await open({ url }), await open({ url, statementTimeoutMs: 60_000 })];
  await expect.poll(() => idle.catalogueVersion.version()).not.toBeNaN();
  sql`create table slept as select 1 from pg_sleep(60)`.execute(busy.db).catch(() => {});
  await expect.poll(() => runningStatements(idle.db, 'table slept')).toBe(1);
  await servers.primary.signal('SIGSTOP');

  await Promise.all([idle.close(), busy.close()]);
});

describe('pools', () => {
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

  test('what exceeds a queue of a hundred for each connection is refused at once, and the others are served', async () => {
    const { listDb } = await open({ poolSize: 5 });
    await sleep(listDb, 0);

    /** The error of each list, in the order in which they settle. */
    const errors: unknown[] = [];
    const list = () =>
      sleep(listDb, 0.01).then(
        () => errors.push(undefined),
        (error: unknown) => errors.push(error),
      );
    await Promise.all(Array.from({ length: 130 }, list));

    const refused = errors.filter((error) => error !== undefined);
    expect(errors.slice(0, refused.length)).toEqual(refused);
    expect(refused).toEqual(Array.from({ length: 30 }, () => expect.any(BusyError)));
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

test('a node whose connections are all in use is ready', async () => {
  const database = await open({ poolSize: 2, connectTimeoutMs: 60_000 });
  const { check } = openReadiness(database);
  const held = Promise.withResolvers<void>();
  const holding = [database.db, database.listDb].map((db) => db.transaction().execute(() => held.promise));

  await check();

  held.resolve();
  await Promise.all(holding);
});

test('a connection without a response is not used again', async () => {
  const connection = await openCuttableConnection(testDatabase.url);
  const { db } = await open({ url: connection.url, poolSize: 2, readTimeoutMs: 200 });
  await sleep(db, 0);
  connection.forget();

  await expect(sleep(db, 0)).rejects.toThrow('Query read timeout');
  await sleep(db, 0);
});

test('with a direct address nothing is set at the other one, and nothing prepared', async () => {
  const { url: directUrl } = settings();
  const { db } = await open({ directUrl, poolSize: 2 });
  await sql`select ${1}::int`.execute(db);

  const { rows } = await sql`
    select count(*) as prepared, current_setting('statement_timeout') as limit, current_setting('jit') as jit from pg_prepared_statements
  `.execute(db);
  expect(rows).toEqual([{ prepared: 0, limit: '0', jit: 'on' }]);
});
