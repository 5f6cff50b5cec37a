import { expect, test } from 'vitest';
import { day, flag, OptionError, oneOf, readWords, someOf, text, wholeNumber } from './options.ts';

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

test('options have their values or defaults, and --help is the usage, with each of them', () => {
  const defaults = { books: 100, since: undefined, state: 'all', only: ['reads', 'orders'], to: undefined };
  expect(read('out', '1', '2')).toEqual({
    values: { ...defaults, strict: false },
    operands: ['out', '1', '2'],
  });
  const given = ['--books=7', '--since', '2026-11-21', '--state', 'new', '--only', 'orders', '--to', 'x'];
  const since = new Date('2026-11-21T00:00:00Z');
  expect(read(...given, '--strict', 'out', '1')).toMatchObject({
    values: { books: 7, since, state: 'new', only: ['orders'], to: 'x', strict: true },
  });
  const usage =
    /^Usage: npm run example FILE ID… -- \[options\]\n\nDoes something\.\n\n {2}--books <number> +how/;
  expect(read('--help')).toEqual({ usage: expect.stringMatching(usage) });
});

test.each([
  [['--nonsense'], "Unknown option '--nonsense'"],
  [['--strict=yes'], "Option '--strict' does not take an argument"],
  [['--books', '0', 'a', 'b'], '--books: "0" is not a whole number from 1 to 999999999'],
  [['--since', '2026-02-31x', 'a', 'b'], '--since: "2026-02-31x" is not a day such as 2026-11-21'],
  [['--only', 'x', 'a', 'b'], '--only: "x" is none of reads, orders'],
  [['--to', '-x', 'a', 'b'], 'needs a value'],
  [['a'], 'ID is missing'],
])('%j is refused in one sentence', (args, message) => {
  const refused = expect(() => read(...args));
  refused.toThrow(OptionError);
  refused.toThrow(message);
});
