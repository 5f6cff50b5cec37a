/** Counts of passed, failed and skipped checks, and how they are read from the tools that ran them. */

export type Skip = { name: string; reason: string };
export type Tally = { passed: number; failed: number; skipped: readonly Skip[] };

export const passedOnce: Tally = { passed: 1, failed: 0, skipped: [] };
export const failedOnce: Tally = { passed: 0, failed: 1, skipped: [] };

export const addUp = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.flatMap(({ skipped }) => skipped),
});

export const lastLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped.length} skipped`;

/** Nothing at all having run is no success. */
export const isGood = ({ passed, failed }: Tally): boolean => failed === 0 && passed > 0;

/** What was skipped, told once for each reason. */
export const skipLines = ({ skipped }: Tally): string[] =>
  [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, skips]) =>
      `${skips.length} skipped: ${reason}\n${skips.map(({ name }) => `    ${name}`).join('\n')}`,
  );

/** A tool that failed without naming a test that failed has failed as a whole. */
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
/** The part of the JSON reporter's output that counts. */
export type PlaywrightReport = { suites: readonly PlaywrightSuite[] };

/** A test that needed another try is one that fails at times: it counts as failed. */
export function tallyOfPlaywright(report: PlaywrightReport): Tally {
  const tests = report.suites.flatMap(testsIn);
  const count = (...statuses: PlaywrightTest['status'][]) =>
    tests.filter(({ status }) => statuses.includes(status)).length;
  return {
    passed: count('expected'),
    failed: count('unexpected', 'flaky'),
    skipped: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ title, annotations }) => ({
        name: title,
        reason: annotations.find(({ description }) => description)?.description ?? 'no reason is given',
      })),
  };
}

/** Every test of a report (such as that of `--list`) as skipped for one reason. */
export const allSkipped = (report: PlaywrightReport, reason: string): Tally => ({
  passed: 0,
  failed: 0,
  skipped: report.suites.flatMap(testsIn).map(({ title }) => ({ name: title, reason })),
});

const testsIn = (suite: PlaywrightSuite): (PlaywrightTest & { title: string })[] => [
  ...suite.specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title }))),
  ...(suite.suites ?? []).flatMap(testsIn),
];
