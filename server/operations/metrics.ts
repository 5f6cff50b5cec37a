import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Db } from '../database/tables.ts';
import { limitCounters } from '../http/rate-limits.ts';
import { type AttemptOutcome, attemptOutcomes } from '../sign-in/attempt-outcome.ts';
import { openBackupAge } from './backup-age.ts';
import { openRequestDurations, type RequestDurations } from './request-durations.ts';

/** What the store measures. */
export type Metrics = {
  contentType: string;
  /** @returns all measurements in the text format of Prometheus. */
  text(): Promise<string>;
  /** For requests that the framework does not see, see `RequestDurations`. */
  requestRecorder: RequestDurations['recorder'];
  /** Counts a sign-in attempt that has ended. */
  countSignIn(outcome: AttemptOutcome): void;
  /** Counts a request that a limit refused. @param by `client` or `account`. */
  countRefusal(limit: string, by: string): void;
  /** Counts a connection beyond `MAX_CONNECTIONS`. */
  countRefusedConnection(): void;
  /** Counts a request that was refused unread because too many were in progress. */
  countShedRequest(): void;
  /** Observes every request of the app. */
  measure(app: FastifyInstance): void;
};

/** Opens a registry with prom-client's metrics of the process, and with those of requests, sign-ins, refusals and backups. */
export function openMetrics(db: Db): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = openRequestDurations();
  const backupAge = openBackupAge(db);
  const signIns = new Counter({
    name: 'sign_ins_total',
    help: 'How many sign-in attempts have ended, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // A rate needs the value from before the first one.
  for (const outcome of attemptOutcomes) signIns.inc({ outcome }, 0);
  const refusals = new Counter({
    name: 'rate_limited_total',
    help: 'Requests that were refused as too many, by limit, and by client or account.',
    labelNames: ['limit', 'by'],
    registers: [registry],
  });
  for (const labels of limitCounters) refusals.inc(labels, 0);
  const refusedConnections = new Counter({
    name: 'connections_refused_total',
    help: 'Connections that were refused because there were as many as MAX_CONNECTIONS allows.',
    registers: [registry],
  });
  const shedRequests = new Counter({
    name: 'requests_shed_total',
    help: 'Requests that were refused with 503 because there were more than the store can serve.',
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    text: async () => `${await registry.metrics()}\n${requests.text()}${await backupAge()}`,
    requestRecorder: requests.recorder,
    countSignIn: (outcome) => signIns.inc({ outcome }),
    countRefusal: (limit, by) => refusals.inc({ limit, by }),
    countRefusedConnection: () => refusedConnections.inc(),
    countShedRequest: () => shedRequests.inc(),
    measure(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        const record = requests.recorder({ method: request.method, route, status: reply.statusCode });
        record(reply.elapsedTime / 1000);
        done();
      });
    },
  };
}
