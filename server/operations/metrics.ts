import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { limitCounters } from '../http/rate-limits.ts';
import { type AttemptOutcome, attemptOutcomes } from '../sign-in/attempt-outcome.ts';

export type Metrics = {
  contentType: string;
  /** @returns all measurements in the text format of Prometheus. */
  text(): Promise<string>;
  /** Records a request. `route` is the pattern, never the address: each label value is a time series. */
  observe(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Counts a sign-in attempt that has ended. */
  countSignIn(outcome: AttemptOutcome): void;
  /** Counts a request that a limit refused. @param by `client` or `account`. */
  countRefusal(limit: string, by: string): void;
  /** Counts a connection beyond `MAX_CONNECTIONS`. */
  countRefusedConnection(): void;
  /** Observes every request of the app. */
  measure(app: FastifyInstance): void;
};

/** Opens a registry with prom-client's metrics of the process, and with those of requests, sign-ins and refusals. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
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
  const observe: Metrics['observe'] = (labels, seconds) => requests.observe(labels, seconds);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observe,
    countSignIn: (outcome) => signIns.inc({ outcome }),
    countRefusal: (limit, by) => refusals.inc({ limit, by }),
    countRefusedConnection: () => refusedConnections.inc(),
    measure(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
        done();
      });
    },
  };
}
