/** `unsteady`: passed at the second try, and hides a race, of the test or of the store. `note`: why a test was skipped, or failed first. */
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

/** @returns the tests that have not simply passed: the skipped ones by their reasons. */
export function listsOf(outcomes: readonly Outcome[]): string[] {
  const headings = { unsteady: 'Passed at the second try', failed: 'Failed', passed: 'Passed' };
  const headingOf = ({ state, note }: Outcome) =>
    state === 'skipped' ? `Skipped: ${note ?? 'no reason is given'}` : headings[state];
  const line = ({ name, state, note }: Outcome) =>
    `    ${name}${state === 'unsteady' ? `\n        ${note}` : ''}`;
  const lists = Map.groupBy(inState(outcomes, 'skipped', 'unsteady', 'failed'), headingOf);
  return [...lists].map(([heading, listed]) => [`${heading}:`, ...listed.map(line)].join('\n'));
}
