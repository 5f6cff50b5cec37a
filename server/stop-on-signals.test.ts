import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endsWithTest, makeFolder } from './testing/ends-with-test.ts';

test.skipIf(process.platform === 'win32')(
  'a stop that takes too long is killed, also while a thread is in a statement that never ends',
  async () => {
    const script = join(import.meta.dirname, 'testing', 'stop-at-signal.ts');
    const child = fork(script, [join(await makeFolder(), 'store.db')]);
    endsWithTest(() => child.kill('SIGKILL'));
    await once(child, 'message');

    child.kill('SIGTERM');

    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  },
);
