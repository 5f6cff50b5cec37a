/** Counts of passed, failed and skipped checks, and how to read them from the tools' reports. */

export type Skip = { name: string; reason: string };
export type Tally = {
  passed: number;
  failed: number;
  skipped: readonly Skip[];
  /** Names of tests that failed. A check without tests has none. */
  failures?: readonly string[];
  /** Names of tests that failed at first and passed when they were repeated. They count as passed. */
  unsteady?: readonly string[];
};

/**
 * How many tests may pass only when they are repeated. On a machine that others use, a process may start seconds late. More
 * of them mean that something is wrong.
 */
export const maxUnsteady = 3;

export const passedOnce: Tally = { passed: 1, failed: 0, skipped: [] };
export const failedOnce: Tally = { passed: 0, failed: 1, skipped: [] };

export const addUp = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.flatMap(({ skipped }) => skipped),
  failures: tallies.flatMap(({ failures = [] }) => failures),
  unsteady: tallies.flatMap(({ unsteady = [] }) => unsteady),
});

export const lastLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped.length} skipped`;

/** No failure, at least one check that ran, and few that had to be repeated. */
export const isGood = ({ passed, failed, unsteady = [] }: Tally): boolean =>
  failed === 0 && passed > 0 && unsteady.length <= maxUnsteady;

/** @returns the names of the tests that failed, and of those that passed when repeated. */
export const failureLines = ({ failures = [], unsteady = [] }: Tally): string[] => [
  ...(failures.length > 0 ? [`Failed:\n${listNames(failures)}`] : []),
  ...(unsteady.length > 0
    ? [`Failed, and passed when repeated (at most ${maxUnsteady} may):\n${listNames(unsteady)}`]
    : []),
];

const listNames = (names: readonly string[]) => names.map((name) => `    ${name}`).join('\n');

/** @returns a text for each reason, with the names of the skipped tests. */
export const skipLines = ({ skipped }: Tally): string[] =>
  [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, skips]) => `${skips.length} skipped: ${reason}\n${listNames(skips.map(({ name }) => name))}`,
  );

/** A tool that fails without a failed test counts as one failure. */
export const withOutcome = (tally: Tally, exitCode: number): Tally =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

type PlaywrightTest = {
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  annotations: readonly { type: string; description?: string }[];
};
type PlaywrightSuite = {
  specs: readonly { title: string; tests: readonly PlaywrightTest[] }[];
  suites?: readonly PlaywrightSuite[];
};
/** The part of the JSON reporter's output that is used here. */
export type PlaywrightReport = { suites: readonly PlaywrightSuite[] };

/** Counts the tests of a report. */
export function tallyOfPlaywright(report: PlaywrightReport): Tally {
  const tests = report.suites.flatMap(testsIn);
  const count = (...statuses: PlaywrightTest['status'][]) =>
    tests.filter(({ status }) => statuses.includes(status)).length;
  const titles = (status: PlaywrightTest['status']) =>
    tests.filter((test) => test.status === status).map(({ title }) => title);
  return {
    passed: count('expected', 'flaky'),
    failed: count('unexpected'),
    failures: titles('unexpected'),
    unsteady: titles('flaky'),
    skipped: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ title, annotations }) => ({
        name: title,
        reason: annotations.find(({ description }) => description)?.description ?? 'no reason is given',
      })),
  };
}

/** Counts every test of a report, such as that of `--list`, as skipped for one reason. */
export const allSkipped = (report: PlaywrightReport, reason: string): Tally => ({
  passed: 0,
  failed: 0,
  skipped: report.suites.flatMap(testsIn).map(({ title }) => ({ name: title, reason })),
});

const testsIn = (suite: PlaywrightSuite): (PlaywrightTest & { title: string })[] => [
  ...suite.specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title }))),
  ...(suite.suites ?? []).flatMap(testsIn),
];
