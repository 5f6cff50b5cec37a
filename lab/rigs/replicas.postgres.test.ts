import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listBooks } from '../../server/catalogue/book-list.ts';
import { addBook } from '../../server/catalogue/books.ts';
import { type Database, openDatabase } from '../../server/database/open.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import { hasPgBouncer, pgBouncerIsMissing, startPgBouncer } from '../../server/testing/pgbouncer.ts';
import {
  createPostgresDatabase,
  runStatements,
  startReplicatedPostgres,
} from '../../server/testing/postgres-server.ts';
import { openTestStore, readJson } from '../../server/testing/test-store.ts';

type Servers = Awaited<ReturnType<typeof startReplicatedPostgres>>;

let sharedServers: Servers;
beforeAll(async () => {
  sharedServers = await startReplicatedPostgres(2);
});
afterAll(() => sharedServers.stop());

let servers: Servers;
let shop: string;
let opened: Database[];
let started: Servers[];
let messages: string[];
beforeEach(async () => {
  shop = `shop_${randomUUID().replaceAll('-', '')}`;
  opened = [];
  started = [];
  messages = [];
  servers = sharedServers;
  await createPostgresDatabase(servers.primary.url, shop);
});
afterEach(async () => {
  for (const database of opened) await database.close();
  await runStatements(first().url, 'select pg_wal_replay_resume()').catch(() => {});
  for (const servers of started) await servers.stop();
});

/** For a test after which the servers are no longer a primary and its replicas. */
const startOwnServers = async (replicaCount: number): Promise<Servers> => {
  const servers = await startReplicatedPostgres(replicaCount);
  started.push(servers);
  await createPostgresDatabase(servers.primary.url, shop);
  return servers;
};

/** The address of the shop's database on a server. */
const shopOn = ({ url }: { url: string }): string => url.replace(/postgres$/, shop);

const settings = (replicas: readonly { url: string }[], primary: { url: string } = servers.primary) =>
  readDatabaseSettings({
    DATABASE_URL: shopOn(primary),
    DATABASE_READ_URLS: replicas.map(shopOn).join(','),
    // Longer than a test: only the limits of replicas can end a list.
    DATABASE_CONNECT_TIMEOUT_MS: '60000',
    DATABASE_READ_TIMEOUT_MS: '60000',
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  });

const open = async (
  replicas: readonly { url: string }[],
  primary: { url: string } = servers.primary,
): Promise<Database> => {
  const database = await openDatabase(settings(replicas, primary), {
    onReplica: (message) => messages.push(message),
  });
  opened.push(database);
  return database;
};

const replicaOf = (index: number) => {
  const replica = servers.replicas[index];
  if (!replica) throw new Error(`there is no replica ${index}`);
  return replica;
};
const first = () => replicaOf(0);
const second = () => replicaOf(1);

const emma = { title: 'Emma', author: 'Jane Austen', image: 'https://covers.example/e.jpg', priceCents: 1 };

/** As a route does it. */
const add = async ({ db, catalogueVersion }: Database, title: string): Promise<void> => {
  await addBook(db, { ...emma, title }, null);
  catalogueVersion.recordLocalChange();
};

const newestTitle = async ({ listDb }: Database): Promise<string | undefined> =>
  (await listBooks(listDb, { sort: 'newest', limit: 1, patterns: [], after: undefined })).books[0]?.title;

/** @returns the port of the server that a list goes to. */
const servingPort = async ({ listDb }: Database): Promise<string> => {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(listDb);
  return String(rows[0]?.port);
};

const portOf = ({ url }: { url: string }): string => new URL(url).port;

const untilServedBy = (database: Database, server: { url: string }) =>
  expect.poll(() => servingPort(database), { interval: 20 }).toBe(portOf(server));

/** Expects the primary to serve each of some lists, with this book first. */
const expectListsOfPrimary = async (database: Database, title: string): Promise<void> => {
  const primaryPort = await servingPort({ ...database, listDb: database.db });
  for (let list = 0; list < 20; list += 1) {
    expect(await newestTitle(database)).toBe(title);
    expect(await servingPort(database)).toBe(primaryPort);
  }
};

