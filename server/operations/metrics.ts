/** The measurements of the store, in prom-client's types. The alerts of deploy/ read them. */

import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { paths } from '../../contract/paths.ts';
import type { Vitals } from '../../contract/vitals.ts';
import type { PoolUsage } from '../database/engine.ts';
import type { Database } from '../database/open.ts';
import { codeOf } from '../database/unavailable.ts';
import { type Problem, problemCodes } from '../http/problems.ts';
import { limitCounters } from '../http/rate-limits.ts';
import type { ImageWorker } from '../images/image-worker.ts';
import type { Mail } from '../mail/mail.ts';
import type { Payments } from '../payments/open.ts';
import { type AttemptOutcome, attemptOutcomes } from '../sign-in/attempt-outcome.ts';
import type { Webhooks } from '../webhooks/sender.ts';
import { commit, version } from './build-info.ts';
import { openStoredGauges } from './stored-gauges.ts';

export type Metrics = ReturnType<typeof openMetrics>;

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** The buckets have the limits of good and of poor values (https://web.dev/articles/vitals). */
const vitalBuckets = [0.05, 0.1, 0.2, 0.25, 0.5, 1, 2.5, 4, 10];

const help = {
  http_request_duration_seconds: 'How long requests took, by method, route and status.',
  database_statement_duration_seconds: 'How long statements took; on SQLite with the wait for a thread.',
  sign_ins_begun_total: 'How many browsers a page of the store has sent to the identity provider.',
  sign_ins_total: 'How many sign-in attempts have ended, by outcome.',
  rate_limited_total: 'Requests that were refused as too many, by limit, and by client or account.',
  connections_refused_total: 'Connections that were refused beyond MAX_CONNECTIONS.',
  requests_shed_total: 'Requests that were refused with 503: there were more than the store can serve.',
  problems_total: 'Requests that got a problem, by its code; without those of requests_shed_total.',
  orders_total: 'Purchases that were acknowledged; a repeat with the same Idempotency-Key counts again.',
  orders_refused_total: 'Purchases of signed-in customers that got a problem, by its code.',
  response_cache_total: 'Responses of the catalogue: from the cache (hit), or from the database (load).',
  database_errors_total: 'Failed statements, by the code of the error: SQLSTATE, SQLite, or the connection.',
  clock_timestamp_seconds: 'The clock of the node, in seconds since 1970.',
  catalogue_changes_known: 'Whether the node hears of changes by others (1); if not (0), it loads each page.',
  image_conversions: 'Uploads that are being converted, and that wait for it.',
  mail_total: 'By this node: messages sent, attempts that failed, and messages that were given up.',
  webhooks_total: 'By this node: events delivered, attempts that failed, and events that were given up.',
  payments_found_total: 'Orders that this node found to be paid, by what made it ask the provider.',
  payment_webhooks_total:
    'Webhooks of payment providers, by outcome: refused for their signature, or failed.',
  visitor_lcp_seconds: 'How long a visitor waited for the largest picture or text, by screen.',
  visitor_inp_seconds: 'How long a visitor waited after their slowest press, by screen.',
  visitor_cls: 'How much a page moved by itself for a visitor (Cumulative Layout Shift), by screen.',
  colophon_build_info: 'Always 1; the labels say what runs.',
  database_pool_size: 'How many connections, or threads of SQLite, a pool may have.',
  database_pool_in_use: 'Connections, or threads of SQLite, that are busy, by pool.',
  database_pool_waiting: 'Statements that wait for a connection or a thread, by pool.',
};
type Name = keyof typeof help;
type Reading = number | Readonly<Record<string, number>>;

type MetricsParts = {
  database: Database;
  mail: Mail;
  webhooks: Webhooks;
  payments: Pick<Payments, 'counts'>;
  imageWorker: ImageWorker;
};

export function openMetrics({ database, mail, webhooks, payments, imageWorker }: MetricsParts) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const options = (name: Name, labelNames: string[]) => ({
    name,
    help: help[name],
    labelNames,
    registers: [registry],
  });
  const counter = (name: Name, ...labels: string[]) => new Counter<string>(options(name, labels));
  const histogram = (name: Name, labels: string[], buckets = bucketsSeconds) =>
    new Histogram<string>({ ...options(name, labels), buckets });
  const vital = (name: Name) => histogram(name, ['screen'], vitalBuckets);
  const [lcp, inp, cls] = [vital('visitor_lcp_seconds'), vital('visitor_inp_seconds'), vital('visitor_cls')];
  const requests = histogram('http_request_duration_seconds', ['method', 'route', 'status']);
  const statements = histogram('database_statement_duration_seconds', ['kind']);
  const begunSignIns = counter('sign_ins_begun_total');
  const signIns = counter('sign_ins_total', 'outcome');
  const refusals = counter('rate_limited_total', 'limit', 'by');
  const refusedConnections = counter('connections_refused_total');
  const shedRequests = counter('requests_shed_total');
  const problems = counter('problems_total', 'code');
  const orders = counter('orders_total');
  const refusedOrders = counter('orders_refused_total', 'code');
  const databaseErrors = counter('database_errors_total', 'code');
  // The counters start at 0: an alert computes an increase, which needs a value before the first count.
  for (const status of [500, 503]) requests.zero({ method: 'POST', route: paths.addOrder, status });
  for (const outcome of attemptOutcomes) signIns.inc({ outcome }, 0);
  for (const labels of limitCounters) refusals.inc(labels, 0);
  for (const code of problemCodes) {
    problems.inc({ code }, 0);
    refusedOrders.inc({ code }, 0);
  }

  const build = { version, commit, node: process.versions.node, database: database.engine };
  new Gauge<string>(options('colophon_build_info', Object.keys(build))).set(build, 1);
  /** Reads, at each scrape, values that a part of the store has. @param label names the values, if the reading has several. */
  const watch = (
    name: Name,
    read: () => Reading,
    label?: string,
    Metric: typeof Gauge | typeof Counter = Gauge,
  ) => {
    const metric = new Metric<string>({
      ...options(name, label === undefined ? [] : [label]),
      collect() {
        metric.reset();
        const reading = read();
        if (typeof reading === 'number') metric.inc(reading);
        else for (const [key, value] of Object.entries(reading)) metric.inc({ [label ?? '']: key }, value);
      },
    });
  };
  const ofPools = (field: keyof PoolUsage) =>
    Object.fromEntries(Object.entries(database.pools()).map(([pool, usage]) => [pool, usage[field]]));
  watch('database_pool_size', () => ofPools('size'), 'pool');
  watch('database_pool_in_use', () => ofPools('inUse'), 'pool');
  watch('database_pool_waiting', () => ofPools('waiting'), 'pool');
  /** The counters are plain numbers, because a cached response takes only some ten microseconds. */
  const cached = { hit: 0, load: 0 };
  watch('response_cache_total', () => cached, 'result', Counter);
  watch('clock_timestamp_seconds', () => Date.now() / 1000);
  watch('catalogue_changes_known', () => (Number.isNaN(database.catalogueVersion.databaseChanges()) ? 0 : 1));
  const conversions = () => ({ running: imageWorker.usage().inUse, waiting: imageWorker.usage().waiting });
  watch('image_conversions', conversions, 'state');
  const failures = ({ failed, givenUp }: Mail['counts']) => ({ failed, given_up: givenUp });
  const ofMail = () => ({ sent: mail.counts.sent, ...failures(mail.counts) });
  watch('mail_total', ofMail, 'outcome', Counter);
  const ofWebhooks = () => ({ delivered: webhooks.counts.sent, ...failures(webhooks.counts) });
  watch('webhooks_total', ofWebhooks, 'outcome', Counter);
  watch('payments_found_total', () => payments.counts.paid, 'by', Counter);
  watch('payment_webhooks_total', () => payments.counts.webhooks, 'outcome', Counter);
  const readStored = openStoredGauges(database, [registry]);

  database.observeStatements((kind, seconds, error) => {
    statements.observe({ kind }, seconds);
    if (error !== undefined) databaseErrors.inc({ code: String(codeOf(error) ?? 'none') });
  });

  return {
    contentType: registry.contentType,
    async text(): Promise<string> {
      await readStored();
      return await registry.metrics();
    },
    recordCachedResponse(route: string, status: number, seconds: number) {
      cached.hit += 1;
      requests.observe({ method: 'GET', route, status }, seconds);
    },
    countLoadedResponse() {
      cached.load += 1;
    },
    recordVitals({ screen, ...vitals }: Vitals) {
      if (vitals.lcp !== undefined) lcp.observe({ screen }, vitals.lcp / 1000);
      if (vitals.inp !== undefined) inp.observe({ screen }, vitals.inp / 1000);
      if (vitals.cls !== undefined) cls.observe({ screen }, vitals.cls);
    },
    countBegunSignIn: () => begunSignIns.inc(),
    countSignIn: (outcome: AttemptOutcome) => signIns.inc({ outcome }),
    countRefusal: (limit: string, by: string) => refusals.inc({ limit, by }),
    countRefusedConnection: () => refusedConnections.inc(),
    countShedRequest: () => shedRequests.inc(),
    countProblem: ({ code }: Problem) => problems.inc({ code }),
    measure(app: FastifyInstance): void {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        // A client could send some thirty methods that no route accepts.
        const method = route === 'none' ? 'other' : request.method;
        requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
        const code = request.problem?.code;
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
