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
import { type Defence, isOfBrowser, readDefences } from './defences.ts';
import { copyTree, ScratchCopy } from './scratch-copy.ts';
import type { TestRun } from './warm-vitest.ts';

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

/** Tests of one file in one project: a run without an edit shows that all of them pass. */
type Group = readonly [Defence, ...Defence[]];

async function judgeGroup(copy: ScratchCopy, group: Group): Promise<Verdict[]> {
  const runUnedited = () => copy.runTests({ ...group[0], titles: group.map(({ testName }) => testName) });
  const before = await runUnedited();
  const verdicts: Verdict[] = [];
  for (const defence of group) {
    const fault = baselineFault(defence, before) ?? (await judge(copy, defence));
    verdicts.push({ defence, fault });
  }
  // Rows share a server of PostgreSQL: an edit that damaged it would turn the tests of other rows red.
  const after = group[0].project === 'PostgreSQL' ? await runUnedited() : before;
  return verdicts.map((verdict) => ({
    ...verdict,
    fault: verdict.fault ?? baselineFault(verdict.defence, after),
  }));
}

function baselineFault({ testName, testFile, project }: Defence, run: TestRun): string | undefined {
  if (run.failure !== undefined) return `the tests do not run: ${run.failure}`;
  const matching = run.outcomes.filter(({ title }) => title.includes(testName));
  if (matching.length === 0)
    return `no test of ${testFile} has the title "${testName}" in the project ${project}`;
  const failed = matching.find(({ hasPassed }) => !hasPassed);
  return failed && `"${failed.title}" fails with the defence in place: ${failed.message.split('\n')[0]}`;
}

async function judge(copy: ScratchCopy, defence: Defence): Promise<string | undefined> {
  try {
    const fault = faultOf(await copy.runWithout(defence));
    if (fault === undefined) return undefined;
    // The database that those of tests are copies of was made before the edit: a new process makes another one.
    await copy.close();
    return faultOf(await copy.runWithout(defence));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function faultOf({ failure, outcomes }: TestRun): string | undefined {
  if (failure !== undefined) return `the edit breaks the tests instead: ${failure}`;
  return outcomes.some(({ hasPassed }) => !hasPassed) ? undefined : 'its removal is not noticed';
}

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
      const copy = new ScratchCopy(await copyTree(join(folder, String(index))));
      for (const [first, ...others] of queue) {
        const judged = first ? await judgeGroup(copy, [first, ...others]) : [];
        for (const { defence, fault } of judged)
          console.log(`${fault ? 'FAULT  ' : 'noticed'}  ${defence.name}`);
        verdicts.push(...judged);
      }
      await copy.close();
    }),
  );
  report(verdicts);
  process.exitCode = verdicts.every(({ fault }) => fault === undefined) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  removeFolder();
}