/** Waits until no list goes to a replica. Expects this book first in each list until then, and in some of the primary after it. */
const untilUnused = async (database: Database, title: string, isUnused: () => boolean): Promise<void> => {
  const titles = new Set<string | undefined>();
  const isUnusedAfterList = async () => {
    titles.add(await newestTitle(database));
    return isUnused();
  };
  await expect.poll(isUnusedAfterList, { interval: 5 }).toBe(true);
  expect([...titles]).toEqual([title]);
  await expectListsOfPrimary(database, title);
};

const untilRefused = (database: Database, title: string, reason: string) =>
  untilUnused(database, title, () => messages.at(-1)?.includes(reason) === true);

test('lists go to a replica, and other statements to the primary', async () => {
  const database = await open([first()]);

  await untilServedBy(database, first());
  expect(await servingPort({ ...database, listDb: database.db })).toBe(portOf(servers.primary));
});

test('simultaneous lists are spread over the replicas', async () => {
  const database = await open([first(), second()]);
  await untilServedBy(database, first());

  const simultaneousPorts = async () =>
    new Set(await Promise.all(Array.from({ length: 10 }, () => servingPort(database))));
  await expect.poll(simultaneousPorts).toEqual(new Set([portOf(first()), portOf(second())]));
});

test('of 1,000 additions, each is in the list that follows it', async () => {
  const database = await open([first(), second()]);
  await untilServedBy(database, first());

  let missing = 0;
  let onReplicas = 0;
  for (let number = 0; number < 1_000; number += 1) {
    // The replicas fall behind now and then, for longer than a list takes.
    if (number % 100 === 50) await runStatements(first().url, 'select pg_wal_replay_pause()');
    if (number % 100 === 75) await runStatements(first().url, 'select pg_wal_replay_resume()');
    await add(database, `Book ${number}`);
    for (let list = 0; list < 4; list += 1) {
      if ((await newestTitle(database)) !== `Book ${number}`) missing += 1;
    }
    if ((await servingPort(database)) !== portOf(servers.primary)) onReplicas += 1;
  }

  expect(missing).toBe(0);
  expect(onReplicas).toBeGreaterThan(100);
}, 120_000);

test('a change by another node is in the list as soon as this node has heard of it', async () => {
  const database = await open([first()]);
  const other = await open([]);
  await untilServedBy(database, first());
  await runStatements(first().url, 'select pg_wal_replay_pause()');

  for (const title of ['Persuasion', 'Sanditon', 'Lady Susan']) {
    const version = database.catalogueVersion.version();
    await add(other, title);
    await expect.poll(() => database.catalogueVersion.version(), { interval: 1 }).not.toBe(version);
    expect(await newestTitle(database)).toBe(title);
  }
});

test('the pages of a store show each addition at once, while a replica lags', async () => {
  const store = await openTestStore({ database: settings([first()]) });
  opened.push(store.database);
  const cookie = await store.signIn();
  await untilServedBy(store.database, first());
  await runStatements(first().url, 'select pg_wal_replay_pause()');

  for (const title of ['Persuasion', 'Sanditon', 'Lady Susan']) {
    const book = { ...emma, title, price: { value: '1.00' } };
    const added = await store.call('/addBook', { method: 'POST', cookie, json: book });
    expect(added.status).toBe(201);
    for (const path of ['/books', `/books?q=${encodeURIComponent(title)}`]) {
      const titles = (await readJson<{ title: string }[]>(await store.call(path))).map(({ title }) => title);
      expect(titles[0]).toBe(title);
    }
  }
  await store.app.close();
});

