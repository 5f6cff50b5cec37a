import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../ends-with-test.ts';
import { findProgram } from '../programs.ts';
import { playCuts, record } from './cuts.ts';

/** `npm run prove -- --only power-cuts` plays more, of all kinds of work. */
test.for(['orders', 'first restore', 'failing disk'] as const)(
  'a power cut in “%s” loses nothing that was acknowledged',
  {
    timeout: 120_000,
  },
  async (work, { skip }) => {
    if (!findProgram('strace')) skip('strace is not installed: on Debian it is in the package of that name');
    const folder = await makeFolder();
    const recording = await record(work, folder);
    const states = join(folder, 'states');
    mkdirSync(states);

    expect(await playCuts(recording, states, { firstSeed: 1, count: 30 })).toBeUndefined();
  },
);
