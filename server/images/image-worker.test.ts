import { execFile } from 'node:child_process';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../testing/ends-with-test.ts';
import { type ImageWorker, openImageWorker } from './image-worker.ts';

let folder: string;
let picture: Buffer;
let worker: ImageWorker | undefined;
/** The processes of an earlier test, which may be about to end. */
let earlierProcesses: number[];
beforeEach(async () => {
  folder = await makeFolder();
  picture = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer();
  await writeFile(join(folder, 'picture'), picture);
  earlierProcesses = await childProcesses();
});
afterEach(() => worker?.close());

/** The processes that this one has started and that have not ended. */
async function childProcesses(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    // The fields after the program's name, which may contain spaces: state, parent.
    pids.map(async (pid) => (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]),
  );
  return pids.filter((_, index) => parents[index]?.split(' ')[1] === String(process.pid)).map(Number);
}

/** The time that a process has computed, in hundredths of a second. */
async function cpuTicks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]);
}

const workerProcesses = async () => (await childProcesses()).filter((pid) => !earlierProcesses.includes(pid));

/**
 * Makes a file that takes as long to read as the test wants: a reader waits until something is written.
 * @returns its path, and `reader`, which resolves to a handle for writing when a process has begun to read.
 */
async function slowFile(name: string) {
  const path = join(folder, name);
  await promisify(execFile)('mkfifo', [path]);
  return { path, reader: () => open(path, 'w') };
}

describe.skipIf(process.platform !== 'linux')('the image worker, whose processes are found in /proc,', () => {
  test('gives the decoder nothing of the store’s environment', async () => {
    worker = openImageWorker();
    await worker.convert(join(folder, 'picture'));
    const [pid] = await workerProcesses();

    const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .map((one) => one.split('=')[0]);

    expect(process.env['PATH']).not.toBe(undefined);
    expect(
      names.filter((name) => name && !/^(FONTCONFIG_FILE|MALLOC_ARENA_MAX|NODE_CHANNEL_.+)$/.test(name)),
    ).toEqual([]);
    // Visitors get the processor first.
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  });

  test('converts two images at a time, and the others after them', async () => {
    worker = openImageWorker();
    const slow = [await slowFile('a'), await slowFile('b')];
    const slowOnes = slow.map(({ path }) => worker?.convert(path));
    const readers = await Promise.all(slow.map(({ reader }) => reader()));

    const third = worker.convert(join(folder, 'picture'));
    const count = (await workerProcesses()).length;
    for (const reader of readers) {
      await reader.writeFile(picture);
      await reader.close();
    }

    expect(count).toBe(2);
    await Promise.all([...slowOnes, third]);
    expect((await workerProcesses()).length).toBe(2);
  });

  test('says that it is not available when its own work takes too long, and not that a file is wrong', async () => {
    worker = openImageWorker({ timeoutMs: 1 });

    const outcomes = await Promise.allSettled([
      worker.drawCover({ id: 'emma', title: 'Emma', author: 'Jane Austen' }),
      worker.resize(picture),
    ]);

    const late = { status: 'rejected', reason: expect.objectContaining({ code: 'UNAVAILABLE' }) };
    expect(outcomes).toEqual([late, late]);
  });

  test('stops an image that takes too long, and no other', async () => {
    worker = openImageWorker({ timeoutMs: 5_000 });
    const convert = () => worker?.convert(join(folder, 'picture'));
    // A process may take seconds to start while other tests run.
    await Promise.all([convert(), convert()]);
    const started = await workerProcesses();
    const slow = await slowFile('slow');
    const outcome = worker.convert(slow.path).catch((error: unknown) => error);
    const reader = await slow.reader();

    const converted = await Promise.all(Array.from({ length: 8 }, convert));

    expect(converted.map((image) => image?.width)).toEqual(Array(8).fill(20));
    expect(await outcome).toMatchObject({ code: 'IMAGE_TOO_SLOW' });
    const areLeft = async () => (await workerProcesses()).filter((pid) => started.includes(pid)).length;
    await expect.poll(areLeft).toBe(1);
    await reader.close();
    expect((await worker.convert(join(folder, 'picture'))).height).toBe(30);
  });

  test('survives a process that crashes, and reports that image as not converted', async () => {
    worker = openImageWorker();
    const slow = await slowFile('slow');
    const outcome = worker.convert(slow.path).catch((error: unknown) => error);
    const reader = await slow.reader();
    const [pid = 0] = await workerProcesses();

    process.kill(pid, 'SIGKILL');

    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
    await reader.close();
    expect((await worker.convert(join(folder, 'picture'))).width).toBe(20);
  });

  test('ends a process that has been idle', async () => {
    worker = openImageWorker({ idleMs: 1 });
    await worker.convert(join(folder, 'picture'));

    await expect.poll(workerProcesses, { timeout: 10_000 }).toEqual([]);
    expect((await worker.convert(join(folder, 'picture'))).width).toBe(20);
  });

  test('ends a process in the middle of an image, as when the store is killed', async () => {
    // Interlaced, it is decoded in one step, which takes seconds.
    await sharp({ create: { width: 10_000, height: 4_000, channels: 4, background: '#a0302080' } })
      .toColourspace('rgb16')
      .png({ compressionLevel: 1, progressive: true })
      .toFile(join(folder, 'slow'));
    worker = openImageWorker();
    await worker.convert(join(folder, 'picture'));
    const [pid = 0] = await workerProcesses();
    const before = await cpuTicks(pid);
    const outcome = worker.convert(join(folder, 'slow')).catch((error: unknown) => error);
    await expect.poll(() => cpuTicks(pid), { timeout: 10_000 }).toBeGreaterThan(before + 10);

    worker.close();

    await expect.poll(workerProcesses, { timeout: 800 }).toEqual([]);
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
  }, 20_000);
});
