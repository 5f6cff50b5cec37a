import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { playSchedules } from './schedules.ts';

test('a schedule is played in the same way after a build, which leaves NODE_ENV=production behind', {
  timeout: 60_000,
}, async () => {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  // The one whose press came before the page had rendered.
  const seed = { firstSeed: 28, count: 1, jobs: 1, only: 'use-purchase' };

  const played = await playSchedules(seed, join(import.meta.dirname, '..', '..'));

  expect(played.map(({ count, failure }) => ({ count, failure }))).toEqual([
    { count: 1, failure: undefined },
  ]);
});
