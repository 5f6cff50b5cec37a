import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { paths } from '../../contract/paths.ts';
import type { PoolUsage } from '../database/engine.ts';
import type { Database } from '../database/open.ts';
import type { StatementKind } from '../database/statement-log.ts';
import { codeOf } from '../database/unavailable.ts';
import { type Problem, problemCodes } from '../http/problems.ts';
import { limitCounters } from '../http/rate-limits.ts';
import type { ImageWorker } from '../images/image-worker.ts';
import type { Mail } from '../mail/mail.ts';
import { type AttemptOutcome, attemptOutcomes } from '../sign-in/attempt-outcome.ts';
import { type CertificateWatch, watchCertificates } from '../sign-in/provider-fetch.ts';
import type { Webhooks } from '../webhooks/sender.ts';
import { commit, version } from './build-info.ts';
import { type Durations, openDurations } from './durations.ts';
import { openStoredGauges } from './stored-gauges.ts';

/** The measurements of the store. */
export type Metrics = {
  contentType: string;
  /** @returns all measurements in the text format of Prometheus. */
  text(): Promise<string>;
  /** @returns a function that records a response which the cache has sent, with the seconds it took. */
  cachedResponseRecorder(route: string, status: number): (seconds: number) => void;
  /** Counts a response that the cache has loaded. */
  countLoadedResponse(): void;
  /** Counts a browser that a page of the store has sent to the identity provider. */
  countBegunSignIn(): void;
  /** Counts a sign-in attempt that has ended. */
  countSignIn(outcome: AttemptOutcome): void;
  /** Counts a request that a limit refused. @param by `client` or `account`. */
  countRefusal(limit: string, by: string): void;
  /** Counts a connection beyond `MAX_CONNECTIONS`. */
  countRefusedConnection(): void;
  /** Counts a request that was refused unread because too many were in progress. */
  countShedRequest(): void;
  /** Counts a problem that was sent outside the app's hooks. */
  countProblem(problem: Problem): void;
  /** Observes every request of the app. */
  measure(app: FastifyInstance): void;
};

/** The parts that are measured beside the requests. */
type MeasuredParts = {
  database: Database;
  mail: Mail;
  webhooks: Webhooks;
  imageWorker: ImageWorker;
};

