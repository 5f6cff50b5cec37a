/**
 * `npm test`: runs all checks, and prints their totals in the last line. `npm run check` runs those that take seconds: types,
 * lint, and the tests that open nothing. `npm run test:full` adds the other engine where `npm test` needs one, and the
 * laboratory, which has the long tests and those with other programs.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, howToInstall } from '../../e2e/browsers/chromium.ts';
import { findFirefox } from '../../e2e/browsers/firefox.ts';
import { findWebKit, webKitPackages } from '../../e2e/browsers/webkit.ts';
import { canInstallPackages, installPackages, installPrograms } from '../debian-packages.ts';
import { flag, readOptions } from '../options.ts';
import {
  addUp,
  allSkipped,
  failedOnce,
  failureLines,
  isGood,
  lastLine,
  passedOnce,
  skipLines,
  slowestLines,
  type Tally,
  tallyOfPlaywright,
  withOutcome,
} from './tally.ts';

const script = process.env['npm_lifecycle_event'] ?? 'test';
const options = readOptions(script === 'test' ? 'npm test' : `npm run ${script}`, 'Runs checks and tests.', {
  full: flag('also every test on both databases, and those of the laboratory; npm run test:full sets it'),
  quick: flag('only types, lint and unit tests; npm run check sets it'),
  retry: flag('try a test that failed once more, and name it at the end'),
});

const root = join(import.meta.dirname, '..', '..');
const reports = mkdtempSync(join(tmpdir(), 'colophon-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

/** @returns the exit code; a program that cannot be started, or is killed, counts as failed. */
const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });

/** Runs the command of a package with this Node, by its file: `.bin` has different files on different systems. */
function runTool(name: string, command: string, args: readonly string[], env?: NodeJS.ProcessEnv) {
  const folder = join(root, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return run(process.execPath, [join(folder, bin[command]), ...args], env);
}

const asOneCheck = async (exitCode: Promise<number>): Promise<Tally> =>
  (await exitCode) === 0 ? passedOnce : failedOnce;

const vitestArguments = (config: string, ...only: readonly string[]): string[] => [
  'run',
  `--config=${config}`,
  '--reporter=default',
  '--reporter=./tools/test/vitest-tally.ts',
  ...(options.retry ? ['--retry=1'] : []),
  ...only,
];

const mode = options.full ? ['--mode=full'] : [];

const runVitest = (...only: string[]): Promise<Tally> =>
  tallyVitest('vitest.json', (env) =>
    runTool('vitest', 'vitest', vitestArguments('tools/test/vitest.config.ts', ...mode, ...only), env),
  );

const runLab = (tool: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  run(process.execPath, ['tools/lab.ts', `../node_modules/${tool}`, ...args], env);

const runVitestOfLab = (): Promise<Tally> =>
  tallyVitest('vitest-lab.json', (env) =>
    runLab('vitest/vitest.mjs', vitestArguments('lab/vitest.config.ts'), env),
  );

async function tallyVitest(
  name: string,
  runTests: (env: NodeJS.ProcessEnv) => Promise<number>,
): Promise<Tally> {
  const file = join(reports, name);
  const exitCode = await runTests({ TALLY_FILE: file });
  return existsSync(file) ? withOutcome(readJson<Tally>(file), exitCode) : failedOnce;
}

const playwright = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  runTool('@playwright/test', 'playwright', ['test', '--config=e2e/playwright.config.ts', ...args], env);

async function runPlaywright(isBuilt: boolean): Promise<Tally> {
  const chromium = await provideChromium();
  // Without them, their tests are skipped, and say so.
  await provideOtherBrowsers();
  if (!isBuilt) return skipPlaywright('the pages could not be built');
  if (!chromium) return skipPlaywright(howToInstall);
  const file = join(reports, 'playwright.json');
  const exitCode = await playwright(['--reporter=list,json', ...(options.retry ? ['--retries=1'] : [])], {
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  return existsSync(file) ? withOutcome(tallyOfPlaywright(readJson(file)), exitCode) : failedOnce;
}

async function skipPlaywright(reason: string): Promise<Tally> {
  console.log(reason);
  const file = join(reports, 'playwright-list.json');
  await playwright(['--list', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return existsSync(file) ? allSkipped(readJson(file), reason) : failedOnce;
}

async function provideChromium(): Promise<string | undefined> {
  const found = findChromium();
  if (found || process.env['CHROMIUM_PATH'] || !canInstallPackages()) return found;
  console.log('No Chromium is installed: apt-get installs it.');
  // The recommended packages have the fonts.
  const isInstalled = await installPackages(['chromium'], { withRecommended: true });
  return isInstalled ? findChromium() : undefined;
}

async function provideOtherBrowsers(): Promise<void> {
  const missing = [
    ...(findFirefox() || process.env['FIREFOX_PATH'] ? [] : ['firefox-esr']),
    ...(findWebKit() ? [] : webKitPackages),
  ];
  if (missing.length === 0 || !canInstallPackages()) return;
  console.log(`apt-get installs other browsers: ${missing.join(', ')}.`);
  await installPackages(missing);
}

/** Debian's packages of programs that some tests start. Without one its tests are skipped, and say so. */
const programsOfTests = {
  openssl: 'openssl',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  strace: 'strace',
};

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function step(heading: string, work: () => Promise<Tally>): Promise<Tally> {
  console.log(`\n== ${heading}`);
  const startedAt = performance.now();
  const tally = await work();
  console.log(`-- ${heading}: ${lastLine(tally)} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
  return tally;
}

const tsc = (config: string) => asOneCheck(runTool('typescript', 'tsc', ['-p', config]));

async function* quickChecks() {
  yield await step('Types of server, tests and tools', () => tsc('tsconfig.json'));
  yield await step('Types of the browser app', () => tsc('web/tsconfig.json'));
  yield await step('Lint', () => asOneCheck(runTool('@biomejs/biome', 'biome', ['check', '.'])));
}

async function* slowChecks() {
  const build = await step('Build of the browser app', () =>
    asOneCheck(run(process.execPath, ['tools/build.ts'])),
  );
  yield build;
  // After the build: some start the whole store.
  await installPrograms(programsOfTests);
  yield await step('Unit and API tests', runVitest);
  yield await step('Browser tests', () => runPlaywright(isGood(build)));
}

async function* labChecks() {
  yield await step('Types of the laboratory', () =>
    asOneCheck(runLab('typescript/bin/tsc', ['-p', 'lab/tsconfig.json'])),
  );
  yield await step('Tests of the laboratory', runVitestOfLab);
}

const tallies = await Array.fromAsync(quickChecks());
if (options.quick) {
  tallies.push(
    await step('Unit tests', () =>
      runVitest('--project=plain', '--project=schedules', '--exclude=tools/defences/**'),
    ),
  );
} else {
  tallies.push(...(await Array.fromAsync(slowChecks())));
  if (options.full) tallies.push(...(await Array.fromAsync(labChecks())));
}
const total = addUp(tallies);
for (const line of [...slowestLines(total), ...skipLines(total), ...failureLines(total)])
  console.log(`\n${line}`);
console.log(`\n${lastLine(total)}`);
process.exitCode = isGood(total) ? 0 : 1;
