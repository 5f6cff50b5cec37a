/** Counts of passed, failed and skipped checks, and how to read them from the tools' reports. */

type Skip = { name: string; reason: string };
export type Tally = {
  passed: number;
  failed: number;
  skipped: readonly Skip[];
  /** Names of tests that failed, also at their second try. A check without tests has none. */
  failures?: readonly string[];
  /** Names of tests that passed at their second try: each hides a race, of the test or of the store. */
  unsteady?: readonly string[];
  /** How long the tests of each file took. */
  files?: readonly TestFile[];
};
type TestFile = { name: string; ms: number };

export const passedOnce: Tally = { passed: 1, failed: 0, skipped: [] };
export const failedOnce: Tally = { passed: 0, failed: 1, skipped: [] };

export const addUp = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.flatMap(({ skipped }) => skipped),
  failures: tallies.flatMap(({ failures = [] }) => failures),
  unsteady: tallies.flatMap(({ unsteady = [] }) => unsteady),
  files: tallies.flatMap(({ files = [] }) => files),
});

export const lastLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped.length} skipped`;

/** No failure, and at least one check that ran. */
export const isGood = ({ passed, failed }: Tally): boolean => failed === 0 && passed > 0;

/** @returns the names of the tests that failed, and of those that passed at their second try. */
export const failureLines = ({ failures = [], unsteady = [] }: Tally): string[] => [
  ...(unsteady.length > 0 ? [`Passed at the second try:\n${listNames(unsteady)}`] : []),
  ...(failures.length > 0 ? [`Failed:\n${listNames(failures)}`] : []),
];

/** @returns the ten files whose tests took longest. */
export function slowestLines({ files = [] }: Tally): string[] {
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, 10);
  if (slowest.length === 0) return [];
  return [
    `Slowest files:\n${listNames(slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`))}`,
  ];
}

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
  results?: readonly { duration: number }[];
};
type PlaywrightSuite = {
  title?: string;
  specs: readonly { title: string; tests: readonly PlaywrightTest[] }[];
  suites?: readonly PlaywrightSuite[];
};
/** The part of the JSON reporter's output that is used here: a suite for each file. */
export type PlaywrightReport = { suites: readonly PlaywrightSuite[] };

/** Counts the tests of a report. */
export function tallyOfPlaywright(report: PlaywrightReport): Tally {
  const tests = report.suites.flatMap(testsIn);
  const inStatus = (status: PlaywrightTest['status']) => tests.filter((test) => test.status === status);
  return {
    passed: inStatus('expected').length + inStatus('flaky').length,
    failed: inStatus('unexpected').length,
    failures: inStatus('unexpected').map(({ title }) => title),
    unsteady: inStatus('flaky').map(({ title }) => title),
    skipped: inStatus('skipped').map(({ title, annotations }) => ({
      name: title,
      reason: annotations.find(({ description }) => description)?.description ?? 'no reason is given',
    })),
    files: report.suites.map((suite) => ({ name: `e2e/${suite.title}`, ms: durationOf(suite) })),
  };
}

const durationOf = (suite: PlaywrightSuite): number =>
  testsIn(suite)
    .flatMap(({ results = [] }) => results)
    .reduce((sum, { duration }) => sum + duration, 0);

/** @returns the tests of a file. */
export const testsIn = (suite: PlaywrightSuite): (PlaywrightTest & { title: string })[] => [
  ...suite.specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title }))),
  ...(suite.suites ?? []).flatMap(testsIn),
];
