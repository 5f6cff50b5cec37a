import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = {
  contentType: string;
  text(): Promise<string>;
  /** A request by its route's pattern, never by its address: labels must stay few. */
  observe(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Has the app's requests observed. */
  measure(app: FastifyInstance): void;
};

/** Counts and times of requests, and what the process itself takes. */
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
  const observe: Metrics['observe'] = (labels, seconds) => requests.observe(labels, seconds);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observe,
    measure(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
        done();
      });
    },
  };
}