/** Opens a registry with prom-client's metrics of the process, and with those of the store. */
export function openMetrics({ database, mail, webhooks, imageWorker }: MeasuredParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = openDurations(
    'http_request_duration_seconds',
    'How long requests took, by method, route and status.',
  );
  // An alert asks for the increase, which needs the value from before the first one.
  for (const status of [500, 503]) requests.recorder({ method: 'POST', route: paths.addOrder, status });
  const statements = measureStatements(database, registers);
  const storedGauges = openStoredGauges(database);
  const certificates = watchCertificates();
  watchParts({ database, mail, webhooks, imageWorker, certificates }, registers);
  const begunSignIns = new Counter({
    name: 'sign_ins_begun_total',
    help: 'How many browsers a page of the store has sent to the identity provider.',
    registers,
  });
  const signIns = new Counter({
    name: 'sign_ins_total',
    help: 'How many sign-in attempts have ended, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  // As for purchases.
  for (const outcome of attemptOutcomes) signIns.inc({ outcome }, 0);
  const refusals = new Counter({
    name: 'rate_limited_total',
    help: 'Requests that were refused as too many, by limit, and by client or account.',
    labelNames: ['limit', 'by'],
    registers,
  });
  for (const labels of limitCounters) refusals.inc(labels, 0);
  const refusedConnections = new Counter({
    name: 'connections_refused_total',
    help: 'Connections that were refused because there were as many as MAX_CONNECTIONS allows.',
    registers,
  });
  const shedRequests = new Counter({
    name: 'requests_shed_total',
    help: 'Requests that were refused with 503 because there were more than the store can serve.',
    registers,
  });
  const problems = new Counter({
    name: 'problems_total',
    help: 'Requests that got a problem as their answer, by its code; without those of requests_shed_total.',
    labelNames: ['code'],
    registers,
  });
  for (const code of problemCodes) problems.inc({ code }, 0);
  const orders = new Counter({
    name: 'orders_total',
    help: 'Purchases that were acknowledged; a repeat with the same Idempotency-Key counts again.',
    registers,
  });
  const refusedOrders = new Counter({
    name: 'orders_refused_total',
    help: 'Purchases of signed-in customers that got a problem as their answer, by its code.',
    labelNames: ['code'],
    registers,
  });
  for (const code of problemCodes) refusedOrders.inc({ code }, 0);
  let hits = 0;
  let loads = 0;
  new Counter({
    name: 'response_cache_total',
    help: 'Responses of the catalogue: sent from the cache (hit), or loaded from the database (load).',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'load' }, loads);
    },
  });
  return {
    contentType: registry.contentType,
    text: async () =>
      [await registry.metrics(), requests.text(), statements.text(), await storedGauges()].join('\n'),
    cachedResponseRecorder(route, status) {
      const record = requests.recorder({ method: 'GET', route, status });
      return (seconds) => {
        hits += 1;
        record(seconds);
      };
    },
    countLoadedResponse() {
      loads += 1;
    },
    countBegunSignIn: () => begunSignIns.inc(),
    countSignIn: (outcome) => signIns.inc({ outcome }),
    countRefusal: (limit, by) => refusals.inc({ limit, by }),
    countRefusedConnection: () => refusedConnections.inc(),
    countShedRequest: () => shedRequests.inc(),
    countProblem: ({ code }) => problems.inc({ code }),
    measure(app) {
      const methods = new Set<string>();
      const recorders = new Map<string, (seconds: number) => void>();
      const recorderOf = (method: string, route: string, status: number) => {
        const key = `${method} ${status} ${route}`;
        const record = recorders.get(key) ?? requests.recorder({ method, route, status });
        recorders.set(key, record);
        return record;
      };
      app.addHook('onRoute', (route) => {
        for (const method of [route.method].flat()) methods.add(method);
      });
      app.addHook('onClose', async () => certificates.stop());
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        // A client can name some thirty others.
        const method = methods.has(request.method) ? request.method : 'other';
        recorderOf(method, route, reply.statusCode)(reply.elapsedTime / 1000);
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

/** A failing database must not fill the memory with the codes of its errors. */
const maxErrorCodes = 50;

function measureStatements(database: Database, registers: Registry[]): Durations {
  const durations = openDurations(
    'database_statement_duration_seconds',
    'How long statements took, by their kind; on SQLite with the wait for a thread.',
  );
  const recorders = new Map<StatementKind, (seconds: number) => void>();
  const errors = new Counter({
    name: 'database_errors_total',
    help: 'Statements that failed, by the code of the error: SQLSTATE, SQLite, or the connection.',
    labelNames: ['code'],
    registers,
  });
  const codes = new Set<string>();
  database.observeStatements((kind, seconds, error) => {
    const record = recorders.get(kind) ?? durations.recorder({ kind });
    recorders.set(kind, record);
    record(seconds);
    if (error === undefined) return;
    const code = String(codeOf(error) ?? 'none');
    if (codes.size < maxErrorCodes) codes.add(code);
    errors.inc({ code: codes.has(code) ? code : 'other' });
  });
  return durations;
}

/** Gauges and counters of what the parts know by themselves, read at each scrape. */
function watchParts(
  { database, mail, webhooks, imageWorker, certificates }: MeasuredParts & { certificates: CertificateWatch },
  registers: Registry[],
): void {
  new Gauge({
    name: 'colophon_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'commit', 'node', 'database'],
    registers,
  }).set({ version, commit, node: process.versions.node, database: database.engine }, 1);
  const poolGauge = (name: string, help: string, field: keyof PoolUsage) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [pool, usage] of Object.entries(database.pools())) this.set({ pool }, usage[field]);
      },
    });
  poolGauge('database_pool_size', 'How many connections, or threads of SQLite, a pool may have.', 'size');
  poolGauge('database_pool_in_use', 'Connections, or threads of SQLite, that are busy, by pool.', 'inUse');
  poolGauge(
    'database_pool_waiting',
    'Statements that wait for a connection or a thread, by pool.',
    'waiting',
  );
  new Gauge({
    name: 'provider_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of a host of the identity provider expires, as of the last connection within a day.',
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      for (const [host, expiry] of certificates.expiries()) this.set({ host }, expiry / 1000);
    },
  });
  new Gauge({
    name: 'clock_timestamp_seconds',
    help: 'The clock of the node, in seconds since 1970.',
    registers,
    collect() {
      this.set(Date.now() / 1000);
    },
  });
  new Gauge({
    name: 'catalogue_changes_known',
    help: 'Whether the node hears of changes of the catalogue by others (1); if not (0), each page is loaded.',
    registers,
    collect() {
      this.set(Number.isNaN(database.catalogueVersion.databaseChanges()) ? 0 : 1);
    },
  });
  new Gauge({
    name: 'image_conversions',
    help: 'Uploads that are being converted, and that wait for it.',
    labelNames: ['state'],
    registers,
    collect() {
      const usage = imageWorker.usage();
      this.set({ state: 'running' }, usage.inUse);
      this.set({ state: 'waiting' }, usage.waiting);
    },
  });
  new Counter({
    name: 'mail_total',
    help: 'By this node: messages sent, attempts that failed, and orders whose mail was given up.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      this.inc({ outcome: 'sent' }, mail.counts.sent);
      this.inc({ outcome: 'failed' }, mail.counts.failed);
      this.inc({ outcome: 'given_up' }, mail.counts.givenUp);
    },
  });
  new Counter({
    name: 'webhooks_total',
    help: 'By this node: events that a receiver took, attempts that failed, and events that were given up.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      this.inc({ outcome: 'delivered' }, webhooks.counts.delivered);
      this.inc({ outcome: 'failed' }, webhooks.counts.failed);
      this.inc({ outcome: 'given_up' }, webhooks.counts.givenUp);
    },
  });
}
