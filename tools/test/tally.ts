/** Counts of passed, failed and skipped checks, and how to read them from the tools' reports. */

export type Tally = {
  passed: number;
  failed: number;
  skipped: readonly { name: string; reason: string }[];
  /** Names of tests that failed, also at their second try. A check without tests has none. */
  failures: readonly string[];
  /** Names of tests that passed at their second try: each hides a race, of the test or of the store. */
  unsteady: readonly string[];
  /** How long the tests of each file took. */
  files: readonly { name: string; ms: number }[];
};

const nothing: Tally = { passed: 0, failed: 0, skipped: [], failures: [], unsteady: [], files: [] };
export const passedOnce: Tally = { ...nothing, passed: 1 };
export const failedOnce: Tally = { ...nothing, failed: 1 };
export const skippedOnce = (name: string, reason: string): Tally => ({
  ...nothing,
  skipped: [{ name, reason }],
});

export const addUp = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.flatMap(({ skipped }) => skipped),
  failures: tallies.flatMap(({ failures }) => failures),
  unsteady: tallies.flatMap(({ unsteady }) => unsteady),
  files: tallies.flatMap(({ files }) => files),
});

export const lastLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped.length} skipped`;

/** No failure, and at least one check that ran. */
export const isGood = ({ passed, failed }: Tally): boolean => failed === 0 && passed > 0;

/** @returns lists of the ten files whose tests took longest, of skipped tests by their reasons, and of those that failed. */
export function listsOf({ files, skipped, unsteady, failures }: Tally): string[] {
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, 10);
  const seconds = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
  const skips = Map.groupBy(skipped, ({ reason }) => reason);
  const lists: [heading: string, names: readonly string[]][] = [
    ['Slowest files', seconds],
    ...[...skips].map(([reason, tests]): [string, string[]] => [
      `Skipped: ${reason}`,
      tests.map(({ name }) => name),
    ]),
    ['Passed at the second try', unsteady],
    ['Failed', failures],
  ];
  return lists
    .filter(([, names]) => names.length > 0)
    .map(([heading, names]) => [`${heading}:`, ...names.map((name) => `    ${name}`)].join('\n'));
}

/** A tool that fails without a failed test counts as one failure. */
export const withOutcome = (tally: Tally, exitCode: number): Tally =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

type PlaywrightTest = {
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  annotations: readonly { type: string; description?: string }[];
  results: readonly { duration: number }[];
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
  const [failed, flaky] = [inStatus('unexpected'), inStatus('flaky')];
  return {
    passed: inStatus('expected').length + flaky.length,
    failed: failed.length,
    failures: failed.map(({ title }) => title),
    unsteady: flaky.map(({ title }) => title),
    skipped: inStatus('skipped').map(({ title, annotations }) => ({
      name: title,
      reason: annotations.find(({ description }) => description)?.description ?? 'no reason is given',
    })),
    files: report.suites.map((suite) => {
      const results = testsIn(suite).flatMap(({ results }) => results);
      return { name: `e2e/${suite.title}`, ms: results.reduce((sum, { duration }) => sum + duration, 0) };
    }),
  };
}

/** @returns the tests of a file. */
export const testsIn = (suite: PlaywrightSuite): (PlaywrightTest & { title: string })[] => [
  ...suite.specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title }))),
  ...(suite.suites ?? []).flatMap(testsIn),
];
