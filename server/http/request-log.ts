import type { FastifyInstance } from 'fastify';

/** More customers than this do not read an id aloud, and a full disk must not fill with lines about itself. */
const maxRefusedLines = 50;

/** Whether the log has every request. */
export const isDebugging = ({ log }: FastifyInstance): boolean =>
  log.level === 'debug' || log.level === 'trace';

/** Logs changes and refused requests at `info`, of those with 503 fifty a second, and every request at `debug`. */
export function logRequests(app: FastifyInstance): void {
  const logsReads = isDebugging(app);
  const refused = { second: 0, lines: 0 };
  /** Whether the second has had as many lines as it may. */
  const isBeyondLimit = (): boolean => {
    const second = Math.floor(Date.now() / 1000);
    if (second !== refused.second) Object.assign(refused, { second, lines: 0 });
    refused.lines += 1;
    return refused.lines > maxRefusedLines;
  };
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPlainRead = isRead && statusCode < 400;
    // A read that is refused with 503 is repeated by itself; the log of outages counts it.
    const isRefusedRead = isRead && statusCode === 503;
    if ((isPlainRead || isRefusedRead) && !logsReads) return done();
    if (statusCode === 503 && !logsReads && isBeyondLimit()) return done();
    request.log[isPlainRead ? 'debug' : 'info'](
      {
        method: request.method,
        // The pattern, because an address may contain an e-mail.
        route: request.routeOptions.url ?? 'none',
        status: statusCode,
        code: request.problemCode,
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
