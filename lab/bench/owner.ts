/** The section of the owner's work: the latency of the calls of visitors during searches, imports and exports of the desk. */

import { setTimeout as pause } from 'node:timers/promises';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { type Bench, newRow, type Row, ratios, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { send } from './client.ts';
import { engines, type FilledDatabase } from './databases.ts';
import { percentile, randomNumbers } from './figures.ts';
import { startStores } from './processes.ts';
import { milliseconds, table } from './tables.ts';
import { runWrk } from './wrk.ts';

/** How often each of the visitors' calls arrives. */
const arrivalsPerSecond = 50;
/** Target: the highest ratio of the p95 of a visitor's call beside the owner's work to that alone. */
const maxRatio = 3;

const visits = {
  '`GET /auth/session`': calls.session,
  '`GET /books`': calls.bookList,
  '`GET /books/{id}`': calls.oneBook,
} satisfies Record<string, (database: FilledDatabase) => calls.PlannedKind>;
type Visit = keyof typeof visits;
const visitNames = Object.keys(visits) as Visit[];

/** The p95 of each call. */
type Felt = Record<Visit, number>;

export async function measureOwner(bench: Bench): Promise<Section> {
  const databases = await bench.fill(bench.maxBooks);
  const [owner] = databases.SQLite.buyers;
  const settings = { ADMIN_EMAILS: owner?.identity.email ?? '' };
  const stores = await startStores(bench, databases, 'the owner’s work', settings);
  const groups = engines.map((engine) => {
    const [store, database] = [stores[engine], databases[engine]];
    const beside = Object.entries(ownersWork(store, database)).map(([name, work]) =>
      newRow<Felt>(`beside ${name}`, async (seconds) => {
        // The work begins before the measured calls and ends after them.
        const working = work(seconds + 1);
        await pause(500);
        const felt = await measureVisits(store, database, seconds);
        await working;
        return felt;
      }),
    );
    const alone = newRow<Felt>(`${engine}, alone`, (seconds) => measureVisits(store, database, seconds));
    return { engine, alone, beside };
  });
  const rows = groups.flatMap(({ alone, beside }) => [alone, ...beside]);
  await bench.measure('visitors beside the owner’s work', rows);
  return {
    title: 'Beside the owner’s work',
    text: `The p95 of calls of visitors, ${arrivalsPerSecond} of each in a second\n\n${table(
      ['', ...visitNames],
      rows.map((row) => [row.name, ...visitNames.map((visit) => milliseconds(p95s(row, visit)))]),
    )}`,
    targets: groups.flatMap(({ engine, alone, beside }) =>
      beside.flatMap((row) =>
        visitNames.map((visit) => ({
          name: `${visit}, ${engine}, p95 ${row.name} / alone`,
          values: ratios(p95s(row, visit), p95s(alone, visit)),
          max: maxRatio,
        })),
      ),
    ),
  };
}

const p95s = ({ outcomes }: Row<Felt>, visit: Visit): number[] => outcomes.map((felt) => felt[visit]);

/** The work of the owner, by name: each repeats one call without a pause. */
function ownersWork(store: ServerProcess, { buyers }: FilledDatabase) {
  const [owner] = buyers;
  if (!owner) throw new Error('a database without customers');
  const headers = { cookie: calls.cookieOf(owner) };
  const reads = (path: string, connections: number) => (seconds: number) =>
    runWrk(store, [calls.kind([{ path, headers }])], seconds, connections);
  // Not by wrk: if the busy store refused a file, wrk would send it again and again without a pause.
  const dryRuns = (csv: string) => async (seconds: number) => {
    const endsAt = performance.now() + 1000 * seconds;
    while (performance.now() < endsAt) {
      await send(store.origin, { path: `${deskPaths.booksImport}?dryRun=true`, headers, csv }, 200);
    }
  };
  const header = 'title,author,price,image\n';
  return {
    '10 searches of orders': reads(`${deskPaths.orders}?q=quixotic`, 10),
    '10 searches of orders by spelling': reads(`${deskPaths.orders}?q=quixotic&spelling=similar`, 10),
    'imports of newlines': dryRuns('\n'.repeat(importBytes)),
    'imports of commas': dryRuns(header + ','.repeat(importBytes)),
    'imports of letters': dryRuns(header + letters(importBytes)),
    'exports of orders': reads(deskPaths.ordersExport, 1),
    'exports of books': reads(deskPaths.booksExport, 1),
  };
}

const importBytes = 8_000_000;

/** @returns random text, which has now and then a character with a meaning in CSV. */
function letters(length: number): string {
  const random = randomNumbers(1);
  const letter = () => 'abcdefghijklmnopqrstuvwxyz 0123456789,,;.\n'.at(Math.floor(random() * 42));
  return Array.from({ length }, letter).join('');
}

async function measureVisits(
  { origin }: ServerProcess,
  database: FilledDatabase,
  seconds: number,
): Promise<Felt> {
  const felt = await Promise.all(
    visitNames.map(async (visit, position) => {
      // The kinds take turns to arrive.
      await pause((position * 1000) / arrivalsPerSecond / visitNames.length);
      return [visit, await p95OfArrivals(origin, visits[visit](database), seconds)] as const;
    }),
  );
  return Object.fromEntries(felt) as Felt;
}

/** @returns the 95th percentile of the time from sending to response. A late timer of this process does not count. */
async function p95OfArrivals(
  origin: string,
  { requests, expectedStatus }: calls.PlannedKind,
  seconds: number,
): Promise<number> {
  const latenciesMs: number[] = [];
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < arrivalsPerSecond * seconds; count += 1) {
    await pause(Math.max(0, startedAt + (count * 1000) / arrivalsPerSecond - performance.now()));
    const request = requests[count % requests.length];
    if (!request) throw new Error('a plan without requests');
    const sentAt = performance.now();
    sent.push(
      send(origin, request, expectedStatus).then(() => void latenciesMs.push(performance.now() - sentAt)),
    );
  }
  await Promise.all(sent);
  return percentile(Float64Array.from(latenciesMs).sort(), 0.95);
}
