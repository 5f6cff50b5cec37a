import type { FastifyInstance } from 'fastify';
import type { Problem } from './problems.ts';

/** An outage has ended when no request was refused for its reason for this long. */
const quietMs = 10_000;

/**
 * While the database is unavailable every request fails: each reason has two lines in the log, however many requests it affects.
 * @returns a function that records a request that is refused with 503.
 */
export function logOutages(app: FastifyInstance): (problem: Problem) => void {
  const outages = new Map<string, { record(): void; end(): void }>();
  const begin = (kind: string) => {
    const beganAt = performance.now();
    let [lastAt, refused] = [beganAt, 0];
    const end = () => {
      clearTimeout(timer);
      outages.delete(kind);
      const seconds = Math.round((lastAt - beganAt) / 100) / 10;
      app.log.warn({ kind, seconds, refused }, 'requests are no longer refused');
    };
    const timer = setTimeout(end, quietMs).unref();
    const record = () => {
      [lastAt, refused] = [performance.now(), refused + 1];
      timer.refresh();
    };
    return { record, end };
  };
  app.addHook('onClose', async () => {
    for (const { end } of outages.values()) end();
  });

  return (problem) => {
    const { code, cause, detail, message } = problem;
    const { code: causeCode, errcode } = (cause ?? {}) as { code?: unknown; errcode?: unknown };
    // Such as `UNAVAILABLE ECONNREFUSED`, or `BUSY`.
    const kind = [code, causeCode, errcode].filter((part) => part !== undefined).join(' ');
    const reason = cause instanceof Error ? cause.message : (detail ?? message);
    if (!outages.has(kind)) app.log.warn({ kind, reason }, 'requests are refused');
    const outage = outages.get(kind) ?? begin(kind);
    outages.set(kind, outage);
    outage.record();
  };
}
