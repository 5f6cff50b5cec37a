import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { canMountDisk, fillDisk, mountSmallDisk } from '../testing/small-disk.ts';
import { openLog, openOutput, readable } from './log.ts';

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
  [() => log.info({ host: 'a\u001b[2Jb\u009b1m' }, 'request'), 'time request host=a\ufffd[2Jb\ufffd1m\n'],
])('a line of the log for people: %s', (write, line) => {
  write();

  expect(written()).toEqual([line]);
});

test('an error has its stack on lines of their own', () => {
  log.error({ err: new Error('no room') }, 'a request failed');

  expect(written().join('')).toMatch(/^time ERROR a request failed\n {2}Error: no room\n {6}at .*\n/);
});

test.skipIf(!canMountDisk)(
  'lines that a full disk does not take are written when there is room',
  async () => {
    const folder = await mountSmallDisk(1);
    const file = join(folder, 'log');
    const fd = openSync(file, 'a');
    endsWithTest(() => closeSync(fd));
    const makeRoom = await fillDisk(folder);
    const output = openOutput(fd);
    const failed = new Promise((resolve) => output.once('error', resolve));

    output.write('first\n');
    expect(await failed).toMatchObject({ code: 'ENOSPC' });
    await makeRoom();
    output.write('second\n');

    await expect.poll(() => readFile(file, 'utf8')).toBe('first\nsecond\n');
  },
);
