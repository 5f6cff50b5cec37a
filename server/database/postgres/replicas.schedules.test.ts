import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { expect } from 'vitest';
import { onEverySchedule } from '../../testing/schedules.ts';
import { createCatalogueVersion } from '../catalogue-version.ts';
import type { Tables } from '../tables.ts';
import { BusyError } from '../unavailable.ts';
import { type Replica, StoreAdapter } from './dialect.ts';
import { openReadReplicas } from './replicas.ts';

type Execute = (query: Pick<CompiledQuery, 'sql'>) => Promise<{ rows: unknown[] }>;

/** A server's handle. */
const handleOf = (execute: Execute): Kysely<Tables> => {
  const driver = new DummyDriver();
  driver.acquireConnection = async () => ({
    executeQuery: execute as never,
    streamQuery: () => undefined as never,
  });
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new StoreAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
};

const list = sql<{ commits: number }>`select commits`;

onEverySchedule(
  'a list is not older than a change that its node had made or heard of, whatever the replicas have replayed',
  async ({ turn, happens, pick, play }) => {
    let [commits, announced, known] = [0, 0, 0];
    const version = createCatalogueVersion(() => announced);
    /** Lists read the server as it is when the statement runs; its answer comes later. */
    const server =
      (name: string, replayed: () => number, isReplica: boolean): Execute =>
      async (query) => {
        const isList = query.sql === 'select commits';
        await turn(`${name} runs ${isList ? 'a list' : 'a check'}`);
        if (isReplica && pick(false, false, false, true))
          throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
        const place = { database: '1/shop', timeline: 1, bytes: replayed(), isReplica };
        const rows = [isList ? { commits: replayed() } : place];
        await turn(`${name} answers`);
        return { rows };
      };
    const primary = handleOf(server('the primary', () => commits, false));
    const replicas = ['one', 'other'].map((name): Replica => {
      let replayed = 0;
      const replay = () => {
        replayed = Math.min(replayed + 1, commits);
      };
      for (const label of Array(4).fill(`${name} replays`)) happens(label, replay);
      const execute = server(name, () => replayed, true);
      const clients = [1, 2].map(() => ({ query: (text: string) => execute({ sql: text }), release() {} }));
      const pool = {
        usage: { inUse: 0, waiting: 0 },
        async connect() {
          await turn(`a connection to ${name}`);
          if (pick(false, false, false, false, true)) throw new BusyError('all are in use');
          return pick(...(clients as [(typeof clients)[0]]));
        },
        async end() {},
      };
      return { name, pool: pool as unknown as Replica['pool'] };
    });
    const { listDb } = openReadReplicas({
      replicas,
      db: primary,
      primaryListDb: primary,
      version: version.version,
      onReplica() {},
    });
    let lists = 8;
    const readList = async () => {
      const knownBefore = known;
      const { rows } = await list.execute(listDb);
      expect(rows[0]?.commits).toBeGreaterThanOrEqual(knownBefore);
      lists -= 1;
    };
    const commit = async (isOwn: boolean) => {
      commits += 1;
      const own = commits;
      happens(`commit ${own} is announced`, () => {
        announced += 1;
        known = Math.max(known, own);
      });
      if (!isOwn) return;
      await turn(`the answer to commit ${own}`);
      version.recordLocalChange();
      known = Math.max(known, own);
    };
    for (const label of Array(lists).fill('a list is asked for')) happens(label, readList);
    for (const isOwn of [true, false, true]) happens('a commit', () => commit(isOwn));

    await play(() => lists === 0);
    await listDb.destroy();
  },
);
