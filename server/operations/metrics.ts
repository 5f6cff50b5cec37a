/** The measurements of the store, in prom-client's types. docs/monitoring.md has them all. */

import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { paths } from '../../contract/paths.ts';
import type { PoolUsage } from '../database/engine.ts';
import type { Database } from '../database/open.ts';
import { codeOf } from '../database/unavailable.ts';
import { type Problem, problemCodes } from '../http/problems.ts';
import { limitCounters } from '../http/rate-limits.ts';
import type { ImageWorker } from '../images/image-worker.ts';
import type { Mail } from '../mail/mail.ts';
import { type AttemptOutcome, attemptOutcomes } from '../sign-in/attempt-outcome.ts';
import { type CertificateWatch, watchCertificates } from '../sign-in/provider-fetch.ts';
import type { Webhooks } from '../webhooks/sender.ts';
import { commit, version } from './build-info.ts';
import { openStoredGauges } from './stored-gauges.ts';

/** The parts that are measured beside the requests. */
type MeasuredParts = { database: Database; mail: Mail; webhooks: Webhooks; imageWorker: ImageWorker };

export type Metrics = ReturnType<typeof openMetrics>;

/** In seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const durations = {
  requests: {
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
  },
  statements: {
    name: 'database_statement_duration_seconds',
    help: 'How long statements took, by their kind; on SQLite with the wait for a thread.',
    labelNames: ['kind'],
  },
} as const;

const counters = {
  begunSignIns: {
    name: 'sign_ins_begun_total',
    help: 'How many browsers a page of the store has sent to the identity provider.',
  },
  signIns: {
    name: 'sign_ins_total',
    help: 'How many sign-in attempts have ended, by outcome.',
    labelNames: ['outcome'],
  },
  refusals: {
    name: 'rate_limited_total',
    help: 'Requests that were refused as too many, by limit, and by client or account.',
    labelNames: ['limit', 'by'],
  },
  refusedConnections: {
    name: 'connections_refused_total',
    help: 'Connections that were refused because there were as many as MAX_CONNECTIONS allows.',
  },
  shedRequests: {
    name: 'requests_shed_total',
    help: 'Requests that were refused with 503 because there were more than the store can serve.',
  },
  problems: {
    name: 'problems_total',
    help: 'Requests that got a problem as their answer, by its code; without those of requests_shed_total.',
    labelNames: ['code'],
  },
  orders: {
    name: 'orders_total',
    help: 'Purchases that were acknowledged; a repeat with the same Idempotency-Key counts again.',
  },
  refusedOrders: {
    name: 'orders_refused_total',
    help: 'Purchases of signed-in customers that got a problem as their answer, by its code.',
    labelNames: ['code'],
  },
  cache: {
    name: 'response_cache_total',
    help: 'Responses of the catalogue: sent from the cache (hit), or loaded from the database (load).',
    labelNames: ['result'],
  },
  databaseErrors: {
    name: 'database_errors_total',
    help: 'Statements that failed, by the code of the error: SQLSTATE, SQLite, or the connection.',
    labelNames: ['code'],
  },
} as const;

/** What a part knows by itself, read at each scrape: a value, or the value of each `label`. */
type Watched = {
  type: 'gauge' | 'counter';
  name: string;
  help: string;
  label?: string;
  read(parts: MeasuredParts & { certificates: CertificateWatch }): number | Readonly<Record<string, number>>;
};

const poolGauge = (field: keyof PoolUsage, name: string, help: string): Watched => ({
  ...{ type: 'gauge', name, help, label: 'pool' },
  read: ({ database }) =>
    Object.fromEntries(Object.entries(database.pools()).map(([pool, usage]) => [pool, usage[field]])),
});

const watched: readonly Watched[] = [
  poolGauge('size', 'database_pool_size', 'How many connections, or threads of SQLite, a pool may have.'),
  poolGauge('inUse', 'database_pool_in_use', 'Connections, or threads of SQLite, that are busy, by pool.'),
  poolGauge(
    'waiting',
    'database_pool_waiting',
    'Statements that wait for a connection or a thread, by pool.',
  ),
  {
    type: 'gauge',
    name: 'provider_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of a host of the identity provider expires, as of the last connection within a day.',
    label: 'host',
    read: ({ certificates }) =>
      Object.fromEntries([...certificates.expiries()].map(([host, expiry]) => [host, expiry / 1000])),
  },
  {
    type: 'gauge',
    name: 'clock_timestamp_seconds',
    help: 'The clock of the node, in seconds since 1970.',
    read: () => Date.now() / 1000,
  },
  {
    type: 'gauge',
    name: 'catalogue_changes_known',
    help: 'Whether the node hears of changes of the catalogue by others (1); if not (0), each page is loaded.',
    read: ({ database }) => (Number.isNaN(database.catalogueVersion.databaseChanges()) ? 0 : 1),
  },
  {
    type: 'gauge',
    name: 'image_conversions',
    help: 'Uploads that are being converted, and that wait for it.',
    label: 'state',
    read({ imageWorker }) {
      const { inUse, waiting } = imageWorker.usage();
      return { running: inUse, waiting };
    },
  },
  {
    type: 'counter',
    name: 'mail_total',
    help: 'By this node: messages sent, attempts that failed, and messages that were given up.',
    label: 'outcome',
    read: ({ mail: { counts } }) => ({
      ...{ sent: counts.sent, failed: counts.failed, given_up: counts.givenUp },
    }),
  },
  {
    type: 'counter',
    name: 'webhooks_total',
    help: 'By this node: events that a receiver took, attempts that failed, and events that were given up.',
    label: 'outcome',
    read: ({ webhooks: { counts } }) => ({
      ...{ delivered: counts.sent, failed: counts.failed, given_up: counts.givenUp },
    }),
  },
];

