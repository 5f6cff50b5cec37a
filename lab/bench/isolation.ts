/**
 * Whether calls wait for what other calls do: each is measured alone, and beside a disturbance that goes on meanwhile.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../contract/paths.ts';
import { findProgram } from '../../server/testing/programs.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { serveArguments } from '../../server/testing/store-process.ts';
import * as calls from './calls.ts';
import type { FilledDatabase } from './databases.ts';
import type { Outcome, Plan, PlannedKind } from './load.ts';
import { disturb, measure, startMeasuredStore } from './processes.ts';
import { measureByWrk, wrkProgram } from './wrk.ts';

/** Slows the disk down; Linux only. */
const straceProgram = findProgram('strace');

/** How long each fsync takes on the slow disk, in milliseconds: as on a slow network disk. */
export const slowFsyncMs = 10;

/** A call that was measured alone and beside other calls. */
export type Disturbance = {
  /** What goes on beside it, for the report. */
  name: string;
  /** The call that is measured, for the report. */
  call: string;
  /** The minimum, as a share of the rate alone. */
  minRatio: number;
  alone: Outcome[];
  beside: Outcome[];
  /** Of the buyers on the slow disk: how many orders each commit has. Otherwise empty. */
  ordersPerCommit: number[];
  /** The target for their median, where there is one. */
  minOrdersPerCommit: number | undefined;
};

/** What {@link measureIsolation} needs. */
export type IsolationParts = {
  /** With the largest catalogue. */
  sqlite: FilledDatabase;
  postgres: FilledDatabase;
  /** For the log files. */
  folder: string;
  connections: number;
  seconds: number;
  /** Registers a process that must be stopped after an error. */
  track(starting: Promise<ServerProcess>): Promise<ServerProcess>;
  stop(server: ServerProcess): Promise<void>;
  repeat(measurements: readonly (() => Promise<void>)[], name: string): Promise<void>;
};

/** A load beside the measured call. @returns further figures for the report. */
type Disturb = (store: ServerProcess) => Promise<{ ordersPerCommit?: number }>;

/** Measures each disturbance on a store of its own. That of the slow disk is left out where strace is not installed. */
export async function measureIsolation(parts: IsolationParts): Promise<Disturbance[]> {
  const { sqlite, postgres, folder, seconds } = parts;
  const bookList = { path: paths.books, kind: calls.bookList() };
  const session = { path: paths.session, kind: calls.session(sqlite) };
  const sessionOnPostgres = { path: paths.session, kind: calls.session(postgres) };
  const plan = (store: ServerProcess, kind: PlannedKind, connections: number): Plan => ({
    port: store.port,
    pid: store.pid,
    headers: {},
    kinds: [kind],
    connections,
    warmUpSeconds: 0,
    // From before the measured call until after it.
    seconds: seconds + 1,
  });
  const searches =
    (connections: number): Disturb =>
    async (store) => {
      await disturb(plan(store, calls.searchesForTwoWords(), connections));
      return {};
    };
  const start = (database: FilledDatabase) => startMeasuredStore(database.url, join(folder, 'isolation.log'));
  const trace = join(folder, 'fsyncs.txt');
  const buyers =
    (connections: number): Disturb =>
    async (store) => {
      const commitsBefore = countCommits(trace);
      const outcome = await disturb(plan(store, calls.order(sqlite), connections));
      return { ordersPerCommit: (outcome?.responses ?? 0) / (countCommits(trace) - commitsBefore) };
    };

  const disturbances: Disturbance[] = [];
  const measureBeside = async (
    name: string,
    { path, kind }: { path: string; kind: PlannedKind },
    minRatio: number,
    starting: Promise<ServerProcess>,
    disturbing: Disturb,
    minOrdersPerCommit?: number,
  ) => {
    const store = await parts.track(starting);
    const disturbance: Disturbance = {
      name,
      call: `GET ${path}`,
      minRatio,
      alone: [],
      beside: [],
      ordersPerCommit: [],
      minOrdersPerCommit,
    };
    const once = () => measureOne(store, path, kind, parts);
    await once();
    await parts.repeat(
      [
        async () => void disturbance.alone.push(await once()),
        async () => {
          const disturbed = disturbing(store);
          await pause(500);
          disturbance.beside.push(await once());
          const { ordersPerCommit } = await disturbed;
          if (ordersPerCommit !== undefined) disturbance.ordersPerCommit.push(ordersPerCommit);
        },
      ],
      `${disturbance.call} beside ${name}`,
    );
    await parts.stop(store);
    disturbances.push(disturbance);
  };

  await measureBeside('8 heavy searches, SQLite', bookList, 0.4, start(sqlite), searches(8));
  await measureBeside('8 heavy searches, SQLite', session, 0.3, start(sqlite), searches(8));
  await measureBeside('30 heavy searches, PostgreSQL', bookList, 0.4, start(postgres), searches(30));
  await measureBeside('30 heavy searches, PostgreSQL', sessionOnPostgres, 0.3, start(postgres), searches(30));
  await measureBeside('another process’s write lock, SQLite', bookList, 0.6, start(sqlite), async (store) => {
    const other = new DatabaseSync(sqlite.url.slice('sqlite:'.length));
    other.exec('begin immediate');
    await disturb(plan(store, calls.order(sqlite), 8));
    other.close();
    return {};
  });
  if (straceProgram) {
    for (const { connections, minOrdersPerCommit } of [
      { connections: 8 },
      { connections: 32, minOrdersPerCommit: 4 },
    ]) {
      const slow = startMeasuredStore(
        sqlite.url,
        join(folder, 'isolation.log'),
        {},
        {
          program: straceProgram,
          nodeArguments: [...slowDisk(trace), process.execPath, ...serveArguments()],
        },
      );
      const name = `${connections} buyers, an fsync of ${slowFsyncMs} ms, SQLite`;
      await measureBeside(name, bookList, 0.6, slow, buyers(connections), minOrdersPerCommit);
    }
  }
  return disturbances;
}

/** With `wrk` where it is installed, a load generator that was not written for this store. */
async function measureOne(
  server: ServerProcess,
  path: string,
  kind: PlannedKind,
  { connections, seconds }: IsolationParts,
): Promise<Outcome> {
  if (wrkProgram) {
    const headers = kind.requests[0]?.headers ?? {};
    const { expectedStatus } = kind;
    return await measureByWrk({ server, path, headers, expectedStatus, connections, seconds });
  }
  const { port, pid } = server;
  return await measure({ port, pid, headers: {}, kinds: [kind], connections, warmUpSeconds: 0, seconds });
}

/** The arguments of strace: the store stays the child of this process, and only its fsyncs stop for the tracer. */
const slowDisk = (trace: string): string[] => [
  ...['-D', '-f', '-qq', '--seccomp-bpf', '-y', '-o', trace],
  ...['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:delay_enter=${slowFsyncMs}ms`],
];

/** A commit of SQLite writes its log to the disk once. */
const countCommits = (trace: string): number => readFileSync(trace, 'utf8').split('-wal>').length - 1;
