/**
 * `npm test`: runs all checks, and prints their totals in the last line. `npm run check` runs those that take seconds: types,
 * lint, and the tests that open nothing. `npm run test:full` adds the other engine where `npm test` needs one, looks, other
 * browsers, and the laboratory, which has the long tests and those with other programs.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, howToInstall } from '../../e2e/browsers/chromium.ts';
import { unanswered } from '../../server/testing/answers.ts';
import { installPrograms } from '../debian-packages.ts';
import { flag, readOptions } from '../options.ts';
import { isGood, lastLine, listsOf, type Outcome } from './outcomes.ts';

type Output = 'inherit' | number;
type Step = { heading: string; work(output: Output): Promise<readonly Outcome[]> };

/** Runs a file with this Node: the shims of `node_modules/.bin` differ between systems. @returns 1 for a process that was killed. */
const run = (args: readonly string[], output: Output, env: NodeJS.ProcessEnv = {}): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    });
    child.on('close', (code) => resolve(code ?? 1));
  });

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=tools/test/vitest.config.ts'];
const words = process.argv.slice(2);
if (words[0]?.startsWith('-') === false) process.exit(await run([...vitest, ...words], 'inherit'));

const script = process.env['npm_lifecycle_event'] ?? 'test';
const options = readOptions(
  script === 'test' ? 'npm test' : `npm run ${script}`,
  'Runs checks and tests. A path in front, as in `npm test -- server/orders`: these tests alone, with options of Vitest.',
  {
    full: flag('also both databases, looks, other browsers and the laboratory; npm run test:full sets it'),
    retry: flag('try a test that failed once more, and name it at the end'),
    quick: flag('only types, lint and unit tests; npm run check sets it'),
  },
);

const reports = mkdtempSync(join(tmpdir(), 'colophon-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const answersFile = join(reports, 'answers.txt');

const one = (name: string, state: Outcome['state'], note?: string): Outcome[] => [{ name, state, note }];

const check = (heading: string, ...args: string[]): Step => ({
  heading,
  work: async (output) => one(heading, (await run(args, output)) === 0 ? 'passed' : 'failed'),
});

/** Runs a tool with the reporter of reporter.ts. A tool that fails without a failed test counts as one failure. */
const tested = (heading: string, ...args: string[]): Step => ({
  heading,
  async work(output) {
    const file = join(reports, `${heading}.json`);
    const exitCode = await run(args, output, { OUTCOMES_FILE: file, ANSWERS_FILE: answersFile });
    const outcomes: Outcome[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    const isTold = exitCode === 0 || outcomes.some(({ state }) => state === 'failed');
    return isTold ? outcomes : [...outcomes, ...one(heading, 'failed')];
  },
});

const tests = (heading: string, ...args: string[]): Step =>
  tested(
    heading,
    ...[...args, '--reporter=default', '--reporter=./tools/test/reporter.ts'],
    ...(options.retry ? ['--retry=1'] : []),
  );

const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e/playwright.config.ts'];
const inBrowsers = tested(
  'Browser tests',
  ...[...playwright, '--reporter=list,./tools/test/reporter.ts'],
  ...(options.full ? [] : ['--project=gate*']),
  ...(options.retry ? ['--retries=1'] : []),
);
const browserTests: Step = {
  ...inBrowsers,
  work: async (output) =>
    findChromium() ? inBrowsers.work(output) : one(inBrowsers.heading, 'skipped', howToInstall),
};

const answers: Step = {
  heading: 'Answers of the API',
  async work() {
    const missing = unanswered(answersFile).flatMap((answer) =>
      one(`no test sees the answer ${answer}`, 'failed'),
    );
    return missing.length === 0 ? one(answers.heading, 'passed') : missing;
  },
};

const types = (heading: string, project: string, name: string): Step => {
  const cache = `node_modules/.cache/${name}.tsbuildinfo`;
  const args = ['-p', project, '--incremental', '--tsBuildInfoFile', cache];
  return check(heading, 'node_modules/typescript/bin/tsc', ...args);
};

const quickSteps = [
  tests('Unit tests', ...vitest, '--project=plain', '--project=schedules'),
  types('Types of server, tests and tools', 'tsconfig.json', 'server'),
  types('Types of the browser app', 'web/tsconfig.json', 'web'),
  check('Lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.'),
];
const build = check('Build', 'tools/build.ts');
const apiTests = tests(
  'Tests with a database',
  ...[...vitest, '--project=!plain', '--project=!schedules', ...(options.full ? ['--mode=full'] : [])],
);
const inLab = (file: string, ...args: string[]) => ['tools/lab.ts', `../node_modules/${file}`, ...args];
const labSteps = [
  check('Types of the laboratory', ...inLab('typescript/bin/tsc', '-p', 'lab/tsconfig.json')),
  tests('Tests of the laboratory', ...inLab('vitest/vitest.mjs', 'run', '--config=lab/vitest.config.ts')),
];

const hasChromium = findChromium() !== undefined || process.env['CHROMIUM_PATH'] !== undefined;
/** Fonts that replace Times and Arial: until a page's own fonts have loaded, it has these, in the same places. */
const chromiumPackages = { 'chromium-headless-shell': 'chromium-headless-shell fonts-liberation' };
/** Debian's packages for the rest of `npm run test:full`. Without a package its tests are skipped, and report that. */
const programsOfFullTests = {
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  pg_dump: 'postgresql-client',
};

const all: Outcome[] = [];

async function perform({ heading, work }: Step, file?: string): Promise<boolean> {
  if (!file) console.log(`\n== ${heading}`);
  const startedAt = performance.now();
  const outcomes = await work(file ? openSync(file, 'w') : 'inherit');
  all.push(...outcomes);
  if (file) console.log(`\n== ${heading}\n${readFileSync(file, 'utf8')}`.trimEnd());
  console.log(
    `-- ${heading}: ${lastLine(outcomes)} (${Math.round((performance.now() - startedAt) / 1000)} s)`,
  );
  return isGood(outcomes);
}

/** Runs two checks at a time, which keep two cores busy. The output of each is printed as a whole when it has ended. */
async function performAtOnce(steps: readonly Step[]): Promise<void> {
  const queue = steps.values();
  const performNext = async () => {
    for (const step of queue) await perform(step, join(reports, step.heading));
  };
  await Promise.all([performNext(), performNext()]);
}

await performAtOnce(options.quick ? quickSteps : [build, ...quickSteps]);
const isBuilt = all.some(({ name, state }) => name === build.heading && state === 'passed');
if (!options.quick && !isBuilt) console.log('\nWithout a build the other tests do not run.');
else if (!options.quick) {
  if (!hasChromium) await installPrograms(chromiumPackages);
  if (options.full) await installPrograms(programsOfFullTests);
  process.env['STORE_IS_BUILT'] = 'true';
  if (await perform(apiTests)) await perform(answers);
  for (const step of [browserTests, ...(options.full ? labSteps : [])]) await perform(step);
}
for (const list of listsOf(all)) console.log(`\n${list}`);
console.log(`\n${lastLine(all)}`);
process.exitCode = isGood(all) ? 0 : 1;
