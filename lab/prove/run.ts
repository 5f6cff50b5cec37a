/**
 * `npm run prove`: sequences of commands against a model of the shop, on SQLite and PostgreSQL at once; schedules of events that happen at
 * once; power cuts; purchases whose payments go wrong; histories of a store whose parts fail; a soak; and planted faults, which these must
 * find. It writes the tables of docs/reliability.md and results.md.
 */

import { join } from 'node:path';
import { foundBySequences } from '../../server/testing/model/sequences.ts';
import { flag, readOptions, someOf, text, wholeNumber } from '../../tools/options.ts';
import { grouped } from '../bench/progress.ts';
import { playHistory } from './histories/run.ts';
import { playSequences } from './model.ts';
import { playLedgers } from './payments.ts';
import { findPlanted, partOf, readPlanted } from './planted.ts';
import { works } from './power-cuts/cuts.ts';
import { playAgain, playPowerCuts } from './power-cuts/play.ts';
import { playSchedules } from './schedules.ts';
import { figuresOf, quarters, soak } from './soak.ts';
import { type TableName, writeRow } from './table.ts';

const options = readOptions(
  'npm run prove',
  'Plays sequences against a model of the shop on both databases, schedules, power cuts, histories and a soak, and checks that they find planted faults.',
  {
    sequences: wholeNumber(
      'how many sequences, purchases, schedules of each test, and power cuts in each kind of work (at most 500); with --seed one, with --short at most 100, and 10 power cuts',
      10_000,
      1,
    ),
    seed: wholeNumber('plays the sequence and the schedules of this seed again', 0),
    recording: text('with --seed: plays the power cut of this seed again, in the work of this file', 'file'),
    first: wholeNumber('the seed of the first sequence, to go on from an earlier run', 1, 1),
    fault: text(
      'plants only the faults with this in their names, or with this finder, such as payments',
      'name',
    ),
    jobs: wholeNumber('how many processes play them', 2, 1),
    minutes: wholeNumber(
      'how long the soak is, the histories of both databases (at most 30), and for how long further sequences begin',
      60,
      1,
    ),
    rate: wholeNumber('requests a second of the soak; 0: half of what the store can answer', 0),
    engine: someOf('the payments and histories of these alone', ['SQLite', 'PostgreSQL']),
    only: someOf('these alone; the last two only if they are named, with --short the last three', [
      'model',
      'schedules',
      'power-cuts',
      'payments',
      'planted',
      'histories',
      'soak',
    ]),
    short: flag('few of each, in at most three minutes, and no row is written'),
  },
);
const root = join(import.meta.dirname, '..', '..');
const { seed, jobs, short } = options;
const isReplay = seed > 0;
/** Writes a row of the record, unless few were played. */
const keep = (table: TableName, ...cells: string[]) => !short && !isReplay && writeRow(table, cells);
const count = isReplay ? 1 : Math.min(options.sequences, short ? 100 : Number.POSITIVE_INFINITY);
/** Parts that take long: they run only if they are named. */
const long = ['histories', 'soak', ...(short ? ['planted'] : [])];
const chosen = options.only.filter((name) => {
  if (options.recording) return name === 'power-cuts';
  if (isReplay) return !['power-cuts', 'payments', 'planted'].includes(name);
  return options.only.length < 7 || !long.includes(name);
});
const sequences = { firstSeed: isReplay ? seed : options.first, count, jobs };
const print = (text: string) =>
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(6)} s  ${text}`);

const foundText = (count: number): string => {
  if (count < 2) return count === 0 ? 'No fault' : 'A fault, mended';
  return `${count} faults, all mended`;
};

async function proveModel(): Promise<boolean> {
  let played = 0;
  const onPlayed = (number: number) => {
    played = number;
    if (played % Math.ceil(count / 20) === 0) print(`${played} of ${count} sequences`);
  };
  const until = performance.now() + (short ? 0.75 : options.minutes) * 60_000;
  const failure = await playSequences({ ...sequences, shrinks: true, until }, { root, onPlayed });
  if (failure) {
    print(`FAULT: seed ${failure.seed}: ${failure.reason}\n\n${failure.commands}\n`);
    print(`npm run prove -- --seed ${failure.seed} plays it again.`);
    return false;
  }
  const next = sequences.firstSeed + played;
  print(`The seeds ${sequences.firstSeed} to ${next - 1} found no fault: --first ${next} goes on.`);
  keep(
    'promises',
    'Each answer is that of a model of the shop, the same on both engines (`model`)',
    'up to 60 calls on two nodes, with lost answers, killed nodes, ended sessions and passing days',
    `${grouped(next - 1)} sequences`,
    foundText(foundBySequences),
  );
  return true;
}

async function proveSchedules(): Promise<boolean> {
  const played = (await playSchedules(sequences, root)).filter(({ count, failure }) => count > 0 || failure);
  for (const { title, count, found, seconds, failure } of played) {
    print(
      failure ? `FAULT: ${title}: ${failure}` : `${count} schedules in ${seconds.toFixed(0)} s: ${title}`,
    );
    if (failure) continue;
    keep('schedules', title, grouped(count), foundText(found));
  }
  const isGood = played.every(({ failure }) => !failure);
  const sumOf = (key: 'count' | 'found') => played.reduce((sum, one) => sum + one[key], 0);
  if (isGood) {
    keep(
      'promises',
      'What is done at once keeps its promises in any order of events (`schedules`)',
      `answers, failures, losses and timers in any order, in ${played.length} tests of cache, batches, threads, messages, session and checkout`,
      `${grouped(sumOf('count'))} schedules`,
      foundText(sumOf('found')),
    );
  }
  return isGood;
}

/** Power cuts in each kind of work, at most. */
const cutsOfWork = short ? 10 : 500;

async function provePowerCuts(): Promise<boolean> {
  const cuts = { firstSeed: sequences.firstSeed, count: Math.min(count, cutsOfWork) };
  const onPlayed = (work: string) => print(`${cuts.count} power cuts in “${work}”`);
  const failure = options.recording
    ? await playAgain(options.recording, seed)
    : await playPowerCuts(cuts, { root, onPlayed });
  if (failure) {
    print(`FAULT: seed ${failure.seed}: ${failure.reason}`);
    if ('recording' in failure) {
      const again = `--seed ${failure.seed} --recording ${failure.recording}`;
      print(`npm run prove -- ${again} plays it again.`);
    }
    return false;
  }
  keep(
    'promises',
    'A power cut loses nothing acknowledged and leaves nothing half done, on SQLite (`power-cuts`)',
    `any part of what was not synced is lost, in ${works.join(', ')}`,
    `${grouped(cuts.count * works.length)} power cuts`,
    foundText(1),
  );
  return true;
}

/** Faults of the store that purchases have found so far. */
const foundByPayments = 0;

async function provePayments(): Promise<boolean> {
  let isGood = true;
  for (const engine of options.engine) {
    const onPlayed = (played: number) => {
      if (played % Math.max(500, count / 20) === 0) print(`${engine}: ${grouped(played)} purchases`);
    };
    const { came, back, anomalies } = await playLedgers({ ...sequences, engine, onPlayed });
    for (const anomaly of anomalies.slice(0, 40)) print(`FAULT: ${anomaly}`);
    isGood &&= anomalies.length === 0;
    if (anomalies.length > 0) continue;
    const [cameAll, backAll] = [came, back].map((cents) => grouped(Math.round(cents / 100)));
    print(`${engine}: $${cameAll} came, and $${backAll} went back`);
    keep(
      'promises',
      `Every cent of Stripe’s, Mollie’s and a bank’s ledger is explained by the store’s, on ${engine} (\`payments\`)`,
      'calls and webhooks lost, repeated, late and false, two tabs, files of the bank that overlap, killed nodes, refunds on both sides, disputes, days that pass, the last copy',
      `${grouped(count)} purchases: $${cameAll} came, $${backAll} went back`,
      foundText(foundByPayments),
    );
  }
  return isGood;
}

