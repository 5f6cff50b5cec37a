/**
 * `npm run prove`: sequences of commands against a model of the shop, on SQLite and PostgreSQL at once, and whether they find faults that are
 * planted. It writes the rows of docs/reliability.md.
 */

import { join } from 'node:path';
import { foundBySeed } from '../../server/testing/model/sequences.ts';
import { flag, readOptions, someOf, wholeNumber } from '../../tools/options.ts';
import { playSequences } from './model.ts';
import { findPlanted } from './planted.ts';
import { writeRow } from './table.ts';

const options = readOptions(
  'npm run prove',
  'Plays sequences against a model of the shop on both databases, and checks that they find planted faults.',
  {
    sequences: wholeNumber('how many sequences; with --seed one, with --short at most 100', 10_000, 1),
    seed: wholeNumber('plays the sequence of this seed again', 0),
    jobs: wholeNumber('how many processes play them', 2, 1),
    only: someOf('these alone', ['model', 'planted']),
    short: flag('few sequences, and no row is written'),
  },
);
const root = join(import.meta.dirname, '..', '..');
const { seed, jobs, short } = options;
const isReplay = seed > 0;
const writesRows = !short && !isReplay;
const count = isReplay ? 1 : Math.min(options.sequences, short ? 100 : Number.POSITIVE_INFINITY);
const chosen = isReplay ? ['model'] : options.only;
const print = (text: string) =>
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(6)} s  ${text}`);

async function proveModel(): Promise<boolean> {
  const onPlayed = (played: number) => {
    if (played % Math.ceil(count / 20) === 0) print(`${played} of ${count} sequences`);
  };
  const sequences = { firstSeed: isReplay ? seed : 1, count, jobs, shrinks: true };
  const failure = await playSequences(sequences, { root, onPlayed });
  if (failure) {
    print(`FAULT: seed ${failure.seed}: ${failure.reason}\n\n${failure.commands}\n`);
    print(`npm run prove -- --seed ${failure.seed} plays it again.`);
    return false;
  }
  if (writesRows) {
    writeRow([
      'Whatever is done in the shop, in any order, each answer is that of a model of it, and the same on SQLite and PostgreSQL',
      'Sequences of up to 60 calls of the API and of the desk on two nodes, with lost answers, nodes that end or are killed, ended sessions, and days that go by',
      `${count.toLocaleString('en')} sequences`,
      foundBySeed.length === 0 ? 'No fault' : `${foundBySeed.length} faults, all mended`,
      '`npm run prove -- --only model`',
    ]);
  }
  return true;
}

async function provePlanted(): Promise<boolean> {
  const seconds: number[] = [];
  let missed = 0;
  await findPlanted({ firstSeed: 1, count: Math.min(count, 500), jobs, shrinks: false }, (name, found) => {
    if (!found) {
      missed += 1;
      return print(`NOT FOUND  ${name}`);
    }
    seconds.push(found.seconds);
    print(
      `found by sequence ${found.played} in ${found.seconds.toFixed(0)} s: ${name}\n          ${found.reason.slice(0, 200)}`,
    );
  });
  if (missed === 0 && writesRows) {
    writeRow([
      'These sequences find faults',
      'Faults planted in a copy of the store, one after another (lab/prove/planted.txt)',
      `${seconds.length} faults`,
      `all, each within ${Math.ceil(Math.max(...seconds))} s`,
      '`npm run prove -- --only planted`',
    ]);
  }
  return missed === 0;
}

try {
  const isModelProved = !chosen.includes('model') || (await proveModel());
  const isPlantedFound = !chosen.includes('planted') || (await provePlanted());
  process.exitCode = isModelProved && isPlantedFound ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
