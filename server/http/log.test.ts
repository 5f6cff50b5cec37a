import { expect, test } from 'vitest';
import { openLog, readable } from './log.ts';

const lines: string[] = [];
const log = openLog('info', { write: (line) => lines.push(readable(line)) });
const written = () => lines.splice(0).map((line) => line.replace(/^\d\d:\d\d:\d\d /, 'time '));

test.each([
  [() => log.info('stopped'), 'time stopped\n'],
  [() => log.warn({ waitedMs: 12 }, 'the database is slow'), 'time WARN the database is slow waitedMs=12\n'],
  [
    () => log.info({ route: '/books/:id', reason: 'not\nthere', of: { a: 1 } }, 'request'),
    'time request route=/books/:id reason="not\\nthere" of={"a":1}\n',
  ],
  [() => log.info({ migrations: ['0001', '0002'] }, 'done'), 'time done migrations=["0001","0002"]\n'],
  [() => log.info({ migrations: ['1', '2', '3', '4'] }, 'done'), 'time done migrations=4\n'],
  [() => log.info({ host: 'a\u001b[2Jb\u009b1m' }, 'request'), 'time request host=a\ufffd[2Jb\ufffd1m\n'],
])('a line of the log for people: %s', (write, line) => {
  write();

  expect(written()).toEqual([line]);
});

test('an error has its stack on lines of their own', () => {
  log.error({ err: new Error('no room') }, 'a request failed');

  expect(written().join('')).toMatch(/^time ERROR a request failed\n {2}Error: no room\n {6}at .*\n/);
});