async function provePlanted(): Promise<boolean> {
  const seconds = new Map<string, number[]>();
  let missed = 0;
  const few = { ...sequences, count: Math.min(count, 1_000), shrinks: false };
  await findPlanted(few, options.fault ?? '', (planted, found) => {
    const { name } = planted;
    if (!found) {
      missed += 1;
      return print(`NOT FOUND  ${name}`);
    }
    const part = partOf(planted);
    seconds.set(part, [...(seconds.get(part) ?? []), found.seconds]);
    print(
      `found by ${found.by} in ${found.seconds.toFixed(0)} s: ${name}\n          ${found.reason.slice(0, 200)}`,
    );
  });
  const ofParts = Map.groupBy(readPlanted(), partOf);
  for (const [part, times] of seconds) {
    if (times.length < (ofParts.get(part)?.length ?? 0)) continue;
    keep('planted', `\`${part}\``, `${times.length}`, `${Math.ceil(Math.max(...times))} s`);
  }
  if (missed === 0 && !options.fault) {
    const all = [...seconds.values()].flat();
    keep(
      'promises',
      'These runs find faults (`planted`)',
      'faults planted in a copy of the store, one after another',
      `${all.length} faults`,
      `All, within ${Math.ceil(Math.max(...all))} s`,
    );
  }
  return missed === 0;
}

