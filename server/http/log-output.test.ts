import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { endsWithTest, makeFolder } from '../testing/ends-with-test.ts';
import { canMountDisk, fillDisk, mountSmallDisk } from '../testing/small-disk.ts';
import { openLogOutput } from './log-output.ts';

test.skipIf(process.platform === 'win32')(
  'lines that a reader does not take wait for it, and come whole and in order; those beyond four million characters are dropped and counted',
  async () => {
    const path = join(await makeFolder(), 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    endsWithTest(() => closeSync(fd));
    const buffer = Buffer.alloc(1024 * 1024);
    let received = '';
    const read = () => {
      try {
        received += buffer.toString('latin1', 0, readSync(fd, buffer));
      } catch (error) {
        expect(error).toMatchObject({ code: 'EAGAIN' });
      }
      return received;
    };
    const dropped: number[] = [];
    const output = openLogOutput(fd, (lines) => dropped.push(lines));
    const lines = Array.from({ length: 5_000 }, (_, number) => `${`${number}`.padEnd(999, '.')}\n`);

    for (const line of lines) output.write(line);
    await expect.poll(read, { interval: 5, timeout: 20_000 }).toHaveLength(4_000_000);

    expect(received).toBe(lines.slice(0, 4_000).join(''));
    await expect.poll(() => dropped).toEqual([1_000]);
  },
);

test.skipIf(!canMountDisk)(
  'lines that a full disk does not take are written when there is room',
  async () => {
    const folder = await mountSmallDisk(1);
    const file = join(folder, 'log');
    const fd = openSync(file, 'a');
    endsWithTest(() => closeSync(fd));
    const makeRoom = await fillDisk(folder);
    const output = openLogOutput(fd, () => {});
    const lines = Array.from({ length: 10 }, (_, number) => `${`${number}`.padEnd(999, '.')}\n`);

    for (const line of lines) output.write(line);
    await makeRoom();

    await expect.poll(() => readFile(file, 'utf8')).toBe(lines.join(''));
  },
);
