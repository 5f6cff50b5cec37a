import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './testing/ends-with-test.ts';

/** Stops a process by SIGTERM. @returns its exit code and the signal that ended it. */
async function stop({ timeoutMs, work }: { timeoutMs: number; work: 'busy' | 'idle' }): Promise<unknown[]> {
  const script = join(import.meta.dirname, 'testing', 'stop-at-signal.ts');
  const child = fork(script, [join(await makeFolder(), 'store.db'), String(timeoutMs), work]);
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
