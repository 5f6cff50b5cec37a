import type { FastifyInstance, FastifyRequest } from 'fastify';
import { paths } from '../../contract/paths.ts';
import { hostOf } from './hosts.ts';
import type { Problem } from './problems.ts';

/** The most lines of each kind in a second: a flood of requests must not fill the disk. */
const maxLines = 50;
const reportMs = 10_000;
/** The longest name, 253 characters (RFC 1035, section 2.3.4), and a port. */
const maxHostLength = 259;

export const isDebugging = ({ log }: FastifyInstance): boolean =>
  log.level === 'debug' || log.level === 'trace';

/** Logs failed requests at `warn`, other refused requests and changes at `info`, and every request at `debug`. */
export function logRequests(app: FastifyInstance, isBeyondLimit: LineLimit): void {
  const logsReads = isDebugging(app);
  const logsChanges = logsReads || app.log.level === 'info';
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    // Reports of visitors change nothing. One for each page would leave no room for refusals.
    const isRead =
      ['GET', 'HEAD', 'OPTIONS'].includes(request.method) || request.routeOptions.url === paths.vitals;
    const isFailed = statusCode >= 500;
    // Browsers repeat a read that gets a 503; the log of outages counts it.
    if (isRead && (statusCode < 400 || statusCode === 503) && !logsReads) return done();
    if (!isFailed && !logsChanges) return done();
    const isKnown = (request.customer ?? request.token ?? null) !== null;
    // Each kind has its own limit: refusals of strangers must leave room for failures and for customers, who may tell the shop the id.
    const kind = `${isFailed ? 'failed' : 'refused'}${isKnown ? ' of customers' : ''}`;
    if ((statusCode >= 400 || !isKnown) && isBeyondLimit(kind)) return done();
    const level = isFailed ? 'warn' : isRead && statusCode < 400 ? 'debug' : 'info';
    request.log[level](
      { ...described(request), status: statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
    done();
  });
}

const described = ({ problem, method, routeOptions, ip, customer, token, orderId, raw }: FastifyRequest) => ({
  host: problem?.code === 'MISDIRECTED_REQUEST' ? hostOf(raw).slice(0, maxHostLength) : undefined,
  method,
  // The log has the pattern of the route, because an address may contain an e-mail.
  route: routeOptions.url ?? 'none',
  code: problem?.code,
  reason: problem?.status === 503 && problem.cause instanceof Error ? problem.cause.message : undefined,
  ip,
  // The log has only the customer's id; the database has the person.
  customer: customer?.id,
  token: token ?? undefined,
  order: orderId,
});

export type LineLimit = (kind: string) => boolean;

export function limitLines(app: FastifyInstance): LineLimit {
  if (isDebugging(app)) return () => false;
  let second = 0;
  const lines = new Map<string, number>();
  let leftOut = 0;
  const report = () => {
    if (leftOut > 0) app.log.warn({ leftOut }, 'lines of requests were left out');
    leftOut = 0;
  };
  const timer = setInterval(report, reportMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    report();
  });

  return (kind) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) lines.clear();
    second = now;
    const count = (lines.get(kind) ?? 0) + 1;
    lines.set(kind, count);
    if (count > maxLines) leftOut += 1;
    return count > maxLines;
  };
}

/** An outage is over when no request was refused for this long. */
const quietMs = 10_000;

/** While the database is away every request fails: each reason has two lines. @returns a recorder of requests that get 503. */
export function logOutages(app: FastifyInstance): (problem: Problem) => void {
  const outages = new Map<string, { beganAt: number; lastAt: number; refused: number }>();
  const endAllFrom = (before: number) => {
    for (const [kind, { beganAt, lastAt, refused }] of outages) {
      if (lastAt > before) continue;
      outages.delete(kind);
      const seconds = Math.round((lastAt - beganAt) / 100) / 10;
      app.log.warn({ kind, seconds, refused }, 'requests are no longer refused');
    }
  };
  const timer = setInterval(() => endAllFrom(performance.now() - quietMs), 1_000).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    endAllFrom(Number.POSITIVE_INFINITY);
  });

  return ({ code, cause, detail, message }) => {
    const { code: causeCode, errcode } = (cause ?? {}) as { code?: unknown; errcode?: unknown };
    const kind = [code, causeCode, errcode].filter((part) => part !== undefined).join(' ');
    const reason = cause instanceof Error ? cause.message : (detail ?? message);
    if (!outages.has(kind)) app.log.warn({ kind, reason }, 'requests are refused');
    const lastAt = performance.now();
    const { beganAt = lastAt, refused = 0 } = outages.get(kind) ?? {};
    outages.set(kind, { beganAt, lastAt, refused: refused + 1 });
  };
}
