/** The log of outages: a line when requests begin to be refused for a reason, and one when they no longer are. */

import type { FastifyInstance } from 'fastify';
import type { Problem } from './problems.ts';

/** An outage has ended when no request was refused for its reason for this long. */
const quietMs = 10_000;

type Outage = { beganAt: number; lastAt: number; refused: number; timer: NodeJS.Timeout };

/** The record of refused requests. */
type Outages = {
  /** Records a request that is refused with 503. */
  record(problem: Problem): void;
};

/**
 * While the database is unavailable every request fails. Each reason has two lines in the log, however many requests it
 * affects.
 * @returns the recorder of refused requests; open outages are logged as ended when the app closes.
 */
export function logOutages(app: FastifyInstance): Outages {
  const outages = new Map<string, Outage>();

  const end = (kind: string, { beganAt, lastAt, refused, timer }: Outage) => {
    clearTimeout(timer);
    outages.delete(kind);
    const seconds = Math.round((lastAt - beganAt) / 100) / 10;
    app.log.warn({ kind, seconds, refused }, 'requests are no longer refused');
  };
  app.addHook('onClose', async () => {
    for (const [kind, outage] of outages) end(kind, outage);
  });

  return {
    record(problem) {
      const kind = kindOf(problem);
      const now = performance.now();
      const current = outages.get(kind);
      if (current) {
        current.lastAt = now;
        current.refused += 1;
        current.timer.refresh();
        return;
      }
      const timer = setTimeout(() => end(kind, outage), quietMs).unref();
      const outage: Outage = { beganAt: now, lastAt: now, refused: 1, timer };
      outages.set(kind, outage);
      app.log.warn({ kind, reason: reasonOf(problem) }, 'requests are refused');
    },
  };
}

/** Such as `UNAVAILABLE ECONNREFUSED` or `BUSY`: the problem's code, and that of its cause where there is one. */
function kindOf({ code, cause }: Problem): string {
  const { code: causeCode, errcode } = (cause ?? {}) as { code?: unknown; errcode?: unknown };
  return [code, causeCode, errcode].filter((part) => part !== undefined).join(' ');
}

const reasonOf = ({ cause, detail, message }: Problem): string =>
  cause instanceof Error ? cause.message : (detail ?? message);
