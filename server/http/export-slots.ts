import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Problem } from './problems.ts';

/** Limits the exports that are under way in this process: each reads the database for as long as its client takes. */
export type ExportSlots = {
  /**
   * Takes a slot until the response has ended, or its client has gone.
   * @throws {Problem} BUSY when all are taken.
   */
  take(reply: Pick<FastifyReply, 'raw'>): void;
};

/** The desk's reads have a few threads or connections of their own; exports must not keep its lists from all of them. */
const maxExports = 4;
const retryAfterS = 30;

export function openExportSlots(): ExportSlots {
  let taken = 0;
  return {
    take({ raw }) {
      if (taken >= maxExports) throw new Problem('BUSY', { retryAfterS });
      taken += 1;
      // Not the event alone: a client that went away before this call causes none.
      finished(raw, () => {
        taken -= 1;
      });
    },
  };
}
