/** A copy of the working tree, in which defences are removed one after another and tests run. */

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Outcome } from '../test/outcomes.ts';
import { type Defence, isOfBrowser, patternOfTitles, removeDefence } from './defences.ts';

const root = join(import.meta.dirname, '..', '..');
/** A removed defence may let a test wait for what never comes; a test's own limit is 30 seconds. */
const runTimeoutMs = 180_000;
const build = "process.exitCode = (await (await import('./tools/builds.ts')).pages.make()) ? 0 : 1";

/** Copies every file that git has or would add, and the built pages; packages are linked. @returns the folder. */
export async function copyTree(folder: string): Promise<string> {
  const listed = await promisify(execFile)('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of [...listed.stdout.split('\0').filter(Boolean), 'dist', 'build']) {
    // A file that was deleted and not committed is listed too.
    if (!existsSync(join(root, file)) || file === 'node_modules') continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** @returns what became of the tests that ran. @throws when there is no report of them. */
export async function runTests(
  folder: string,
  { testFile, project }: Pick<Defence, 'testFile' | 'project'>,
  titles: readonly string[],
): Promise<Outcome[]> {
  const report = join(folder, 'outcomes.json');
  rmSync(report, { force: true });
  const pattern = patternOfTitles(titles);
  const config = `${testFile.startsWith('lab/') ? 'lab' : 'tools/test'}/vitest.config.ts`;
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e/playwright.config.ts'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', `--config=${config}`, '--mode=full'];
  const args = isOfBrowser({ testFile })
    ? [...playwright, `--grep=${pattern}`]
    : [...vitest, `--project=${project}`, `--testNamePattern=${pattern}`];
  const reported = [...args, '--reporter=./tools/test/reporter.ts', testFile];
  const { stderr } = await runNode(folder, reported, { OUTCOMES_FILE: report }).catch((error) => error);
  if (!existsSync(report)) throw new Error(`the tests do not run, or take too long: ${stderr}`);
  const outcomes: Outcome[] = JSON.parse(readFileSync(report, 'utf8'));
  return outcomes
    .filter(({ state }) => state !== 'skipped')
    .map(({ name, ...outcome }) => ({ ...outcome, name: name.replaceAll(' > ', ' ') }));
}

export async function runWithout(folder: string, defence: Defence): Promise<Outcome[]> {
  const path = join(folder, defence.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, removeDefence(source, defence));
  try {
    if (isOfBrowser(defence)) await runNode(folder, ['--input-type=module', '--eval', build]);
    return await runTests(folder, defence, [defence.testName]);
  } finally {
    writeFileSync(path, source);
    if (isOfBrowser(defence)) cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  }
}

const runNode = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(process.execPath, args, {
    ...{ cwd, env: { ...process.env, ...env } },
    ...{ maxBuffer: 64 * 1024 * 1024, timeout: runTimeoutMs },
  });
