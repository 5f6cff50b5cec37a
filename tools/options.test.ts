import { describe, expect, test } from 'vitest';
import { day, flag, OptionError, oneOf, readWords, someOf, text, wholeNumber } from './options.ts';
import { runScript } from './test/run-script.ts';

const options = {
  books: wholeNumber('how many books', 100, 1),
  since: day('from this day on'),
  state: oneOf('which', ['all', 'new']),
  only: someOf('these alone', ['reads', 'orders']),
  to: text('write it there', 'file'),
  strict: flag('fail on the first error'),
};
const read = (...args: string[]) =>
  readWords('npm run example', { purpose: 'Does something.', options, operands: ['FILE', 'ID…'] }, args);

test('options that are not given have their defaults, and operands are as many as were declared', () => {
  expect(read('out', '1', '2')).toEqual({
    values: {
      books: 100,
      since: undefined,
      state: 'all',
      only: ['reads', 'orders'],
      to: undefined,
      strict: false,
    },
    operands: ['out', '1', '2'],
  });
  const given = ['--books=7', '--since', '2026-11-21', '--state', 'new', '--only', 'orders'];
  expect(read(...given, '--to', 'x', '--strict', 'out', '1')).toMatchObject({
    values: {
      books: 7,
      since: new Date('2026-11-21T00:00:00Z'),
      state: 'new',
      only: ['orders'],
      to: 'x',
      strict: true,
    },
  });
});

test('--help is the usage, with each option and its default', () => {
  expect(read('--help')).toEqual({
    usage: expect.stringMatching(
      /^Usage: npm run example FILE ID… -- \[options\]\n\nDoes something\.\n\n {2}--books <number> +how many books \(default: 100\)\n/,
    ),
  });
});

test.each([
  [['--nonsense'], "Unknown option '--nonsense'"],
  [['--strict=yes'], "Option '--strict' does not take an argument"],
  [['--books', '0', 'a', 'b'], '--books: "0" is not a whole number from 1 to 999999999'],
  [['--books', '0.5', 'a', 'b'], '--books: "0.5" is not a whole number from 1 to 999999999'],
  [['--since', '2026-02-31x', 'a', 'b'], '--since: "2026-02-31x" is not a day such as 2026-11-21'],
  [['--state', 'old', 'a', 'b'], '--state: "old" is none of all, new'],
  [['--only', 'x', 'a', 'b'], '--only: "x" is none of reads, orders'],
  [['--to', '-x', 'a', 'b'], 'needs a value'],
  [[], 'FILE is missing'],
  [['a'], 'ID is missing'],
])('%j is refused in one sentence', (args, message) => {
  const refused = expect(() => read(...args));

  refused.toThrow(OptionError);
  refused.toThrow(message);
});

describe('a script', () => {
  test('prints its usage with --help', async () => {
    expect(await runScript('build', ['--help'])).toEqual({
      stdout: expect.stringMatching(/^Usage: npm run build /),
      stderr: '',
      exitCode: 0,
    });
  });

  test('rejects an unknown option with one line and exit code 2', async () => {
    expect(await runScript('build', ['--nonsense'])).toEqual({
      stdout: '',
      stderr: "Unknown option '--nonsense'; --help lists the options.\n",
      exitCode: 2,
    });
  });
});
