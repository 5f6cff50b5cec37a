import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Stops a process by SIGTERM. @returns its exit code and the signal that ended it. */
async function stop({ timeoutMs, work }: { timeoutMs: number; work: 'busy' | 'idle' }): Promise<unknown[]> {
  const script = join(import.meta.dirname, 'testing', 'stop-at-signal.ts');
  const child = fork(script, [join(folder, 'store.db'), String(timeoutMs), work]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child, 'message');
  child.kill('SIGTERM');
  return await once(child, 'exit');
}

test('a stop that has closed everything ends with exit code 0', async () => {
  expect(await stop({ timeoutMs: 60_000, work: 'idle' })).toEqual([0, null]);
});

test.skipIf(process.platform === 'win32')(
  'a stop that takes too long is killed, also while a thread is in a statement that never ends',
  async () => {
    expect(await stop({ timeoutMs: 500, work: 'busy' })).toEqual([null, 'SIGKILL']);
  },
);
