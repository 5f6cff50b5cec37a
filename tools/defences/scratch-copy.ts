/** A copy of the working tree, in which defences are removed one after another and tests run. */

import { execFile, spawn } from 'node:child_process';
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
import { type Defence, removeDefence } from './defence.ts';

const root = join(import.meta.dirname, '..', '..');
/** A removed defence may let a test wait for what never comes; a test's own limit is 30 seconds. */
const runTimeoutMs = 180_000;

/** A test that ran, with its full title. */
export type TestOutcome = { title: string; hasPassed: boolean; messages: readonly string[] };

export type TestRun = {
  outcomes: readonly TestOutcome[];
  /** Why no test ran, where that is so: the file cannot be loaded, or the tests took too long. */
  failure: string | undefined;
};

export type ScratchCopy = {
  /** Runs the tests of one file whose titles contain one of the texts. */
  runTests(test: Pick<Defence, 'project' | 'testFile'>, titles: readonly string[]): Promise<TestRun>;
  /** Removes a defence, and puts it back when `work` has ended. @throws as {@link removeDefence}. */
  without<Result>(defence: Defence, work: () => Promise<Result>): Promise<Result>;
};

/**
 * Copies every file that git has or would add, and the built pages; packages are linked.
 * @param folder of the copy; it must not exist.
 */
export async function makeScratchCopy(folder: string): Promise<ScratchCopy> {
  const listed = await promisify(execFile)('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of [...listed.stdout.split('\0').filter(Boolean), 'dist']) {
    // A file that was deleted and not committed is listed too.
    if (!existsSync(join(root, file)) || file === 'node_modules') continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'), 'junction');

  return {
    runTests: ({ project, testFile }, titles) => runVitest(folder, project, testFile, titles),
    async without(defence, work) {
      const path = join(folder, defence.file);
      const source = readFileSync(path, 'utf8');
      writeFileSync(path, removeDefence(source, defence));
      try {
        return await work();
      } finally {
        writeFileSync(path, source);
      }
    },
  };
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

async function runVitest(
  folder: string,
  project: string,
  testFile: string,
  titles: readonly string[],
): Promise<TestRun> {
  const report = join(folder, 'defences-report.json');
  rmSync(report, { force: true });
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=tools/test/vitest.config.ts',
      `--project=${project}`,
      testFile,
      '--testNamePattern',
      titles.map(escapeRegExp).join('|'),
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: runTimeoutMs, killSignal: 'SIGKILL' },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await new Promise((resolve) => child.on('close', resolve));
  if (!existsSync(report)) return { outcomes: [], failure: lastLines(output) };
  return readReport(JSON.parse(readFileSync(report, 'utf8')), titles);
}

/** The part of the JSON reporter's output that is used here. */
type VitestReport = {
  testResults: readonly {
    status: string;
    message: string;
    assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] }[];
  }[];
};

function readReport({ testResults }: VitestReport, titles: readonly string[]): TestRun {
  const outcomes = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => titles.some((title) => fullName.includes(title)))
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, status, failureMessages }) => ({
      title: fullName,
      hasPassed: status === 'passed',
      messages: failureMessages,
    }));
  const broken = testResults.find(({ status, message }) => status === 'failed' && message !== '');
  return { outcomes, failure: outcomes.length === 0 && broken ? lastLines(broken.message) : undefined };
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-5).join('\n');
