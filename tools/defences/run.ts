/**
 * `npm run test:defences`: removes each defence of the store in a copy of the working tree, and runs the test that must
 * notice. A test that stays green proves nothing about its defence.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pages } from '../builds.ts';
import { flag, readOptions, text, wholeNumber } from '../options.ts';
import type { Outcome } from '../test/outcomes.ts';
import { type Defence, isOfBrowser, readDefences } from './defences.ts';
import { copyTree, runTests, runWithout } from './scratch-copy.ts';

const options = readOptions(
  'npm run test:defences',
  'Removes each defence of the store in a copy, and checks that its test fails.',
  {
    changed: flag('only the defences whose file or test has changed since origin/main'),
    only: text('only the defences whose name, file or test contains this text', 'text'),
    jobs: wholeNumber('how many tests run at once, each in its own copy', 2, 1),
  },
);

function chosenRows(): Defence[] {
  const { only = '' } = options;
  const diff = ['diff', '--name-only', '--merge-base', 'origin/main'];
  const changed = options.changed && execFileSync('git', diff, { encoding: 'utf8' }).split('\n');
  return readDefences().filter(
    ({ name, file, testFile, testName }) =>
      [name, file, testFile, testName].some((part) => part.includes(only)) &&
      (!changed || [file, testFile].some((one) => changed.includes(one))),
  );
}

/** @param defences of one test file and project: a run without an edit shows that all their tests pass. @returns how many removals were noticed. */
async function judgeGroup(folder: string, defences: readonly Defence[]): Promise<number> {
  const [first] = defences;
  if (!first) return 0;
  const titles = defences.map(({ testName }) => testName);
  const before = await runTests(folder, first, titles).catch(messageOf);
  let noticed = 0;
  for (const defence of defences) {
    const { name, file, testFile, testName } = defence;
    const fault = typeof before === 'string' ? before : await judge(folder, defence, before);
    if (!fault) noticed += 1;
    const why = `\n  ${file}\n  ${testFile}: ${testName}\n  ${fault?.replaceAll('\n', '\n  ')}`;
    console.log(fault ? `FAULT    ${name}${why}` : `noticed  ${name}`);
  }
  return noticed;
}

/** @returns why the row proves nothing; undefined when the removal was noticed. */
async function judge(folder: string, defence: Defence, all: readonly Outcome[]): Promise<string | undefined> {
  const { testName, testFile, project } = defence;
  const isMeant = ({ name }: Outcome) => name.includes(testName);
  const before = all.filter(isMeant);
  if (before.length === 0)
    return `no test of ${testFile} has the title "${testName}" in the project ${project}`;
  const failed = before.find(({ state }) => state === 'failed');
  if (failed) return `"${failed.name}" fails with the defence in place: ${failed.note}`;
  const after = await runWithout(folder, defence).catch(messageOf);
  if (typeof after === 'string') return after;
  if (!after.some(isMeant)) return `the edit breaks the tests instead: ${after[0]?.note}`;
  return after.some(({ state }) => state === 'failed') ? undefined : 'its removal is not noticed';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const folder = mkdtempSync(join(tmpdir(), 'colophon-defences-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const rows = chosenRows();
const areBuilt = rows.some(isOfBrowser) ? pages.isCurrent() : pages.isBuilt();
if (!areBuilt && !(await pages.make())) throw new Error('the pages could not be built');
const queue = Map.groupBy(rows, ({ project, testFile }) => `${project} ${testFile}`).values();
const judgeNext = async (_: unknown, index: number): Promise<number> => {
  const copy = await copyTree(join(folder, String(index)));
  let noticed = 0;
  for (const group of queue) noticed += await judgeGroup(copy, group);
  return noticed;
};
const counts = await Promise.all(Array.from({ length: options.jobs }, judgeNext));
const noticed = counts.reduce((sum, count) => sum + count, 0);
console.log(`\n${noticed} removals noticed, ${rows.length - noticed} faults`);
process.exitCode = noticed > 0 && noticed === rows.length ? 0 : 1;
