import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../../../server/testing/programs.ts';
import { playPowerCuts } from './play.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** `npm run prove -- --only power-cuts` plays more, of all kinds of work. */
test.for(['orders', 'first restore', 'failing disk'] as const)(
  'a power cut in “%s” loses nothing that was acknowledged',
  { timeout: 120_000 },
  async (work, { skip }) => {
    if (!findProgram('strace')) skip('strace is not installed: on Debian it is in the package of that name');

    expect(await playPowerCuts({ firstSeed: 1, count: 30, only: [work] }, { root })).toBeUndefined();
  },
);
