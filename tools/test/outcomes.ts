/**
 * `unsteady`: passed at the second try, and hides a race, of the test or of the store. `note`: why a test was skipped, or failed first.
 */
export type Outcome = {
  name: string;
  state: 'passed' | 'unsteady' | 'failed' | 'skipped';
  note?: string | undefined;
};

const inState = (outcomes: readonly Outcome[], ...states: readonly Outcome['state'][]) =>
  outcomes.filter(({ state }) => states.includes(state));

export const lastLine = (outcomes: readonly Outcome[]): string =>
  `${inState(outcomes, 'passed', 'unsteady').length} passed, ${inState(outcomes, 'failed').length} failed, ${inState(outcomes, 'skipped').length} skipped`;

/** True if no check has failed, and at least one has run. */
export const isGood = (outcomes: readonly Outcome[]): boolean =>
  inState(outcomes, 'failed').length === 0 && inState(outcomes, 'passed', 'unsteady').length > 0;

export function listsOf(outcomes: readonly Outcome[]): string[] {
  const skips = Map.groupBy(inState(outcomes, 'skipped'), ({ note = 'no reason is given' }) => note);
  const namesOf = (listed: readonly Outcome[]) => listed.map(({ name }) => name);
  const lists: [heading: string, lines: readonly string[]][] = [
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
  results: readonly { error?: { message?: string } }[];
};
type PlaywrightSuite = {
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
    })),
  );
