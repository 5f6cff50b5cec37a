/** A soak: mixed requests at a steady rate for a long time, after which the store must be as it was early on. */

import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import * as calls from '../bench/calls.ts';
import { type FilledDatabase, openDatabases } from '../bench/databases.ts';
import { median } from '../bench/figures.ts';
import { statusOf } from '../bench/machine.ts';
import { startMeasuredStore } from '../bench/processes.ts';
import { openProgress } from '../bench/progress.ts';
import { measureByWrk, runWrk } from '../bench/wrk.ts';

const books = 10_000;
const warmUpSeconds = 3;
const capacitySeconds = 10;
/** Share of the requests that may be refused. */
const mostRefused = 0.01;

/** The figures of one window: a run has about 400 of them. */
export type Window = {
  memoryMiB: number;
  /** Open files without sockets: the load opens more connections while it waits. */
  descriptors: number;
  threads: number;
  /** Written to the log in this window. */
  logBytes: number;
  p99Ms: number;
};

type Soak = {
  requests: number;
  /** Requests that got 503 because other programs used the machine: a browser sends such a request again. */
  refused: number;
  /** The store's capacity, in requests a second. */
  capacity: number;
  /** The load, in requests a second. */
  perSecond: number;
  windows: readonly Window[];
  faults: readonly string[];
};

/**
 * Fills a store, measures its capacity, and sends it requests at a steady rate.
 * @param perSecond requests a second; 0: half of the capacity.
 * @param onWindow called at the end of each window.
 */
export async function soak(
  { minutes, perSecond }: { minutes: number; perSecond: number },
  onWindow: (window: Window) => void,
): Promise<Soak> {
  const databases = await openDatabases();
  const logFile = join(databases.folder, 'store.log');
  let store: ServerProcess | undefined;
  try {
    const database = await databases.fill('SQLite', books, openProgress(process.stdout));
    const [admin] = database.buyers;
    store = await startMeasuredStore(database.url, logFile, { ADMIN_EMAILS: admin?.identity.email ?? '' });
    const kinds = visits(database);
    await measureByWrk(store, kinds, { seconds: warmUpSeconds });
    const capacity = Math.round((await measureByWrk(store, kinds, { seconds: capacitySeconds })).perSecond);
    const rate = perSecond || Math.round(capacity / 2);
    const seconds = Math.max(1, Math.round((minutes * 60) / 400));

    const windows: Window[] = [];
    const sums = { requests: 0, refused: 0, failures: 0 };
    for (let left = minutes * 60; left >= seconds; left -= seconds) {
      const logged = statSync(logFile).size;
      const loaded = await runWrk(store, kinds, { seconds, perSecond: rate });
      sums.requests += loaded.responses;
      sums.refused += loaded.refused;
      sums.failures += loaded.failures;
      const window = windowOf(store.pid, loaded, statSync(logFile).size - logged);
      windows.push(window);
      onWindow(window);
    }
    const { requests, refused, failures } = sums;
    const faults = changesOf(windows);
    if (failures > refused) faults.push(`${failures - refused} requests failed`);
    if (refused > mostRefused * requests) faults.push(`${refused} requests were refused`);
    return { requests, refused, capacity, perSecond: rate, windows, faults };
  } finally {
    await store?.stop();
    await databases.close();
  }
}

/** What visitors, buyers and an admin send. Books whose prices the admin changes are not bought. */
function visits(database: FilledDatabase): calls.PlannedKind[] {
  const { newestBooks, chosenBooks, buyers } = database;
  const [admin] = buyers;
  const bought = new Set(chosenBooks.map(({ id }) => id));
  const edited = newestBooks.filter(({ id }) => !bought.has(id));
  const headers = { cookie: admin ? calls.cookieOf(admin) : '', 'if-match': '*' };
  const edits = [12.99, 13.99].flatMap((value) =>
    edited.map(({ id }) => ({
      path: paths.book(id),
      method: 'PATCH' as const,
      headers,
      body: { price: { value } },
    })),
  );
  return [
    { ...calls.bookList(), weight: 300 },
    { ...calls.nextPage(database), weight: 60 },
    { ...calls.search(), weight: 60 },
    { ...calls.oneBook(database), weight: 425 },
    { ...calls.session(database), weight: 100 },
    { ...calls.ordersOf(buyers), weight: 10 },
    { ...calls.order(database), weight: 40 },
    { ...calls.kind(edits), weight: 5 },
  ];
}

/** `loaded`: what wrk tells of the window. @returns the figures of a window. */
function windowOf(pid: number, loaded: { p99: number }, logBytes: number): Window {
  const descriptors = readdirSync(`/proc/${pid}/fd`).filter((name) => !isSocket(`/proc/${pid}/fd/${name}`));
  return {
    memoryMiB: statusOf(pid, 'VmRSS') / 1024,
    descriptors: descriptors.length,
    threads: statusOf(pid, 'Threads'),
    logBytes,
    p99Ms: loaded.p99 / 1000,
  };
}

function isSocket(descriptor: string): boolean {
  try {
    return readlinkSync(descriptor).startsWith('socket:');
  } catch {
    // The descriptor is closed by now: it was that of a connection.
    return true;
  }
}

/** The second and the last quarter of the windows: in the first the store warms up. */
export const quarters = (windows: readonly Window[]): [Window[], Window[]] => {
  const length = Math.floor(windows.length / 4);
  return [windows.slice(length, 2 * length), windows.slice(-length)];
};

/**
 * The figures of several windows together. Their p99 is that of the quietest quarter: other programs on the machine raise the p99 of some
 * windows, and a store that becomes slower raises it in all of them.
 */
export const figuresOf = (windows: readonly Window[]): Window => ({
  memoryMiB: median(windows.map(({ memoryMiB }) => memoryMiB)),
  descriptors: median(windows.map(({ descriptors }) => descriptors)),
  threads: Math.max(...windows.map(({ threads }) => threads)),
  logBytes: windows.reduce((sum, { logBytes }) => sum + logBytes, 0),
  p99Ms:
    windows.map(({ p99Ms }) => p99Ms).sort((one, other) => one - other)[Math.floor(windows.length / 4)] ?? 0,
});

/** Share by which a figure of the last quarter may exceed that of the second. */
const mostGrowth = {
  memoryMiB: 0.05,
  descriptors: 0.05,
  threads: 0,
  logBytes: 0.05,
  p99Ms: 0.5,
} as const satisfies Record<keyof Window, number>;

/** @returns a sentence for each figure that has grown. */
export function changesOf(windows: readonly Window[]): string[] {
  const [second, last] = quarters(windows).map(figuresOf);
  if (!second || !last) return [];
  return (Object.keys(mostGrowth) as (keyof Window)[])
    .filter((name) => !(last[name] <= second[name] * (1 + mostGrowth[name])))
    .map((name) => `${name} has grown from ${second[name].toFixed(1)} to ${last[name].toFixed(1)}`);
}
