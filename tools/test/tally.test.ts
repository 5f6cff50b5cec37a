import { expect, test } from 'vitest';
import {
  addUp,
  failedOnce,
  failureLines,
  isGood,
  lastLine,
  passedOnce,
  tallyOfPlaywright,
  withOutcome,
} from './tally.ts';

test('a run in which nothing passed, or something failed, is not good', () => {
  expect([addUp([]), passedOnce, addUp([passedOnce, failedOnce])].map(isGood)).toEqual([false, true, false]);
});

test('a tool that fails without a failed test counts as one failure', () => {
  const outcomeOf = (failed: number, exitCode: number) =>
    withOutcome({ passed: 5, failed, skipped: [] }, exitCode).failed;

  expect([outcomeOf(0, 1), outcomeOf(2, 1), outcomeOf(0, 0)]).toEqual([1, 2, 0]);
});

test('the last line counts the browser tests too, also those inside a group, and a skipped one has its reason', () => {
  const specOf = (title: string, status: 'expected' | 'unexpected' | 'flaky' | 'skipped') => ({
    title,
    tests: [{ status, annotations: [{ type: 'skip', description: 'no camera here' }] }],
  });
  const inner = { specs: [specOf('inside', 'unexpected'), specOf('left out', 'skipped')] };
  const outer = [specOf('outside', 'expected'), specOf('late once', 'flaky')];
  const total = tallyOfPlaywright({ suites: [{ specs: outer, suites: [inner] }] });

  expect(lastLine(total)).toBe('2 passed, 1 failed, 1 skipped');
  expect(failureLines(total)).toEqual(['Passed at the second try:\n    late once', 'Failed:\n    inside']);
  expect(total.skipped).toEqual([{ name: 'left out', reason: 'no camera here' }]);
});
