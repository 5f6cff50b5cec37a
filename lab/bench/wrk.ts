/** The load of `wrk` (https://github.com/wg/wrk), a load generator that was not written for this store. */

import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findProgram } from '../../server/testing/programs.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import type { Outcome } from './bench.ts';
import type { PlannedKind, PlannedRequest } from './calls.ts';
import { processorSeconds } from './machine.ts';

/** The path of wrk; undefined if it is not installed. */
export const wrkProgram = findProgram('wrk');
export const wrkIsMissing = 'wrk is not installed (on Debian: apt-get install wrk).';

/** Number of keep-alive connections. Each sends its next request after a response. */
export const defaultConnections = 32;

type Load = {
  /** A whole number: wrk takes no other. */
  seconds: number;
  connections?: number;
  /** The rate in requests a second; without it, as fast as possible. */
  perSecond?: number;
};
/** `refused`: responses with 503, which are among the failures. */
type Summary = Record<'responses' | 'seconds' | 'p50' | 'p99' | 'failures' | 'refused', number>;

/**
 * @throws when a request fails. wrk takes each status below 400 for a success, so the first request of each kind is also sent
 * before the load, and its response must have the expected status.
 */
export async function measureByWrk(
  server: ServerProcess,
  kinds: readonly PlannedKind[],
  load: Load,
): Promise<Outcome> {
  for (const { requests, expectedStatus } of kinds) {
    if (requests[0]) await send(server, requests[0], expectedStatus);
  }
  const before = processorSeconds(server.pid);
  const { responses, failures, seconds, p50, p99 } = await runWrk(server, kinds, load);
  if (failures > 0) throw new Error(`${failures} requests of ${kinds[0]?.requests[0]?.path} failed`);
  return {
    perSecond: responses / seconds,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    serverMs: (1000 * (processorSeconds(server.pid) - before)) / responses,
  };
}

/** Sends the load from one thread. Requests may fail. */
export async function runWrk(
  { origin }: ServerProcess,
  kinds: readonly PlannedKind[],
  { seconds, connections = defaultConnections, perSecond = 0 }: Load,
): Promise<Summary> {
  if (!wrkProgram) throw new Error(wrkIsMissing);
  const delayMs = perSecond === 0 ? 0 : Math.round((1000 * connections) / perSecond);
  const wrk = spawn(
    wrkProgram,
    [
      ...['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`, '--timeout=10s'],
      ...[`--script=${join(import.meta.dirname, 'wrk.lua')}`, origin, String(randomInt(2 ** 31))],
      String(delayMs),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  wrk.stdin.end(`return {${kinds.map((kind) => writeKind(kind, new URL(origin).host)).join(', ')}}`);
  const output = await text(wrk.stdout);
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`wrk printed no summary: ${output}`);
  return JSON.parse(line);
}

/** Sends a request of a load once. @throws when the response has another status. */
export async function send(
  { origin }: ServerProcess,
  planned: PlannedRequest,
  status = 200,
): Promise<Response> {
  const { method, headers, body } = asSent(planned, randomUUID());
  const response = await fetch(origin + planned.path, { method, headers, body: body || null });
  if (response.status === status) return response;
  throw new Error(`${planned.path} has the status ${response.status}: ${await response.text()}`);
}

function asSent({ method = 'POST', headers = {}, body }: PlannedRequest, key: string) {
  if (body === undefined) return { method: 'GET', headers, body: '' };
  const more = { 'content-type': 'application/json', 'idempotency-key': key };
  return { method, headers: { ...headers, ...more }, body: JSON.stringify(body) };
}

/** @returns the kind as a Lua table: Lua reads texts of JSON without `\u`. */
const writeKind = ({ weight, requests }: PlannedKind, host: string): string =>
  `{weight = ${weight}, ${requests.map((planned) => JSON.stringify(writeRequest(planned, host))).join(', ')}}`;

function writeRequest(planned: PlannedRequest, host: string): string {
  const { method, headers, body } = asSent(planned, '<key>');
  const length = body && { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${planned.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
