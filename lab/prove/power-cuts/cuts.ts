/** Power cuts in the work of a shop: what the work wrote is recorded once, and each state that a cut may leave is opened. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import { indexBooks } from '../../../server/catalogue/index-books.ts';
import { openDatabase } from '../../../server/database/open.ts';
import { checkDatabase } from '../../../server/operations/check/check-database.ts';
import { settingsOf } from '../../../server/testing/model/node.ts';
import { type Call, Disk, type Random, readTrace, stringsIn, tracedCalls } from './disk.ts';

export const works = [
  'orders',
  'import',
  'backup',
  'restore',
  'first restore',
  'migration',
  'failing disk',
] as const;
export type Work = (typeof works)[number];

/** The answers that the work has received. `imported`: the rows up to then are committed, but may be lost until `importedAll`. */
export type Fact =
  | { order: string }
  | { deleted: string }
  | { imported: number }
  | { importedAll: number }
  | { backup: true }
  | { restoring: true }
  | { restored: true };

export type Recording = {
  work: Work;
  root: string;
  initial: ReadonlyMap<string, Buffer | undefined>;
  /** A fact that the work has reported, or a call that may change files. */
  steps: readonly (Fact | Call)[];
  /** Orders that were there before, and those that the backup for the restore has. */
  before: readonly string[];
  inBackup: readonly string[];
};

/** Which calls of a thread fail in the work “failing disk”: the first, and each so many after it. */
const failing = ['fdatasync:error=EIO:when=4+3', 'pwrite64:error=ENOSPC:when=31+29'];

const firstRelease = join(import.meta.dirname, '../../../server/database/fixtures/0001.sqlite.gz');

/**
 * Does some work under strace.
 * @param folder an empty one.
 * @param source the root of the sources that do it.
 */
export async function record(work: Work, folder: string, source: string): Promise<Recording> {
  const root = join(folder, 'shop');
  const facts = join(folder, 'facts');
  const store = join(root, 'data', 'store.db');
  const main = join(source, 'lab/prove/power-cuts/work.ts');
  const run = promisify(execFile);
  const recording = { work, root, before: [] as string[], inBackup: [] as string[] };
  mkdirSync(root);
  if (work === 'migration') {
    mkdirSync(dirname(store));
    writeFileSync(store, gunzipSync(readFileSync(firstRelease)));
    recording.before = listOrders(store);
  }
  if (work === 'failing disk') {
    await run(process.execPath, [main, 'orders', root, '/dev/null']);
    recording.before = listOrders(store);
  }
  if (work === 'restore' || work === 'first restore') {
    await run(process.execPath, [main, 'backup', root, '/dev/null']);
    recording.inBackup = listOrders(join(root, 'backup.db'));
    if (work === 'restore') recording.before = listOrders(store);
    else {
      rmSync(dirname(store), { recursive: true });
      // The restore removes nothing from this backup, so it writes no page, and SQLite syncs none.
      execute(join(root, 'backup.db'), 'delete from sessions');
      rmSync(join(root, 'backup.db.sha256'));
    }
  }
  const initial = readFolder(root);
  const trace = join(folder, 'trace');
  const options = ['-f', '-y', '-xx', '-s', '100000000', '--seccomp-bpf', '-e', `trace=${tracedCalls}`];
  if (work === 'failing disk') options.push(...failing.flatMap((calls) => ['-e', `inject=${calls}`]));
  await run('strace', [...options, '-o', trace, process.execPath, main, work, root, facts], {
    env: { ...process.env, UV_USE_IO_URING: '0' },
  });
  const steps: (Fact | Call)[] = [];
  for (const call of readTrace(readFileSync(trace, 'latin1'))) {
    const [path, text] = stringsIn(call.args).map(String);
    if (path === facts && call.name === 'write' && call.isBegun) steps.push(JSON.parse(text ?? ''));
    else if (path?.startsWith(root) || text?.startsWith(root)) steps.push(call);
  }
  return { ...recording, initial, steps };
}

