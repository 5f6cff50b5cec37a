import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { runStatements, startPostgres } from '../../server/testing/postgres-server.ts';
import { externalProvider, ServerStartError, startStore } from '../../server/testing/server-process.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '../../server/testing/test-database.ts';

let folder: string;
let logFile: string;
let cleanUp: (() => Promise<unknown>)[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  logFile = join(folder, 'store.log');
  cleanUp = [];
});
afterEach(async () => {
  for (const undo of cleanUp.reverse()) await undo();
  await rm(folder, { recursive: true });
});

const lines = async () => (await readFile(logFile, 'utf8').catch(() => '')).split('\n');
const linesWith = async (text: string) => (await lines()).filter((line) => line.includes(text));
const waitingLines = () => linesWith('for the database. ');
const firstWaitingLine = async () => {
  await expect.poll(waitingLines).toHaveLength(1);
  return JSON.parse((await waitingLines())[0] ?? '');
};

/** A database that a store has opened before. The test's end removes it. */
async function createUpToDateDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  cleanUp.push(() => database.remove());
  await (await openDatabase(database.settings)).close();
  return database;
}

const start = (databaseUrl: string, settings: Readonly<Record<string, string>> = {}) =>
  startStore({ ...externalProvider, DATABASE_URL: databaseUrl, ...settings }, { logFile });

const failToStart = (databaseUrl: string, settings: Readonly<Record<string, string>> = {}) =>
  start(databaseUrl, settings).then(
    () => expect.fail('the store started'),
    (error: unknown) => {
      if (!(error instanceof ServerStartError)) throw error;
      return error;
    },
  );

describe('a store whose database is not there', () => {
  test('waits for its server, logs it once, and opens when the server does', async () => {
    const port = await findFreePort();
    const starting = start(`postgres://postgres@127.0.0.1:${port}/postgres`);
    expect(await firstWaitingLine()).toMatchObject({
      level: 40,
      msg: `waiting up to 60 s for the database. DATABASE_URL: PostgreSQL at 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
    });

    const server = await startPostgres({ port });
    cleanUp.push(() => server.stop());
    const store = await starting;
    cleanUp.push(() => store.stop());

    expect((await fetch(`${store.origin}/books`)).status).toBe(200);
    // While PostgreSQL starts it may refuse a connection with a sentence of its own.
    const causes = (await waitingLines()).map((line) => JSON.parse(line).msg);
    expect(causes).toHaveLength(new Set(causes).size);
    expect(await linesWith('the database is available')).toHaveLength(1);
  });

  test('waits for a free connection', async () => {
    const database = await createTestDatabase();
    cleanUp.push(() => database.remove());
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    url.username = name;
    await runStatements(
      inject('postgresUrl'),
      `create user ${name} connection limit 0`,
      `alter database ${name} owner to ${name}`,
    );
    cleanUp.push(() => runStatements(inject('postgresUrl'), `drop user ${name}`));
    cleanUp.push(() => runStatements(inject('postgresUrl'), `alter database ${name} owner to postgres`));
    cleanUp.push(() => runStatements(asSuperuser(database.url), `reassign owned by ${name} to postgres`));
    const starting = start(url.href);
    expect((await firstWaitingLine()).msg).toContain('(too many connections for role');

    await runStatements(inject('postgresUrl'), `alter user ${name} connection limit -1`);

    const store = await starting;
    expect(await store.stop()).toEqual({ exitCode: 0, signal: null });
  });

  test('waits for a standby to take over, whose tables are up to date', async () => {
    const database = await createUpToDateDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const setReadOnly = (value: 'on' | 'off') =>
      runStatements(
        inject('postgresUrl'),
        `alter database ${name} set default_transaction_read_only = ${value}`,
      );
    await setReadOnly('on');
    const starting = start(database.url);
    expect((await firstWaitingLine()).msg).toMatch(/ is read-only, as a standby is\.$/);

    await setReadOnly('off');

    const store = await starting;
    expect(await store.stop()).toEqual({ exitCode: 0, signal: null });
  });

  describe('while another transaction holds a lock on the books', () => {
    let database: TestDatabase;
    let holder: pg.Client;
    beforeEach(async () => {
      database = await createUpToDateDatabase();
      holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
    });
    afterEach(() => holder.end().catch(() => {}));

    const hold = () => holder.query('begin; lock table books in access exclusive mode');
    const settings = { DATABASE_STATEMENT_TIMEOUT_MS: '300', DATABASE_READ_TIMEOUT_MS: '300' };

    test('waits for the lock', async () => {
      await hold();
      const starting = start(database.url, settings);
      await firstWaitingLine();

      await holder.query('commit');

      const store = await starting;
      expect(await store.stop()).toEqual({ exitCode: 0, signal: null });
    });

    test('gives up after START_TIMEOUT_MS, with one sentence', async () => {
      await hold();

      const { exitCode } = await failToStart(database.url, { ...settings, START_TIMEOUT_MS: '700' });

      expect(exitCode).toBe(1);
      expect((await lines()).filter((line) => !line.startsWith('{'))).toEqual([
        expect.stringMatching(
          /^DATABASE_URL: PostgreSQL at \S+ (did not carry out a statement|cannot be reached) \(.*\)\.$/,
        ),
        '',
      ]);
    });
  });

  test('gives up after START_TIMEOUT_MS, with one sentence', async () => {
    const { exitCode } = await failToStart('postgres://127.0.0.1:1/store', { START_TIMEOUT_MS: '700' });

    expect(exitCode).toBe(1);
    expect(await waitingLines()).toHaveLength(1);
    expect((await lines()).filter((line) => !line.startsWith('{'))).toEqual([
      'DATABASE_URL: PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED).',
      '',
    ]);
  });

  test('does not wait with START_TIMEOUT_MS=0', async () => {
    const { exitCode } = await failToStart('postgres://127.0.0.1:1/store', { START_TIMEOUT_MS: '0' });

    expect(exitCode).toBe(1);
    expect(await waitingLines()).toEqual([]);
  });

  test('does not wait for a database that the server does not have', async () => {
    const { exitCode } = await failToStart(new URL('/missing', inject('postgresUrl')).href);

    expect(exitCode).toBe(1);
    expect(await waitingLines()).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('stops waiting at once at a %s', async (signal) => {
    const starting = failToStart('postgres://127.0.0.1:1/store');
    const { pid } = await firstWaitingLine();

    process.kill(pid, signal);

    expect((await starting).exitCode).toBe(0);
  });
});
