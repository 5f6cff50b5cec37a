/** A soak: mixed requests at a steady rate for a long time, after which the store must be as it was early on. */

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import { sendSteadily } from '../bench/arrivals.ts';
import * as calls from '../bench/calls.ts';
import { UnplannedStatus } from '../bench/client.ts';
import { type FilledDatabase, openDatabases } from '../bench/databases.ts';
import { median, percentile } from '../bench/figures.ts';
import { startMeasuredStore } from '../bench/processes.ts';
import { openProgress } from '../bench/progress.ts';
import { measureByWrk } from '../bench/wrk.ts';

const books = 10_000;
const warmUpSeconds = 3;
const capacitySeconds = 10;
/** Share of the requests that may be refused. */
const mostRefused = 0.01;
/** Requests that wait at once, at most: a machine that others use as well may be too slow for the rate. */
const mostWaiting = 256;

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
  /** Requests a second that the store answers at most. */
  capacity: number;
  /** Requests a second that it got. */
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
  try {
    const database = await databases.fill('SQLite', books, openProgress(process.stdout));
    const [admin] = database.buyers;
    const logFile = join(databases.folder, 'store.log');
    const settings = { ADMIN_EMAILS: admin?.identity.email ?? '' };
    const store = await startMeasuredStore(database.url, logFile, settings);
    try {
      const kinds = visits(database);
      await measureByWrk(store, kinds, warmUpSeconds);
      const capacity = Math.round((await measureByWrk(store, kinds, capacitySeconds)).perSecond);
      const rate = perSecond || Math.round(capacity / 2);
      const { windows, faults, ...counts } = await load(
        { origin: store.origin, pid: store.pid, logFile, kinds },
        { seconds: minutes * 60, perSecond: rate },
        onWindow,
      );
      return { ...counts, capacity, perSecond: rate, windows, faults: [...faults, ...changesOf(windows)] };
    } finally {
      await store.stop();
    }
  } finally {
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
  const ownOrders = buyers.map((buyer) => ({
    path: paths.allOrder(buyer.identity.email),
    headers: { cookie: calls.cookieOf(buyer) },
  }));
  return [
    { ...calls.bookList(), weight: 300 },
    { ...calls.nextPage(database), weight: 60 },
    { ...calls.search(), weight: 60 },
    { ...calls.oneBook(database), weight: 425 },
    { ...calls.session(database), weight: 100 },
    { ...calls.kind(ownOrders), weight: 10 },
    { ...calls.order(database), weight: 40 },
    { ...calls.kind(edits), weight: 5 },
  ];
}

type Target = { origin: string; pid: number; logFile: string; kinds: readonly calls.PlannedKind[] };

async function load(
  { origin, pid, logFile, kinds }: Target,
  rate: { seconds: number; perSecond: number },
  onWindow: (window: Window) => void,
): Promise<Pick<Soak, 'requests' | 'refused' | 'windows' | 'faults'>> {
  const windows: Window[] = [];
  const faults: string[] = [];
  let requests = 0;
  let refused = 0;
  let latenciesMs: number[] = [];
  let logBytes = statSync(logFile).size;
  const closeWindow = () => {
    const sorted = latenciesMs.sort((one, other) => one - other);
    latenciesMs = [];
    if (sorted.length === 0) return void faults.push('no response in a window');
    const written = statSync(logFile).size;
    windows.push({ ...usageOf(pid), logBytes: written - logBytes, p99Ms: percentile(sorted, 0.99) });
    logBytes = written;
    const window = windows.at(-1);
    if (window) onWindow(window);
  };
  const timer = setInterval(closeWindow, (rate.seconds / 400) * 1000);
  await sendSteadily(origin, kinds, { ...rate, mostWaiting }, (latencyMs, error) => {
    requests += 1;
    latenciesMs.push(latencyMs);
    if (error instanceof UnplannedStatus && error.status === 503) refused += 1;
    else if (error !== undefined) faults.push(error instanceof Error ? error.message : String(error));
  }).finally(() => clearInterval(timer));
  if (refused > mostRefused * requests) faults.push(`${refused} requests were refused`);
  return { requests, refused, windows, faults };
}

function usageOf(pid: number): Pick<Window, 'memoryMiB' | 'descriptors' | 'threads'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    memoryMiB: numberOf('VmRSS') / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).filter((name) => !isSocket(`/proc/${pid}/fd/${name}`)).length,
    threads: numberOf('Threads'),
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
  p99Ms: percentile(
    windows.map(({ p99Ms }) => p99Ms).sort((one, other) => one - other),
    0.25,
  ),
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