/** How many faults of the store the histories have found so far. */
const foundByHistories = { SQLite: 0, PostgreSQL: 1 };
const historyClaim = 'Nothing answered is lost, changed, doubled or sold twice, and each order has a receipt';

async function proveHistories(): Promise<boolean> {
  const minutes = short ? 0.3 : Math.min(options.minutes, 30) / options.engine.length;
  let isGood = true;
  for (const engine of options.engine) {
    print(`${engine}, seed ${seed || 1}`);
    const played = await playHistory({ engine, minutes, seed: seed || 1, waitsForClaims: !short }, print);
    const { asked, orders, faults, leftOut, anomalies } = played;
    const struck = [...faults].map(([name, count]) => `${count} × ${name}`).join(', ');
    print(`${asked} questions, ${orders} orders; ${struck}`);
    for (const reason of leftOut) print(`left out: ${reason}`);
    for (const anomaly of anomalies.slice(0, 40)) print(`FAULT: ${anomaly}`);
    print(`${anomalies.length} anomalies`);
    isGood &&= anomalies.length === 0;
    if (anomalies.length > 0) continue;
    const struckTimes = [...faults.values()].reduce((sum, count) => sum + count, 0);
    keep(
      'promises',
      `${historyClaim}, on ${engine} (\`histories\`)`,
      `${engine === 'SQLite' ? 'one node' : 'three nodes and two standbys'}, ${struckTimes} faults of ${faults.size} kinds`,
      `${grouped(asked)} questions and ${grouped(orders)} orders in ${Math.round(minutes)} minutes`,
      foundText(foundByHistories[engine]),
    );
  }
  return isGood;
}

async function proveSoak(): Promise<boolean> {
  const { minutes, rate } = options;
  let count = 0;
  const proved = await soak({ minutes, perSecond: rate }, (window) => {
    count += 1;
    if (count % 20 === 0) print(JSON.stringify(window));
  });
  const { requests, refused, capacity, perSecond, windows, faults } = proved;
  const [second, last] = quarters(windows).map(figuresOf);
  print(
    `${requests} requests, ${refused} refused, ${perSecond} a second of ${capacity}: ${JSON.stringify({ second, last })}`,
  );
  for (const fault of faults.slice(0, 20)) print(`FAULT: ${fault}`);
  if (faults.length > 0 || !second || !last) return false;
  const between = (name: keyof typeof last, unit: string, digits = 0) =>
    `${second[name].toFixed(digits)} and ${last[name].toFixed(digits)}${unit}`;
  keep(
    'promises',
    'A steady load needs no more at the end than early on, on SQLite (`soak`)',
    `lists, searches, books, sessions, orders and changes, ${grouped(perSecond)} a second; the last quarter beside the second`,
    `${grouped(requests)} requests in ${minutes} minutes`,
    `No error, ${grouped(refused)} refused; memory ${between('memoryMiB', ' MiB')}, descriptors ${between('descriptors', '')}, p99 ${between('p99Ms', ' ms')}`,
  );
  return true;
}

try {
  const isModelProved = !chosen.includes('model') || (await proveModel());
  const isEachKept = !chosen.includes('schedules') || (await proveSchedules());
  const isNothingLost = !chosen.includes('power-cuts') || (await provePowerCuts());
  const isEachCentExplained = !chosen.includes('payments') || (await provePayments());
  const isPlantedFound = !chosen.includes('planted') || (await provePlanted());
  const isEachHistoryGood = !chosen.includes('histories') || (await proveHistories());
  const isSteady = !chosen.includes('soak') || (await proveSoak());
  const isEachGood = [isModelProved, isEachKept, isNothingLost, isEachCentExplained, isPlantedFound];
  process.exitCode = [...isEachGood, isEachHistoryGood, isSteady].every(Boolean) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
