/** Requests that the process of the benchmark sends itself: steady arrivals, sign-ins, and checks. `wrk` sends the others. */

import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Outcome } from './bench.ts';
import { asSent, type PlannedRequest } from './calls.ts';
import { percentile } from './figures.ts';
import { processorSeconds } from './machine.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

export class UnplannedStatus extends Error {
  readonly status: number;

  constructor(status: number, path: string, body: Buffer) {
    super(`${path} has the status ${status}: ${body}`);
    this.status = status;
  }
}

/** @throws {UnplannedStatus} when the response has another status. @throws the error of the connection when there is no response. */
export async function send(
  origin: string,
  planned: PlannedRequest,
  expectedStatus: number,
): Promise<{ message: IncomingMessage; body: Buffer }> {
  const message = await exchange(origin, planned, randomUUID());
  const body = Buffer.concat(await message.toArray());
  if (message.statusCode === expectedStatus) return { message, body };
  throw new UnplannedStatus(message.statusCode ?? 0, planned.path, body);
}

/**
 * A server may close an idle connection while the next request is on its way. Such a request is sent again, as browsers do (RFC 9112,
 * section 9.3.1): no request of the benchmark changes anything twice.
 */
function exchange(origin: string, planned: PlannedRequest, key: string): Promise<IncomingMessage> {
  const { text, ...options } = asSent(planned, key);
  return new Promise((resolve, reject) => {
    const sent = request(origin + planned.path, { agent, ...options }, resolve);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(exchange(origin, planned, key));
      else reject(error);
    });
    sent.end(text);
  });
}

/** @param pid the server's. @returns a function that ends the measurement, for the latencies of its responses. */
export function startMeasuring(pid: number): (latenciesMs: readonly number[]) => Outcome {
  const startedAt = performance.now();
  const loadBefore = process.cpuUsage();
  const serverBefore = processorSeconds(pid) ?? Number.NaN;
  return (latenciesMs) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const load = process.cpuUsage(loadBefore);
    const serverSeconds = (processorSeconds(pid) ?? Number.NaN) - serverBefore;
    const sorted = Float64Array.from(latenciesMs).sort();
    return {
      responses: sorted.length,
      perSecond: sorted.length / seconds,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      serverMs: (1000 * serverSeconds) / sorted.length,
      loadCores: (load.user + load.system) / 1e6 / seconds,
    };
  };
}
