/** The last copies of a book, which far more buyers want of two nodes, while processes are killed. */

import { beforeEach, expect, test } from 'vitest';
import { runShop } from '../../commands/testing/shop.ts';
import { paths } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { type Database, openDatabase } from '../../server/database/open.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import { openCuttableConnection } from '../../server/testing/cuttable-connection.ts';
import { endsWithTest } from '../../server/testing/ends-with-test.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import {
  createPostgresDatabase,
  runStatements,
  startReplicatedPostgres,
} from '../../server/testing/postgres-server.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { externalProvider, startStore } from '../../server/testing/server-process.ts';
import { createTestDatabase, isOnPostgres } from '../../server/testing/test-database.ts';
import { readJson } from '../../server/testing/test-store.ts';
import { openLog, type PurchaseLog, placeUntilAcknowledged } from '../failover/buyers.ts';
import { type Buyer, book, prepareStore } from '../failover/store-nodes.ts';

const buyerCount = 200;
const copies = 20;
const returned = 5;

/** `crash` kills something with SIGKILL. @returns what brings the store back. */
type Crash = () => Promise<() => Promise<void>>;

let databaseUrl: string;
let buyers: Buyer[];
let nodes: ServerProcess[];
let crashDatabase: Crash | undefined;
beforeEach(async () => {
  ({ databaseUrl, crashDatabase } = await (isOnPostgres() ? openWithStandby() : openFile()));
  buyers = await prepareStore(databaseUrl, buyerCount, copies);
  const ports = [await findFreePort(), await findFreePort()];
  nodes = await Promise.all(ports.map(startNode));
  endsWithTest(() => Promise.all(nodes.map((node) => node.kill())));
});

const openFile = async () => ({ databaseUrl: (await createTestDatabase()).url, crashDatabase: undefined });

/** The address leads to the primary. After a crash of that it leads to its standby, which has each acknowledged commit. */
async function openWithStandby(): Promise<{ databaseUrl: string; crashDatabase: Crash }> {
  const { primary, replicas, stop } = await startReplicatedPostgres(1, { isSynchronous: true });
  endsWithTest(stop);
  const standbyUrl = replicas[0]?.url ?? '';
  const connection = await openCuttableConnection(await createPostgresDatabase(primary.url, 'shop'));
  return {
    databaseUrl: connection.url,
    async crashDatabase() {
      await primary.signal('SIGKILL');
      await connection.cut();
      return async () => {
        await runStatements(standbyUrl, 'select pg_promote()');
        await connection.restore(standbyUrl);
      };
    },
  };
}

const startNode = (port: number): Promise<ServerProcess> =>
  // All buyers are one client.
  startStore({
    ...externalProvider,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  });

const crashNode =
  (index: number): Crash =>
  async () => {
    const node = nodeAt(index);
    await node.kill();
    return async () => {
      nodes[index] = await startNode(node.port);
    };
  };

const nodeAt = (index: number): ServerProcess => {
  const node = nodes[index % nodes.length];
  if (!node) throw new Error('there is no node');
  return node;
};

/** Each buyer has one key, and sends the first try to one node and the next to the other. */
const buyAll = (some: readonly Buyer[], log: PurchaseLog): Promise<unknown> =>
  Promise.all(
    some.map((buyer, index) => {
      const origins = [nodeAt(index).origin, nodeAt(index + 1).origin];
      return placeUntilAcknowledged(origins, buyer, buyer.email, log);
    }),
  );

const titlesOn = async ({ origin }: ServerProcess) =>
  (await readJson<{ title: string }[]>(await fetch(origin + paths.books))).map(({ title }) => title);

async function expectTitles(...titles: readonly string[]): Promise<void> {
  for (const node of nodes) await expect.poll(() => titlesOn(node)).toEqual(titles);
}

const codesOf = ({ rejections }: PurchaseLog) =>
  rejections.map((rejection) => /: 409 .*"code":"(\w+)"/.exec(rejection)?.[1] ?? rejection);

async function expectSold(logs: readonly PurchaseLog[], { db }: Database): Promise<void> {
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'idempotency_key as key', 'withdrawn_at as withdrawnAt'])
    .execute();
  const acknowledged = logs.flatMap((log) => [...log.acknowledged]);
  expect(orders.map(({ id, key }) => [key, id]).toSorted()).toEqual(acknowledged.toSorted());
  const taken = await db.selectFrom('orders').select('id').where('has_copy', '=', 1).execute();
  const kept = orders.filter(({ withdrawnAt }) => withdrawnAt === null);
  expect(taken.map(({ id }) => id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
  expect(kept).toHaveLength(copies);
  await expectTitles();
  expect(await runShop(['database', 'check'], { DATABASE_URL: databaseUrl })).toMatchObject({ exitCode: 0 });
}

test.each([2, 5, 9])(
  '200 buyers get the 20 copies once each, and 5 that come back once more, when crashes meet %i orders',
  { timeout: 240_000 },
  async (size) => {
    const log = openLog();
    const [first, second] = [buyers.slice(0, size), buyers.slice(size, 2 * size)];
    const buying: Promise<unknown>[] = [];
    const crashDuring = async (some: readonly Buyer[], crash: Crash) => {
      const before = log.acknowledged.size;
      buying.push(buyAll(some, log));
      await expect.poll(() => log.acknowledged.size, { interval: 1 }).toBeGreaterThan(before);
      return await crash();
    };

    const bringBack = await crashDuring(first, crashNode(0));
    await bringBack();
    const bringOtherBack = await crashDuring(second, crashDatabase ?? crashNode(1));
    buying.push(buyAll(buyers.slice(2 * size), log));
    await bringOtherBack();
    await Promise.all(buying);

    expect(log.acknowledged.size).toBe(copies);
    expect(codesOf(log)).toEqual(Array(buyerCount - copies).fill('SOLD_OUT'));
    const database = await openDatabase(readDatabaseSettings({ DATABASE_URL: databaseUrl }));
    endsWithTest(database.close);
    await expectSold([log], database);

    const withdrawals = [...log.acknowledged].slice(0, returned);
    let withdrawn = 0;
    const withdrawing = withdrawals.flatMap(([email, id]) => {
      const cookie = buyers.find((buyer) => buyer.email === email)?.cookie ?? '';
      return [0, 1].map(async (index) => {
        const withdraw = async () => {
          const { origin } = nodeAt(index);
          const response = await fetch(origin + withdrawalPaths.order(id), {
            method: 'POST',
            headers: { cookie },
          });
          return response.status;
        };
        await expect.poll(() => withdraw().catch(() => 'no response'), { timeout: 60_000 }).toBe(200);
        withdrawn += 1;
      });
    });
    await expect.poll(() => withdrawn, { interval: 1 }).toBeGreaterThan(0);
    const bringBackAgain = await crashNode(0)();
    await bringBackAgain();
    await Promise.all(withdrawing);

    expect(await database.db.selectFrom('stock').select('left').execute()).toEqual([{ left: returned }]);
    await expectTitles(book.title);
    const later = openLog();
    await buyAll(
      buyers.filter(({ email }) => !log.acknowledged.has(email)),
      later,
    );
    expect(later.acknowledged.size).toBe(returned);
    expect(codesOf(later)).toEqual(Array(buyerCount - copies - returned).fill('SOLD_OUT'));
    await expectSold([log, later], database);
  },
);