/** Keeps a recording: another one of the same work differs, so that its seeds leave other states. */
export const writeRecording = (file: string, recording: Recording): void =>
  writeFileSync(file, serialize(recording));

export const readRecording = (file: string): Recording => deserialize(readFileSync(file));

/** @returns the files and folders of a folder, by path. */
function readFolder(folder: string): Map<string, Buffer | undefined> {
  const files = new Map<string, Buffer | undefined>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    files.set(path, entry.isDirectory() ? undefined : readFileSync(path));
  }
  return files;
}

function execute(file: string, statement: string): void {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(statement);
  sqlite.close();
}

/** @returns a sentence for each fault. */
function damageOf(file: string): string[] {
  const sqlite = new DatabaseSync(file);
  const [integrity] = Object.values(sqlite.prepare('pragma integrity_check(1)').get() ?? {});
  const orphans = sqlite.prepare('pragma foreign_key_check').all();
  sqlite.close();
  return [
    ...(integrity === 'ok' ? [] : [`${integrity}.`]),
    ...(orphans.length === 0 ? [] : ['A reference leads nowhere.']),
  ];
}

function listOrders(file: string): string[] {
  const sqlite = new DatabaseSync(file);
  const rows = sqlite.prepare('select id from orders').all();
  sqlite.close();
  return rows.map(({ id }) => String(id));
}

/** The share of the states that get the whole check of the store, which takes longer than SQLite's own. */
const wholeShare = 0.1;

export type Cuts = { firstSeed: number; count: number };
export type Failure = { seed: number; reason: string };

/**
 * Cuts the power at any step of a recording, and opens what the disk may have then. The disk of every second seed is journaled.
 * @param folder for the states.
 * @returns the first failure.
 */
export async function playCuts(
  { steps, ...recording }: Recording,
  folder: string,
  { firstSeed, count }: Cuts,
): Promise<Failure | undefined> {
  const ends = steps.flatMap((step, index) => ('args' in step ? [] : [index + 1]));
  const cuts = Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + index;
    const random = randomOf(seed);
    const isAfterFact = ends.length > 0 && random() < 0.3;
    const at = Math.floor(random() * (isAfterFact ? ends.length : steps.length + 1));
    return { seed, random, at: isAfterFact ? (ends[at] ?? 0) : at };
  }).sort((one, other) => one.at - other.at);
  const disks = [false, true].map(
    (isJournaled) => new Disk(recording.root, recording.initial, { isJournaled }),
  );
  const facts: Fact[] = [];
  let at = 0;
  for (const { seed, random, at: cut } of cuts) {
    for (const step of steps.slice(at, cut)) {
      if ('args' in step) for (const disk of disks) disk.apply(step);
      else facts.push(step);
    }
    at = cut;
    const state = join(folder, String(seed));
    mkdirSync(state);
    const files = disks[seed % disks.length]?.cut(random) ?? [];
    for (const [path, bytes] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const copy = join(state, relative(recording.root, path));
      if (bytes) writeFileSync(copy, bytes);
      else mkdirSync(copy);
    }
    const isWhole = random() < wholeShare;
    const faults = await findFaults({ ...recording, steps }, { state, isWhole }, facts).catch(
      (error: Error) => [error.message],
    );
    if (faults.length > 0) {
      const reason = `after step ${cut} of ${steps.length} of “${recording.work}”: ${faults.join(' ')}`;
      return { seed, reason: `${reason} The state is in ${state}.` };
    }
    rmSync(state, { recursive: true });
  }
  return undefined;
}

const randomOf = (seed: number): Random => {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() / 2 ** 32;
  };
};

