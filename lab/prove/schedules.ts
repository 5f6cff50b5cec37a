/** Runs the tests that play schedules (server/testing/schedules.ts), each with a given number of them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `count`: for each test. `only`: a part of the name of a test's file. */
export type Schedules = { firstSeed: number; count: number; jobs: number; only?: string | undefined };
/**
 * `title`: the claim. `count`: how many schedules were played. `found`: how many faults of the store they have found so far. `failure`: the
 * message, with the seed; undefined if the claim held.
 */
export type Played = {
  title: string;
  count: number;
  found: number;
  seconds: number;
  failure: string | undefined;
};

/**
 * Plays the schedules of consecutive seeds in each test until one fails.
 * @param root of the sources that are played.
 * @throws when no test could run.
 */
export async function playSchedules(
  { firstSeed, count, jobs, only = '' }: Schedules,
  root: string,
): Promise<Played[]> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-schedules-'));
  try {
    const report = join(folder, 'report.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const options = ['--config=tools/test/vitest.config.ts', `--maxWorkers=${jobs}`, '--reporter=json'];
    const child = spawn(
      process.execPath,
      [vitest, 'run', ...options, `--outputFile=${report}`, `${only}.schedules`],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, FIRST_SCHEDULE: String(firstSeed), SCHEDULES: String(count) },
      },
    );
    await once(child, 'exit');
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const played = testResults.flatMap(({ assertionResults }) => assertionResults);
    const broken = testResults.find((file) => file.assertionResults.length === 0);
    if (broken || played.length === 0) throw new Error(`no schedule was played: ${broken?.message}`);
    return played.map(({ title, meta, duration, status, failureMessages }) => ({
      title,
      ...(meta.schedules ?? { count: 0, found: 0 }),
      seconds: (duration ?? 0) / 1000,
      failure: status === 'passed' ? undefined : failureMessages.join('\n'),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The part of Vitest's report that is read. */
type Report = {
  testResults: {
    message: string;
    assertionResults: {
      title: string;
      status: string;
      meta: { schedules?: { count: number; found: number } };
      duration?: number;
      failureMessages: string[];
    }[];
  }[];
};
