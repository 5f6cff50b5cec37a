import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { StoreDialect } from '../database/postgres/dialect.ts';
import type { Db, Tables } from '../database/tables.ts';
import { claimDueMail } from '../mail/outbox.ts';
import { addDueOrders } from '../testing/due-orders.ts';
import { onEverySchedule } from '../testing/schedules.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { claimDueEvents } from '../webhooks/events.ts';

const clients: pg.Client[] = [];
let observer: pg.Client;
beforeAll(async () => {
  const { url } = await createStoreDatabase();
  const connect = async () => {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  };
  for (let count = 0; count < 3; count += 1) clients.push(await connect());
  observer = await connect();
});
afterAll(() => Promise.all([...clients, observer].map((client) => client.end())));

/** A node with one connection, without timers: those of a schedule come when it says so. */
const openNode = (client: pg.Client): Kysely<Tables> => {
  const connect = async () => Object.assign(client, { release() {} }) as unknown as pg.PoolClient;
  return new Kysely({ dialect: new StoreDialect({ pool: { connect, end: async () => {}, options: {} } }) });
};

const running = new Set<Promise<unknown>>();
const track = async <Result>(statement: Promise<Result>): Promise<Result> => {
  running.add(statement);
  return await statement.finally(() => running.delete(statement));
};
/** How many statements wait for a lock of another one. What it counts is granted before the statement that grants it has its answer. */
const countWaiting = async (): Promise<number> => {
  const waiting = await observer.query(
    'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
  );
  return waiting.rowCount ?? 0;
};
/** Goes on once each statement has its answer or waits for another one. */
const act = async (step: () => Promise<void>) => {
  await step();
  while (running.size > 0 && running.size > (await countWaiting())) {}
};

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
for (const [kind, claimDue] of [
  ['mail', claimDueMail],
  ['webhook', claimDueEvents],
] as const) {
  onEverySchedule(
    `each ${kind} is claimed by one node, also while others have claimed some and not committed`,
    async ({ turn, happens, check, play }) => {
      // A failure leaves transactions open.
      await Promise.all(clients.map((client) => client.query('rollback')));
      const nodes = clients.map(openNode);
      let working = nodes.length;
      const [now, claimed] = [Date.now(), [] as string[]];
      const claim = async (db: Db, limit: number) => {
        for (const { id } of await track<{ id: string }[]>(claimDue(db, { now, claimMs: 60_000, limit }))) {
          check(() => expect(claimed).not.toContain(id));
          claimed.push(id);
        }
      };
      const claimTwice = async (node: Kysely<Tables>) => {
        for (const part of ['first', 'second']) {
          const transaction = await track(node.startTransaction().execute());
          await turn(`the ${part} claim`);
          await claim(transaction, 2);
          await turn(`the ${part} commit`);
          await track(transaction.commit().execute());
        }
        working -= 1;
      };
      const [first] = nodes;
      if (!first) return;
      await addDueOrders(first, ids, now);
      for (const node of nodes) happens('a node begins', () => claimTwice(node));
      while (working > 0) await play();
      await claim(first, ids.length);

      expect(claimed.sort()).toEqual(ids);
    },
    { act, isSlow: true },
  );
}
