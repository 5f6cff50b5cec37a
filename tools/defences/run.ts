/**
 * `npm run test:defences`: removes each defence of the store in a copy of the working tree, and runs the test that must
 * notice. A test that stays green proves nothing about its defence.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arePagesBuilt, buildPages } from '../build-pages.ts';
import { readOptions, text, wholeNumber } from '../options.ts';
import type { Defence } from './defence.ts';
import { defences } from './defences.ts';
import { makeScratchCopy, type ScratchCopy, type TestRun } from './scratch-copy.ts';

const options = readOptions(
  'npm run test:defences',
  'Removes each defence of the store in a copy, and checks that its test fails.',
  {
    only: text('only the defences whose name, file or test contains this text', 'text'),
    jobs: wholeNumber('how many tests run at once, each in its own copy', 2, 1),
  },
);

/** `fault`: why the row proves nothing; undefined when the removal was noticed. */
type Verdict = { defence: Defence; fault: string | undefined; seconds: number };

const isChosen = ({ name, file, testFile, testName }: Defence): boolean =>
  [name, file, testFile, testName].some((part) => part.includes(options.only ?? ''));

/** Runs the jobs in turn, each in a free copy. @returns the results in the order of the jobs. */
async function inCopies<Job, Result>(
  copies: readonly ScratchCopy[],
  jobs: readonly Job[],
  run: (copy: ScratchCopy, job: Job) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = jobs.entries();
  const worker = async (copy: ScratchCopy) => {
    for (const [index, job] of queue) results[index] = await run(copy, job);
  };
  await Promise.all(copies.map(worker));
  return results;
}

const testsOf = ({ project, testFile }: Defence): string => `${project} ${testFile}`;

/** @returns by project and file, what its tests do while every defence is in place. */
async function runUnedited(
  copies: readonly ScratchCopy[],
  rows: readonly Defence[],
): Promise<Map<string, TestRun>> {
  const groups = [...Map.groupBy(rows, testsOf)];
  const runs = await inCopies(copies, groups, async (copy, [tests, group]) => {
    const [first] = group;
    if (!first) throw new Error('a group without rows');
    const run = await copy.runTests(
      first,
      group.map(({ testName }) => testName),
    );
    return [tests, run] as const;
  });
  return new Map(runs);
}

/** @returns why a row's test cannot notice anything, with every defence in place. */
function baselineFault(
  { testName, testFile, project }: Defence,
  run: TestRun | undefined,
): string | undefined {
  if (!run || run.failure !== undefined) return `the tests do not run: ${run?.failure}`;
  const matching = run.outcomes.filter(({ title }) => title.includes(testName));
  if (matching.length === 0) {
    return `no test of ${testFile} has the title "${testName}" in the project ${project}, which may not run this file`;
  }
  const failed = matching.find(({ hasPassed }) => !hasPassed);
  return failed && `"${failed.title}" fails with the defence in place: ${failed.messages[0]?.split('\n')[0]}`;
}

async function judge(copy: ScratchCopy, defence: Defence): Promise<string | undefined> {
  try {
    const run = await copy.without(defence, () => copy.runTests(defence, [defence.testName]));
    if (run.failure !== undefined) return `the edit breaks the tests instead: ${run.failure}`;
    return run.outcomes.some(({ hasPassed }) => !hasPassed) ? undefined : 'its removal is not noticed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function print({ defence, fault, seconds }: Verdict): void {
  const outcome = fault === undefined ? 'noticed' : 'FAULT  ';
  console.log(`${outcome}  ${seconds.toFixed(1).padStart(5)} s  ${defence.name}`);
}

/** Explains each fault, and counts. */
function report(verdicts: readonly Verdict[]): void {
  const faults = verdicts.filter(({ fault }) => fault !== undefined);
  for (const { defence, fault } of faults) {
    const { name, file, testFile, testName } = defence;
    console.log(`\n${name}\n  ${file}\n  ${testFile}: ${testName}\n  ${fault?.replaceAll('\n', '\n  ')}`);
  }
  console.log(`\n${verdicts.length - faults.length} removals noticed, ${faults.length} faults`);
}

const folder = mkdtempSync(join(tmpdir(), 'colophon-defences-'));
const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    removeFolder();
    process.exit(1);
  });
}

try {
  const rows = defences.filter(isChosen);
  if (rows.length === 0) throw new Error(`no defence contains "${options.only}"`);
  if (!arePagesBuilt() && !(await buildPages())) throw new Error('The pages could not be built.');
  const copies = await Promise.all(
    Array.from({ length: options.jobs }, (_, index) => makeScratchCopy(join(folder, String(index)))),
  );
  const unedited = await runUnedited(copies, rows);
  const verdicts = await inCopies(copies, rows, async (copy, defence): Promise<Verdict> => {
    const startedAt = performance.now();
    const fault = baselineFault(defence, unedited.get(testsOf(defence))) ?? (await judge(copy, defence));
    const verdict = { defence, fault, seconds: (performance.now() - startedAt) / 1000 };
    print(verdict);
    return verdict;
  });
  report(verdicts);
  process.exitCode = verdicts.every(({ fault }) => fault === undefined) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  removeFolder();
}
