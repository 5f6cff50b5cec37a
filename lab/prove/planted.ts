/**
 * Plants faults in a copy of the store, one after another: sequences, schedules, power cuts, histories or purchases must find each. The seed
 * of a sequence or a schedule must find it again.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDefence } from '../../tools/defences/defences.ts';
import { copyTree } from '../../tools/defences/scratch-copy.ts';
import { playSequences, type Sequences } from './model.ts';
import { type Work, works } from './power-cuts/cuts.ts';
import { playPowerCuts } from './power-cuts/play.ts';
import { playSchedules } from './schedules.ts';

/** `by`: the sequence, the test, the power cut, the history or the purchases that found the fault. */
type Found = { seconds: number; by: string; reason: string };

type Edit = { file: string; find: string; replace: string };
/**
 * `finder`: what must find the fault. A kind of work: power cuts in it. `histories`: a short history. `payments`: purchases. Any other text:
 * the schedules of the test whose name has this part. Undefined: the sequences.
 */
type Planted = { name: string; finder: string | undefined; edits: readonly Edit[] };

/** @returns the part of `npm run prove` that finds a fault. */
export function partOf({ finder }: Planted): string {
  if (finder === undefined) return 'model';
  if (finder === 'histories' || finder === 'payments') return finder;
  return works.some((work) => work === finder) ? 'power-cuts' : 'schedules';
}

/** @returns the faults of planted.txt. */
export function readPlanted(): Planted[] {
  const lines = readFileSync(join(import.meta.dirname, 'planted.txt'), 'utf8').split('\n');
  const planted: (Planted & { edits: Edit[] })[] = [];
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [first = '', second, replace = ''] = line.trim().replace(/ \|$/, ' | ').split(' | ');
    if (line.startsWith(' ')) planted.at(-1)?.edits.push({ file: first, find: second ?? '', replace });
    else planted.push({ name: first, finder: second, edits: [] });
  }
  return planted;
}

/** @returns a source with the fault. @throws where the code to replace is not there exactly once. */
export const plant = (source: string, { file, find, replace }: Edit): string =>
  removeDefence(source, {
    name: '',
    file,
    testFile: '',
    testName: '',
    project: '!PostgreSQL',
    find,
    replace,
  });

/**
 * Plants each fault in a copy of the store, and lets its finder play until it fails.
 * @param names only faults with this part in their names, or this finder, are planted.
 * @param onFound called for each fault. `found`: undefined if its finder has not failed.
 */
export async function findPlanted(
  sequences: Sequences,
  names: string,
  onFound: (planted: Planted, found: Found | undefined) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-planted-'));
  try {
    const root = await copyTree(folder);
    for (const planted of readPlanted().filter((one) => one.name.includes(names) || one.finder === names)) {
      const { finder, edits } = planted;
      const sources = edits.map(({ file }) => readFileSync(join(root, file), 'utf8'));
      for (const edit of edits) {
        const path = join(root, edit.file);
        writeFileSync(path, plant(readFileSync(path, 'utf8'), edit));
      }
      const startedAt = performance.now();
      const work = works.find((one) => one === finder);
      const found = await (work
        ? findByPowerCut(sequences, work, root)
        : finder === 'histories' || finder === 'payments'
          ? findByRun(finder, root)
          : finder
            ? findByTest(sequences, finder, root)
            : findBySequence(sequences, root));
      const seconds = (performance.now() - startedAt) / 1000;
      onFound(planted, found && { seconds, ...found });
      for (const [index, { file }] of edits.entries()) writeFileSync(join(root, file), sources[index] ?? '');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function findBySequence(
  sequences: Sequences,
  root: string,
): Promise<Omit<Found, 'seconds'> | undefined> {
  let played = 0;
  const onPlayed = (count: number) => {
    played = count;
  };
  const failure = await playSequences(sequences, { root, onPlayed });
  if (!failure) return undefined;
  const again = { ...sequences, firstSeed: failure.seed, count: 1 };
  if (!(await playSequences(again, { root }))) throw new Error(notAgain(failure.seed));
  return { by: `sequence ${played}`, reason: failure.reason };
}

const notAgain = (seed: number): string => `seed ${seed} does not find again what it has found`;

/** Runs this program in the copy: the store and what plays with it are its own. */
const findByRun = (
  part: 'histories' | 'payments',
  root: string,
): Promise<Omit<Found, 'seconds'> | undefined> =>
  new Promise((resolve, reject) => {
    const amount = part === 'payments' ? '--sequences=500' : '--short';
    const args = [`--only=${part}`, '--engine=SQLite', amount];
    execFile(process.execPath, [join(root, 'lab/prove/run.ts'), ...args], { cwd: root }, (error, output) => {
      const [, reason] = /FAULT: (.*)/.exec(output) ?? [];
      if (reason !== undefined) resolve({ by: part === 'payments' ? 'purchases' : 'a history', reason });
      else if (error) reject(error);
      else resolve(undefined);
    });
  });

async function findByTest(
  sequences: Sequences,
  only: string,
  root: string,
): Promise<Omit<Found, 'seconds'> | undefined> {
  const played = await playSchedules({ ...sequences, only }, root);
  const failed = played.find(({ failure }) => failure);
  if (!failed?.failure) return undefined;
  const seed = Number(/seed (\d+)/.exec(failed.failure)?.[1]);
  const again = await playSchedules({ ...sequences, only, firstSeed: seed, count: 1 }, root);
  if (!again.some(({ failure }) => failure)) throw new Error(notAgain(seed));
  return { by: `schedules of ${only}`, reason: failed.failure };
}

async function findByPowerCut(
  { firstSeed, count }: Sequences,
  work: Work,
  root: string,
): Promise<Omit<Found, 'seconds'> | undefined> {
  const failure = await playPowerCuts({ firstSeed, count, only: [work] }, { root });
  if (failure) rmSync(failure.folder, { recursive: true });
  return failure && { by: `power cut ${failure.seed}`, reason: failure.reason };
}