describe('a replica', () => {
  test('that has not replayed the last change is not used until it has', async () => {
    const database = await open([first()]);
    await untilServedBy(database, first());
    await runStatements(first().url, 'select pg_wal_replay_pause()');
    await add(database, 'Persuasion');

    // Until the position of the change is known, lists go to the primary, and no replica is tried.
    await untilUnused(database, 'Persuasion', () => database.replicas()[0]?.isUsed === false);

    await runStatements(first().url, 'select pg_wal_replay_resume()');
    await untilServedBy(database, first());
    expect(await newestTitle(database)).toBe('Persuasion');
    expect(database.replicas()).toEqual([{ name: `127.0.0.1:${portOf(first())}`, isUsed: true }]);
  });

  test('that stops responding delays only the lists in progress', async () => {
    const database = await open([first()]);
    await add(database, 'Persuasion');
    await untilServedBy(database, first());
    messages = [];
    await first().signal('SIGSTOP');

    const titles = await Promise.all(Array.from({ length: 40 }, () => newestTitle(database)));
    expect(new Set(titles)).toEqual(new Set(['Persuasion']));
    const refusal = expect.stringContaining(`127.0.0.1:${portOf(first())} is not used for lists`);
    expect(messages).toEqual([refusal]);
    await expectListsOfPrimary(database, 'Persuasion');

    await first().signal('SIGCONT');
    await untilServedBy(database, first());
    expect(messages).toEqual([refusal, expect.stringContaining('is used for lists again')]);
  });

  test('that is killed fails no list', async () => {
    servers = await startOwnServers(2);
    const database = await open([first(), second()]);
    await add(database, 'Persuasion');
    await untilServedBy(database, first());

    const lists = Array.from({ length: 20 }, async () => {
      for (let list = 0; list < 50; list += 1) expect(await newestTitle(database)).toBe('Persuasion');
    });
    await first().signal('SIGKILL');
    await Promise.all(lists);

    await untilServedBy(database, second());
  });

  test('that was promoted is not used, whatever it has', async () => {
    servers = await startOwnServers(1);
    const database = await open([first()]);
    await untilServedBy(database, first());
    await runStatements(first().url, 'select pg_promote()');
    await runStatements(
      shopOn(first()),
      `insert into books (id, title, author, image, price_cents, search_text, title_sort, added_at)
       values ('x', 'Of the promoted server', 'x', 'x', 1, 'x', 'x', 1)`,
    );

    await add(database, 'Persuasion');
    await untilRefused(database, 'Persuasion', 'it is not a replica');
  });

  test('of a primary that was replaced is not used, although its log is longer', async () => {
    servers = await startOwnServers(2);
    const former = await open([first()]);
    await add(former, 'Before');
    await untilServedBy(former, first());
    await runStatements(first().url, 'select pg_promote()');
    for (let number = 0; number < 200; number += 1) await add(former, `Of the former primary ${number}`);

    const database = await open([second()], first());
    await add(database, 'Of the new primary');

    await untilRefused(database, 'Of the new primary', 'it does not follow the primary yet');
  });

  test('of another primary is not used, although its log is longer', async () => {
    const [other] = (await startOwnServers(1)).replicas;
    if (!other) throw new Error('there is no replica');
    const filler = await open([], (started[0] ?? servers).primary);
    for (let number = 0; number < 200; number += 1) await add(filler, `Of another shop ${number}`);

    const database = await open([other]);
    await add(database, 'Persuasion');

    await untilRefused(database, 'Persuasion', 'it has another database');
  });

  test('that accepts connections and never responds delays only the first lists', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const database = await open([{ url: `postgres://postgres@127.0.0.1:${port}/postgres` }]);

    await add(database, 'Persuasion');
    await untilRefused(database, 'Persuasion', `127.0.0.1:${port} is not used for lists`);

    await database.close();
    opened = [];
    silent.close();
  });

  test('that refuses all connections delays only the first lists', async () => {
    const role = `reader_${randomUUID().replaceAll('-', '')}`;
    await runStatements(servers.primary.url, `create role ${role} login connection limit 0`);
    const url = first().url.replace('postgres@', `${role}@`);
    const isThere = () => runStatements(url).then(String, (error: { code: string }) => error.code);
    await expect.poll(isThere).toBe('53300');

    const database = await open([{ url }]);
    await add(database, 'Persuasion');
    await untilRefused(database, 'Persuasion', 'is not used for lists');
  });

  test('behind a pooler is not used: the next transaction may run on another server', async ({ skip }) => {
    skip(!hasPgBouncer, pgBouncerIsMissing);
    const bouncer = await startPgBouncer(first().url, { mode: 'transaction' });
    onTestFinished(() => bouncer.stop());
    const database = await open([{ url: bouncer.urlOf(first().url) }]);
    await add(database, 'Persuasion');

    await untilRefused(database, 'Persuasion', 'it is a pooler');
  });

  test('that cannot be reached fails no list', async () => {
    const database = await open([{ url: 'postgres://postgres@127.0.0.1:1/postgres' }]);
    await add(database, 'Persuasion');

    await untilRefused(database, 'Persuasion', '127.0.0.1:1 is not used for lists');
  });
});