/** @param facts those reported before the cut. @returns a sentence for each fault. */
async function findFaults(
  { work, steps, before, inBackup }: Recording,
  { state, isWhole }: { state: string; isWhole: boolean },
  facts: readonly Fact[],
): Promise<string[]> {
  const file = join(state, 'data', 'store.db');
  const backup = join(state, 'backup.db');
  const has = (name: 'backup' | 'restoring' | 'restored' | 'importedAll') =>
    facts.some((fact) => name in fact);
  const faults: string[] = [];

  if (existsSync(backup)) {
    faults.push(...damageOf(backup).map((damage) => `The backup is damaged: ${damage}`));
    const ends = facts.findLastIndex((fact) => 'backup' in fact);
    if (!isSubset(ordersOf(facts.slice(0, Math.max(0, ends))), listOrders(backup))) {
      faults.push('The backup is an older one.');
    }
  } else if (has('backup') || inBackup.length > 0) faults.push('The backup is not there.');
  if (has('restored')) {
    const aside = readdirSync(dirname(file)).find((name) => name.includes('.replaced-'));
    const kept = aside === undefined ? [] : listOrders(join(dirname(file), aside));
    if (!isSubset(before, kept)) faults.push('The replaced database lacks orders.');
  }

  if (!existsSync(file)) {
    const mustBeThere = before.length > 0 || facts.some((fact) => !('restoring' in fact));
    return mustBeThere ? [...faults, 'There is no database.'] : faults;
  }
  if (isWhole || work === 'migration') {
    const database = await openDatabase(settingsOf(`sqlite:${file}`));
    try {
      // A start of the store indexes books too.
      await indexBooks(database.db);
      for await (const finding of checkDatabase(database.db, () => {})) faults.push(...finding.faults);
    } finally {
      await database.close();
    }
  }
  faults.push(...damageOf(file));
  const sqlite = new DatabaseSync(file);
  try {
    const all = (query: string) => sqlite.prepare(query).all();
    if (all("select name from sqlite_schema where name = 'orders'").length === 0) {
      return facts.length === 0 ? faults : [...faults, 'The database is empty.'];
    }
    const orders = all('select id from orders').map(({ id }) => String(id));
    const isRestored =
      has('restored') || (has('restoring') && (before.length === 0 || !isSubset(before, orders)));
    const expected = [...(isRestored ? inBackup : before), ...ordersOf(facts)];
    const lost = expected.filter((id) => !orders.includes(id));
    if (lost.length > 0) faults.push(`${lost.length} of ${expected.length} orders are lost.`);
    const isReplaced = (id: string) => before.includes(id) && !inBackup.includes(id);
    if (has('restored') && orders.some(isReplaced)) faults.push('The replaced database is back.');

    const books = all('select * from books');
    for (const fact of facts) {
      if (!('deleted' in fact)) continue;
      if (!books.some(({ id, removed_at }) => id === fact.deleted && removed_at !== null)) {
        faults.push(`The book ${fact.deleted} is not deleted.`);
      }
    }
    const imported = books.filter(({ title }) => String(title).startsWith('Import ')).length;
    const slices = steps.flatMap((step) => ('imported' in step ? [step.imported] : []));
    const whole = steps.flatMap((step) => ('importedAll' in step ? [step.importedAll] : []));
    const possible = has('importedAll') ? whole : [0, ...slices];
    if (!possible.includes(imported)) faults.push(`${imported} books of an import are there.`);
    const [entry] = all("select details ->> 'line' as line from activity where action = 'books-imported'");
    // The first line has the names of the columns.
    const recorded = Number(entry?.['line'] ?? 1) - 1;
    if (recorded !== imported) faults.push(`${recorded} of ${imported} books of an import are recorded.`);
  } finally {
    sqlite.close();
  }
  return faults;
}

const ordersOf = (facts: readonly Fact[]) => facts.flatMap((fact) => ('order' in fact ? [fact.order] : []));
const isSubset = (some: readonly string[], all: readonly string[]) => some.every((one) => all.includes(one));
