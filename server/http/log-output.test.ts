import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { endsWithTest, makeFolder } from '../testing/ends-with-test.ts';
import { canMountDisk, fillDisk, mountSmallDisk } from '../testing/small-disk.ts';
import { externalProvider, startStore } from '../testing/store-process.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { openLogOutput } from './log-output.ts';

/** A pipe that is written and read at one descriptor. @returns it, and what the reader has got so far, after one read. */
async function openPipe() {
  const path = join(await makeFolder(), 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  endsWithTest(async () => closeSync(fd));
  const buffer = Buffer.alloc(1024 * 1024);
  let text = '';
  return {
    fd,
    read() {
      try {
        text += buffer.toString('latin1', 0, readSync(fd, buffer));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
      return text;
    },
  };
}

const linesOf = (count: number) => Array.from({ length: count }, (_, number) => `${number}`.padEnd(999, '.'));

test.skipIf(process.platform === 'win32')(
  'lines that a reader does not take wait for it, and come whole and in order',
  async () => {
    const { fd, read } = await openPipe();
    const output = openLogOutput(fd, () => {});
    const lines = linesOf(1_000);

    for (const line of lines) output.write(`${line}\n`);

    const all = lines.map((line) => `${line}\n`).join('');
    await expect.poll(read, { interval: 5, timeout: 20_000 }).toHaveLength(all.length);
    expect(read()).toBe(all);
  },
);

test.skipIf(process.platform === 'win32')(
  'lines beyond four million characters are dropped and counted',
  async () => {
    const { fd, read } = await openPipe();
    const dropped: number[] = [];
    const output = openLogOutput(fd, (lines) => dropped.push(lines));
    const lines = linesOf(5_000);

    for (const line of lines) output.write(`${line}\n`);
    await expect.poll(read, { interval: 5, timeout: 20_000 }).toHaveLength(4_000_000);

    expect(dropped).toEqual([1_000]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a process ends whose log is a pipe that is full, and that blocks',
  async () => {
    const path = join(await makeFolder(), 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    // Without O_NONBLOCK, as the pipe of a shell.
    const fd = openSync(path, constants.O_RDWR);
    endsWithTest(async () => closeSync(fd));
    const script = join(import.meta.dirname, '..', 'testing', 'fill-log.ts');

    const child = spawn(process.execPath, [script], { stdio: ['ignore', fd, 'inherit'] });
    endsWithTest(() => child.kill('SIGKILL'));

    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

const start = async (logFile: string) => {
  const database = await createStoreDatabase();
  endsWithTest(database.remove);
  const store = await startStore({ ...externalProvider, DATABASE_URL: database.url }, { logFile });
  endsWithTest(store.kill);
  return store;
};

test.skipIf(process.platform !== 'linux')(
  'a store whose log cannot be written starts, serves and ends',
  async () => {
    const store = await start('/dev/full');

    expect((await fetch(store.origin + paths.addOrder, { method: 'POST' })).status).toBe(401);
    expect((await fetch(store.origin + paths.books)).status).toBe(200);
    expect(await store.stop()).toEqual({ exitCode: 0, signal: null });
  },
);

test.skipIf(!canMountDisk)('a log on a full disk gets its lines when there is room again', async () => {
  const folder = await mountSmallDisk(1);
  const log = join(folder, 'log');
  const store = await start(log);
  const refused = async () => {
    const { status, headers } = await fetch(store.origin + paths.addOrder, { method: 'POST' });
    expect(status).toBe(401);
    return headers.get('x-request-id') ?? 'none';
  };
  const makeRoom = await fillDisk(folder);

  const ids: string[] = [];
  // More than the rest of the file's last page takes.
  for (let request = 0; request < 40; request += 1) ids.push(await refused());
  await makeRoom();

  await expect
    .poll(async () => (await readFile(log, 'utf8')).split('\n'), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(ids.map((id) => expect.stringContaining(id))));
  await store.stop();
});
