/** `wrk` (https://github.com/wg/wrk) as a second load generator: one that was not written for this store. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findProgram } from '../../server/testing/programs.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import type { Outcome } from './load.ts';
import { readProcess } from './machine.ts';

/** Its path; undefined where it is not installed. */
export const wrkProgram = findProgram('wrk');

/** One measurement by wrk. */
export type WrkPlan = {
  server: ServerProcess;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** wrk itself counts only those from 400 on as failures. */
  expectedStatus: number;
  connections: number;
  /** wrk takes whole seconds: it is rounded up. */
  seconds: number;
};

type Summary = Record<'responses' | 'seconds' | 'p50' | 'p99' | 'max' | 'failures', number>;

/**
 * Sends one request again and again, over keep-alive connections, from one thread.
 * @throws when wrk is missing, or a response has another status.
 */
export async function measureByWrk(plan: WrkPlan): Promise<Outcome> {
  if (!wrkProgram) throw new Error('wrk is not installed');
  const { server, headers, connections } = plan;
  const address = server.origin + plan.path;
  const { status } = await fetch(address, { headers });
  if (status !== plan.expectedStatus) throw new Error(`${address} has the status ${status}`);

  const seconds = Math.ceil(plan.seconds);
  const before = readProcess(server.pid);
  const wrk = spawn(
    wrkProgram,
    [
      ...['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`],
      `--script=${join(import.meta.dirname, 'wrk-summary.lua')}`,
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      address,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // Its use of the processor can be read only while it runs.
  let load: { cores: number } | undefined;
  const readLoad = setTimeout(() => {
    const process = readProcess(wrk.pid ?? 0);
    load = process && { cores: process.cpuSeconds / (0.9 * seconds) };
  }, 900 * seconds);
  const [output] = await Promise.all([text(wrk.stdout), once(wrk, 'close')]);
  clearTimeout(readLoad);
  const after = readProcess(server.pid);
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`wrk printed no summary: ${output}`);
  const summary: Summary = JSON.parse(line);
  if (summary.failures > 0) throw new Error(`${summary.failures} requests of ${address} failed`);
  return {
    responses: summary.responses,
    responsesPerSecond: summary.responses / summary.seconds,
    p50Ms: summary.p50 / 1000,
    p99Ms: summary.p99 / 1000,
    maxMs: summary.max / 1000,
    bodyBytes: undefined,
    failures: 0,
    firstFailure: '',
    loadCores: load?.cores,
    serverCores: before && after && (after.cpuSeconds - before.cpuSeconds) / summary.seconds,
    serverRssBytes: after?.rssBytes,
  };
}
