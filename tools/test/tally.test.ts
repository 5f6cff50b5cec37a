import { expect, test } from 'vitest';
import {
  addUp,
  allSkipped,
  failedOnce,
  failureLines,
  isGood,
  lastLine,
  maxUnsteady,
  type PlaywrightReport,
  passedOnce,
  skipLines,
  tallyOfPlaywright,
  withOutcome,
} from './tally.ts';

const report: PlaywrightReport = {
  suites: [
    {
      specs: [{ title: 'outside', tests: [{ status: 'expected', annotations: [] }] }],
      suites: [
        {
          specs: [
            { title: 'inside', tests: [{ status: 'unexpected', annotations: [] }] },
            { title: 'unsteady', tests: [{ status: 'flaky', annotations: [] }] },
            {
              title: 'left out',
              tests: [{ status: 'skipped', annotations: [{ type: 'skip', description: 'no camera here' }] }],
            },
          ],
        },
      ],
    },
  ],
};

test('the last line adds up every step', () => {
  const total = addUp([passedOnce, failedOnce, tallyOfPlaywright(report)]);

  expect(lastLine(total)).toBe('3 passed, 2 failed, 1 skipped');
});

test('tests that failed are named, also those that passed when repeated', () => {
  expect(failureLines(addUp([failedOnce, tallyOfPlaywright(report)]))).toEqual([
    'Failed:\n    inside',
    'Failed, and passed when repeated (at most 3 may):\n    unsteady',
  ]);
});

test('a skipped test is listed with its reason', () => {
  expect(skipLines(tallyOfPlaywright(report))).toEqual(['1 skipped: no camera here\n    left out']);
});

test('without a browser every browser test counts as skipped', () => {
  expect(lastLine(allSkipped(report, 'no browser'))).toBe('0 passed, 0 failed, 4 skipped');
});

test('a run in which nothing passed is not good', () => {
  expect(isGood(addUp([]))).toBe(false);
  expect(isGood(passedOnce)).toBe(true);
  expect(isGood(addUp([passedOnce, failedOnce]))).toBe(false);
});

test('a run in which many tests had to be repeated is not good', () => {
  const names = Array.from({ length: maxUnsteady + 1 }, (_, index) => `test ${index}`);

  expect(isGood({ ...passedOnce, unsteady: names.slice(1) })).toBe(true);
  expect(isGood({ ...passedOnce, unsteady: names })).toBe(false);
});

test('a tool that fails without a failed test counts as one failure', () => {
  expect(withOutcome({ passed: 5, failed: 0, skipped: [] }, 1).failed).toBe(1);
  expect(withOutcome({ passed: 5, failed: 2, skipped: [] }, 1).failed).toBe(2);
  expect(withOutcome({ passed: 5, failed: 0, skipped: [] }, 0).failed).toBe(0);
});
