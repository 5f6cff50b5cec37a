import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ImageWorker, openImageWorker } from './image-worker.ts';

let picture: Buffer;
let worker: ImageWorker | undefined;
/** Workers of an earlier test, which may be about to end. */
let earlierProcesses: number[];
const stopped: number[] = [];
beforeEach(async () => {
  picture = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer();
  earlierProcesses = await childProcesses();
});
afterEach(() => {
  // A worker that a failed test has stopped could not notice that it must end.
  for (const pid of stopped.splice(0)) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // The process has ended.
    }
  }
  worker?.close();
});

/** The running child processes of this process. */
async function childProcesses(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    // The fields after the program's name, which may contain spaces: state, parent.
    pids.map(async (pid) => (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]),
  );
  return pids.filter((_, index) => parents[index]?.split(' ')[1] === String(process.pid)).map(Number);
}

/** The processor time of a process, in hundredths of a second. */
async function cpuTicks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]);
}

function stop(pid: number): void {
  // Pid 0 would stop the tests themselves.
  expect(pid).toBeGreaterThan(0);
  stopped.push(pid);
  process.kill(pid, 'SIGSTOP');
}

const workerProcesses = async () => (await childProcesses()).filter((pid) => !earlierProcesses.includes(pid));

describe.skipIf(process.platform !== 'linux')('the image worker, whose processes are found in /proc,', () => {
  test('gives the decoder nothing of the store’s environment', async () => {
    worker = openImageWorker();
    await worker.convert(picture);
    const [pid] = await workerProcesses();

    const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .map((one) => one.split('=')[0]);

    expect(process.env['PATH']).not.toBe(undefined);
    expect(
      names.filter((name) => name && !/^(FONTCONFIG_FILE|MALLOC_ARENA_MAX|NODE_CHANNEL_.+)$/.test(name)),
    ).toEqual([]);
    // Visitors get the processor before the worker.
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  });

  test('converts images where the system lets no process change its priority', async () => {
    const forbid = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
      os.setPriority = () => { throw new Error('EPERM'); }; syncBuiltinESMExports();`;
    const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(forbid)}`];
    const entry = new URL('./image-worker-entry.ts', import.meta.url);
    const child = fork(entry, { serialization: 'advanced', execArgv });
    onTestFinished(() => void child.kill());

    child.send({ file: picture });

    const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    expect(answer).toMatchObject({ result: { width: 20, height: 30 } });
  });

  test('converts two images at a time, and the others after them', async () => {
    worker = openImageWorker();
    await Promise.all([worker.convert(picture), worker.convert(picture)]);
    const processes = await workerProcesses();
    processes.forEach(stop);

    const images = [worker.convert(picture), worker.convert(picture), worker.convert(picture)];
    const usage = worker.usage();
    for (const pid of processes) process.kill(pid, 'SIGCONT');

    expect([processes.length, usage]).toEqual([2, { inUse: 2, waiting: 1 }]);
    expect((await Promise.all(images)).map(({ width }) => width)).toEqual([20, 20, 20]);
    expect(await workerProcesses()).toEqual(processes);
  });

  test('says that it is not available when its own work takes too long, and not that a file is wrong', async () => {
    worker = openImageWorker({ timeoutMs: 1 });

    const drawing = worker.drawCover({ id: 'emma', title: 'Emma', author: 'Jane Austen' });

    await expect(drawing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('stops an image that takes too long, and no other', async () => {
    worker = openImageWorker({ timeoutMs: 5_000 });
    const convert = () => worker?.convert(picture);
    // A process may take seconds to start while other tests run.
    await Promise.all([convert(), convert()]);
    const started = await workerProcesses();
    stop(started[0] ?? 0);

    const outcomes = await Promise.allSettled(Array.from({ length: 9 }, convert));

    const late = { status: 'rejected', reason: expect.objectContaining({ code: 'IMAGE_TOO_SLOW' }) };
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([late]);
    const areLeft = async () => (await workerProcesses()).filter((pid) => started.includes(pid)).length;
    await expect.poll(areLeft).toBe(1);
    expect((await worker.convert(picture)).height).toBe(30);
  });

  test('survives a process that crashes, and reports that image as not converted', async () => {
    worker = openImageWorker();
    await worker.convert(picture);
    const [pid = 0] = await workerProcesses();
    stop(pid);
    const outcome = worker.convert(picture).catch((error: unknown) => error);

    process.kill(pid, 'SIGKILL');

    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
    expect((await worker.convert(picture)).width).toBe(20);
  });

  test('ends a process that has been idle', async () => {
    worker = openImageWorker({ idleMs: 1 });
    await worker.convert(picture);

    await expect.poll(workerProcesses, { timeout: 10_000 }).toEqual([]);
    expect((await worker.convert(picture)).width).toBe(20);
  });

  test('ends a process in the middle of an image, as when the store is killed', async () => {
    // An interlaced image is decoded in one step, which takes seconds.
    const slow = await sharp({
      create: { width: 10_000, height: 4_000, channels: 4, background: '#a0302080' },
    })
      .toColourspace('rgb16')
      .png({ compressionLevel: 1, progressive: true })
      .toBuffer();
    worker = openImageWorker();
    await worker.convert(picture);
    const [pid = 0] = await workerProcesses();
    const before = await cpuTicks(pid);
    const outcome = worker.convert(slow).catch((error: unknown) => error);
    await expect.poll(() => cpuTicks(pid), { timeout: 10_000 }).toBeGreaterThan(before + 10);

    worker.close();

    await expect.poll(workerProcesses, { timeout: 800 }).toEqual([]);
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
  }, 20_000);
});
