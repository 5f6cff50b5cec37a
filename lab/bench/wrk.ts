/** The load of `wrk` (https://github.com/wg/wrk), a load generator that was not written for this store. */

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findProgram } from '../../server/testing/programs.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import type { Outcome } from './bench.ts';
import { asSent, type PlannedKind, type PlannedRequest } from './calls.ts';
import { send } from './client.ts';
import { processorSeconds } from './machine.ts';

/** The path of wrk; undefined if it is not installed. */
export const wrkProgram = findProgram('wrk');

/** Number of keep-alive connections. Each sends its next request after a response. */
export const defaultConnections = 32;

type Summary = Record<'responses' | 'seconds' | 'processorSeconds' | 'p50' | 'p99' | 'failures', number>;

/**
 * @param seconds a whole number: wrk takes no other.
 * @throws when a request fails. wrk takes each status below 400 for a success, so the first request of each kind is also sent
 * before the load, and its response must have the expected status.
 */
export async function measureByWrk(
  server: ServerProcess,
  kinds: readonly PlannedKind[],
  seconds: number,
  connections = defaultConnections,
): Promise<Outcome & { responses: number }> {
  for (const { requests, expectedStatus } of kinds) {
    if (requests[0]) await send(server.origin, requests[0], expectedStatus);
  }
  const before = processorSeconds(server.pid) ?? Number.NaN;
  const summary = await runWrk(server, kinds, seconds, connections);
  const serverSeconds = (processorSeconds(server.pid) ?? Number.NaN) - before;
  const { responses, failures } = summary;
  if (failures > 0) throw new Error(`${failures} requests of ${kinds[0]?.requests[0]?.path} failed`);
  return {
    responses,
    perSecond: responses / summary.seconds,
    p50Ms: summary.p50 / 1000,
    p99Ms: summary.p99 / 1000,
    serverMs: (1000 * serverSeconds) / responses,
    loadCores: summary.processorSeconds / summary.seconds,
  };
}

/** Sends the load from one thread. Requests may fail. */
export async function runWrk(
  { origin }: ServerProcess,
  kinds: readonly PlannedKind[],
  seconds: number,
  connections: number,
): Promise<Summary> {
  if (!wrkProgram) throw new Error('wrk is not installed');
  const wrk = spawn(
    wrkProgram,
    [
      ...['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`, '--timeout=10s'],
      ...[`--script=${join(import.meta.dirname, 'wrk.lua')}`, origin, String(randomInt(2 ** 31))],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  wrk.stdin.end(`return {${kinds.map((kind) => writeKind(kind, new URL(origin).host)).join(', ')}}`);
  const output = await text(wrk.stdout);
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`wrk printed no summary: ${output}`);
  return JSON.parse(line);
}

/** @returns the kind as a Lua table: Lua reads texts of JSON without `\u`. */
const writeKind = ({ weight, requests }: PlannedKind, host: string): string =>
  `{weight = ${weight}, ${requests.map((planned) => JSON.stringify(writeRequest(planned, host))).join(', ')}}`;

function writeRequest(planned: PlannedRequest, host: string): string {
  const { method, headers, text } = asSent(planned, '<key>');
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${planned.path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}
