import type { FastifyInstance } from 'fastify';
import { traceOf } from './request-ids.ts';

/**
 * Lines a second, so that a flood of requests does not fill the disk. Failed requests (5xx) and the others have these limits
 * each, so that what is refused hides no failure, whose id a customer reads aloud.
 */
const maxLines = {
  /** For each customer or token, as many as its limit of changes lets through; and for each outcome of sign-ins. */
  known: 10,
  /** For all clients without a session or token: what they are refused, and what they change, as by a sign-out. */
  unknown: 50,
  all: 200,
};

const reportMs = 10_000;

export const isDebugging = ({ log }: FastifyInstance): boolean =>
  log.level === 'debug' || log.level === 'trace';

/**
 * Logs failed requests at `warn`, other refused requests and changes at `info`, and every request at `debug`. At `debug` alone
 * the lines have no limit.
 */
export function logRequests(app: FastifyInstance, isBeyondLimit: LineLimit): void {
  const logsReads = isDebugging(app);
  const logsInfo = logsReads || app.log.level === 'info';
  // The lines below have no headers, and the search for them copies each line: a fifth of all that an order leaves to be collected.
  const log = app.log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    const isPlainRead = isRead && statusCode < 400;
    // A read that is refused with 503 is repeated by itself; the log of outages counts it.
    const isRefusedRead = isRead && statusCode === 503;
    if ((isPlainRead || isRefusedRead) && !logsReads) return done();
    if (statusCode < 500 && !logsInfo) return done();
    const client = request.customer?.id ?? request.token ?? undefined;
    // A customer's changes have limits elsewhere, and each is worth its line.
    const isLimited = statusCode >= 400 || client === undefined;
    if (isLimited && isBeyondLimit(statusCode >= 500 ? 'failed' : 'refused', client)) return done();
    const level = statusCode >= 500 ? 'warn' : isPlainRead ? 'debug' : 'info';
    log[level](
      {
        requestId: request.id,
        traceId: traceOf(request.raw),
        host: request.refusedHost,
        method: request.method,
        // The pattern, because an address may contain an e-mail.
        route: request.routeOptions.url ?? 'none',
        status: statusCode,
        code: request.problemCode,
        reason: request.problemReason,
        ms: Math.round(elapsedTime),
        ip: request.ip,
        // The database has the person of this id.
        customer: request.customer?.id,
        token: request.token ?? undefined,
        order: request.orderId,
      },
      'request',
    );
    done();
  });
}

/** @returns whether this second has had as many lines of a kind as it may, or of a known client of it. */
export type LineLimit = (kind: 'failed' | 'refused' | 'sign-in', client: string | undefined) => boolean;

/** Limits the lines of a log below `debug`. It says later how many it did not get. */
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
  const isWithin = (key: string, most: number): boolean => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) lines.clear();
    second = now;
    const count = (lines.get(key) ?? 0) + 1;
    lines.set(key, count);
    return count <= most;
  };

  return (kind, client) => {
    const most = client === undefined ? maxLines.unknown : maxLines.known;
    if (isWithin(`${kind} ${client ?? ''}`, most) && isWithin(kind, maxLines.all)) return false;
    leftOut += 1;
    return true;
  };
}