/** A failing database must not fill the memory with the codes of its errors. */
const maxErrorCodes = 50;

/** Opens a registry with prom-client's metrics of the process, and with those of the store. */
export function openMetrics(parts: MeasuredParts) {
  const { database } = parts;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const histogram = (name: keyof typeof durations) =>
    new Histogram<string>({ ...durations[name], buckets, registers });
  const counter = (name: keyof typeof counters) => new Counter<string>({ ...counters[name], registers });
  const requests = histogram('requests');
  const statements = histogram('statements');
  const problems = counter('problems');
  const signIns = counter('signIns');
  const refusals = counter('refusals');
  const orders = counter('orders');
  const refusedOrders = counter('refusedOrders');
  const cache = counter('cache');
  const databaseErrors = counter('databaseErrors');
  const begunSignIns = counter('begunSignIns');
  const refusedConnections = counter('refusedConnections');
  const shedRequests = counter('shedRequests');
  // An alert asks for the increase, which needs the value from before the first one.
  for (const status of [500, 503]) requests.zero({ method: 'POST', route: paths.addOrder, status });
  for (const outcome of attemptOutcomes) signIns.inc({ outcome }, 0);
  for (const labels of limitCounters) refusals.inc(labels, 0);
  for (const code of problemCodes) {
    problems.inc({ code }, 0);
    refusedOrders.inc({ code }, 0);
  }
  for (const result of ['hit', 'load']) cache.inc({ result }, 0);

  new Gauge({
    name: 'colophon_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'commit', 'node', 'database'],
    registers,
  }).set({ version, commit, node: process.versions.node, database: database.engine }, 1);
  const certificates = watchCertificates();
  for (const row of watched) watch(row, { ...parts, certificates }, registers);
  const readStored = openStoredGauges(database, registers);

  const errorCodes = new Set<string>();
  database.observeStatements((kind, seconds, error) => {
    statements.observe({ kind }, seconds);
    if (error === undefined) return;
    const code = String(codeOf(error) ?? 'none');
    if (errorCodes.size < maxErrorCodes) errorCodes.add(code);
    databaseErrors.inc({ code: errorCodes.has(code) ? code : 'other' });
  });

  return {
    contentType: registry.contentType,
    /** @returns all measurements in the text format of Prometheus. */
    async text(): Promise<string> {
      await readStored();
      return await registry.metrics();
    },
    /** @returns a function that records a response which the cache has sent, with the seconds it took. */
    cachedResponseRecorder(route: string, status: number): (seconds: number) => void {
      const labels = { method: 'GET', route, status };
      return (seconds) => {
        cache.inc({ result: 'hit' });
        requests.observe(labels, seconds);
      };
    },
    countLoadedResponse: () => cache.inc({ result: 'load' }),
    /** Counts a browser that a page of the store has sent to the identity provider. */
    countBegunSignIn: () => begunSignIns.inc(),
    countSignIn: (outcome: AttemptOutcome) => signIns.inc({ outcome }),
    /** @param by `client` or `account`. */
    countRefusal: (limit: string, by: string) => refusals.inc({ limit, by }),
    countRefusedConnection: () => refusedConnections.inc(),
    /** Counts a request that was refused unread because too many were in progress. */
    countShedRequest: () => shedRequests.inc(),
    /** Counts a problem that was sent outside the app's hooks. */
    countProblem: ({ code }: Problem) => problems.inc({ code }),
    /** Observes every request of the app. */
    measure(app: FastifyInstance): void {
      const methods = new Set<string>();
      app.addHook('onRoute', (route) => {
        for (const method of [route.method].flat()) methods.add(method);
      });
      app.addHook('onClose', async () => certificates.stop());
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        // A client can name some thirty others.
        const method = methods.has(request.method) ? request.method : 'other';
        requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
        const code = request.problemCode;
        if (code !== undefined) {
          problems.inc({ code });
          // Anyone can send orders without a session: they must not raise an alert.
          if (route === paths.addOrder && request.customer !== null) refusedOrders.inc({ code });
        }
        if (request.orderId !== undefined) orders.inc();
        done();
      });
    },
  };
}

function watch(
  { type, name, help, label, read }: Watched,
  parts: Parameters<Watched['read']>[0],
  registers: Registry[],
): void {
  const collect = () => {
    metric.reset();
    const values = read(parts);
    if (typeof values === 'number') metric.inc(values);
    else for (const [key, value] of Object.entries(values)) metric.inc({ [label ?? '']: key }, value);
  };
  const config = { name, help, labelNames: label === undefined ? [] : [label], registers, collect };
  const metric: Pick<Gauge, 'reset' | 'inc'> = type === 'gauge' ? new Gauge(config) : new Counter(config);
}
