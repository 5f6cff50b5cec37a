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
    since: text('only those that have changed since this commit', 'revision'),
    only: text('only the defences whose name, file or test contains this text', 'text'),
    jobs: wholeNumber('how many tests run at once, each in its own copy', 2, 1),
  },
);

/** `fault`: why the row proves nothing; undefined when the removal was noticed. */
type Verdict = { defence: Defence; fault: string | undefined };

function chosenRows(): Defence[] {
  const since = options.since ?? (options.changed ? 'origin/main' : undefined);
  const changed =
    since && execFileSync('git', ['diff', '--name-only', '--merge-base', since], { encoding: 'utf8' });
  return readDefences().filter(
    ({ name, file, testFile, testName }) =>
      [name, file, testFile, testName].some((part) => part.includes(options.only ?? '')) &&
      (!changed || [file, testFile].some((one) => changed.split('\n').includes(one))),
  );
}

/** @param defences of one test file and project: a run without an edit shows that all their tests pass. */
async function judgeGroup(folder: string, defences: readonly [Defence, ...Defence[]]): Promise<Verdict[]> {
  const titles = defences.map(({ testName }) => testName);
  const before = await runTests(folder, defences[0], titles).catch(messageOf);
  const verdicts: Verdict[] = [];
  for (const defence of defences) {
    const fault = typeof before === 'string' ? before : await judge(folder, defence, before);
    console.log(`${fault ? 'FAULT  ' : 'noticed'}  ${defence.name}`);
    verdicts.push({ defence, fault });
  }
  return verdicts;
}

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
  const rows = chosenRows();
  if (rows.length === 0) throw new Error('no defence is chosen');
  const areBuilt = rows.some(isOfBrowser) ? pages.isCurrent() : pages.isBuilt();
  if (!areBuilt && !(await pages.make())) throw new Error('The pages could not be built.');
  const groups = Map.groupBy(rows, ({ project, testFile }) => `${project} ${testFile}`);
  const queue = groups.values();
  const verdicts: Verdict[] = [];
  await Promise.all(
    Array.from({ length: options.jobs }, async (_, index) => {
      const copy = await copyTree(join(folder, String(index)));
      for (const [first, ...others] of queue) {
        if (first) verdicts.push(...(await judgeGroup(copy, [first, ...others])));
      }
    }),
  );
  report(verdicts);
  process.exitCode = verdicts.every(({ fault }) => fault === undefined) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  removeFolder();
}
