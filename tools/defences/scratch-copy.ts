/** A copy of the working tree, in which defences are removed one after another and tests run. */

import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PlaywrightReport, testsIn } from '../test/outcomes.ts';
import { type Defence, isOfBrowser, patternOfTitles, removeDefence } from './defences.ts';
import type { TestRequest, TestRun } from './warm-vitest.ts';

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

export class ScratchCopy {
  readonly #folder: string;
  #vitest: ReturnType<typeof startVitest> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async runTests(request: TestRequest): Promise<TestRun> {
    if (isOfBrowser(request)) return await this.#runPlaywright(request);
    const config = `${request.testFile.startsWith('lab/') ? 'lab' : 'tools/test'}/vitest.config.ts`;
    if (this.#vitest?.config !== config) await this.close();
    this.#vitest ??= startVitest(this.#folder, config);
    const { process, ended } = this.#vitest;
    process.send(request);
    try {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(runTimeoutMs)]);
      const [run] = await once(process, 'message', { signal });
      return run;
    } catch {
      await this.close();
      return { outcomes: [], failure: `the tests took more than ${runTimeoutMs / 1000} s, or Vitest ended` };
    }
  }

  async runWithout(defence: Defence): Promise<TestRun> {
    const path = join(this.#folder, defence.file);
    const source = readFileSync(path, 'utf8');
    const wasReady = this.#vitest !== undefined;
    writeFileSync(path, removeDefence(source, defence));
    try {
      if (isOfBrowser(defence)) await this.#run('--input-type=module', '--eval', build);
      return await this.runTests({ ...defence, titles: [defence.testName] });
    } finally {
      writeFileSync(path, source);
      if (isOfBrowser(defence)) cpSync(join(root, 'dist'), join(this.#folder, 'dist'), { recursive: true });
      // Code with the edit has made the database that those of tests are copies of.
      if (!wasReady) await this.close();
    }
  }

  async #runPlaywright({ testFile, titles }: TestRequest): Promise<TestRun> {
    const cli = ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e/playwright.config.ts'];
    const { stdout } = await this.#run(
      ...cli,
      '--reporter=json',
      `--grep=${patternOfTitles(titles)}`,
      testFile,
    ).catch((error) => error);
    try {
      const { suites }: PlaywrightReport = JSON.parse(stdout);
      const outcomes = suites
        .flatMap(testsIn)
        .map(({ title, status }) => ({ title, hasPassed: status === 'expected', message: status }));
      return { outcomes, failure: undefined };
    } catch {
      return { outcomes: [], failure: `Playwright has made no report: ${stdout}` };
    }
  }

  #run(...args: string[]) {
    const options = { cwd: this.#folder, maxBuffer: 64 * 1024 * 1024, timeout: runTimeoutMs };
    return promisify(execFile)(process.execPath, args, options);
  }

  /** Ends Vitest, which stops its PostgreSQL; the next run starts both. */
  async close(): Promise<void> {
    if (!this.#vitest) return;
    const { process, ended } = this.#vitest;
    this.#vitest = undefined;
    if (process.connected) process.disconnect();
    if (!ended.aborted) await once(process, 'exit');
  }
}

function startVitest(folder: string, config: string) {
  const child = fork('tools/defences/warm-vitest.ts', [config], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  return { config, process: child, ended: ended.signal };
}
