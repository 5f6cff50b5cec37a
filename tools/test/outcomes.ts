/**
 * `unsteady`: passed at the second try, and hides a race, of the test or of the store. `note`: why a test was skipped, or failed first.
 * `file`: of the test, which took `ms`.
 */
export type Outcome = {
  name: string;
  state: 'passed' | 'unsteady' | 'failed' | 'skipped';
  note?: string | undefined;
  file?: string;
  ms?: number;
};

const inState = (outcomes: readonly Outcome[], ...states: readonly Outcome['state'][]) =>
  outcomes.filter(({ state }) => states.includes(state));

export const lastLine = (outcomes: readonly Outcome[]): string =>
  `${inState(outcomes, 'passed', 'unsteady').length} passed, ${inState(outcomes, 'failed').length} failed, ${inState(outcomes, 'skipped').length} skipped`;

/** No failure, and at least one check that ran. */
export const isGood = (outcomes: readonly Outcome[]): boolean =>
  inState(outcomes, 'failed').length === 0 && inState(outcomes, 'passed', 'unsteady').length > 0;

export function listsOf(outcomes: readonly Outcome[]): string[] {
  const times = [...Map.groupBy(outcomes, ({ file = '' }) => file)]
    .map(([file, tests]) => ({ file, ms: tests.reduce((sum, { ms = 0 }) => sum + ms, 0) }))
    .filter(({ file }) => file !== '')
    .sort((one, other) => other.ms - one.ms);
  const skips = Map.groupBy(inState(outcomes, 'skipped'), ({ note = 'no reason is given' }) => note);
  const namesOf = (listed: readonly Outcome[]) => listed.map(({ name }) => name);
  const lists: [heading: string, lines: readonly string[]][] = [
    [
      'Slowest files',
      times.slice(0, 10).map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`),
    ],
    ...[...skips].map(([note, tests]): [string, string[]] => [`Skipped: ${note}`, namesOf(tests)]),
    [
      'Passed at the second try',
      inState(outcomes, 'unsteady').map(({ name, note }) => `${name}\n        ${note}`),
    ],
    ['Failed', namesOf(inState(outcomes, 'failed'))],
  ];
  return lists
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [`${heading}:`, ...lines.map((line) => `    ${line}`)].join('\n'));
}

type PlaywrightTest = {
  status: keyof typeof states;
  annotations: readonly { type: string; description?: string }[];
  results: readonly { duration: number; error?: { message?: string } }[];
};
type PlaywrightSuite = {
  title?: string;
  specs: readonly { title: string; tests: readonly PlaywrightTest[] }[];
  suites?: readonly PlaywrightSuite[];
};
/** The part of the JSON reporter's output that is used here: a suite for each file. */
type PlaywrightReport = { suites: readonly PlaywrightSuite[] };

const testsIn = (suite: PlaywrightSuite): (PlaywrightTest & { title: string })[] => [
  ...suite.specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title }))),
  ...(suite.suites ?? []).flatMap(testsIn),
];

const states = { expected: 'passed', unexpected: 'failed', flaky: 'unsteady', skipped: 'skipped' } as const;

export const outcomesOf = ({ suites }: PlaywrightReport): Outcome[] =>
  suites.flatMap((suite) =>
    testsIn(suite).map(({ title, status, annotations, results }) => ({
      name: title,
      state: states[status],
      note:
        annotations.find(({ description }) => description)?.description ??
        results.find(({ error }) => error)?.error?.message?.split('\n')[0],
      file: `e2e/${suite.title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  );
