/** Settles what no webhook has told: sessions, refunds that are still to be made, and orders whose time to pay is over. */

import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';
import type { Caller } from './settle.ts';

type SweepParts = {
  db: Db;
  settle(reference: string, by: Caller): Promise<unknown>;
  log: FastifyBaseLogger;
};

/** For as long no other node asks for a charge: much longer than a provider may take. */
const claimMs = 5 * 60_000;
const atOnce = 5;

/** Of several nodes, one gets a charge: a claim moves the time to ask ahead. @returns the references. */
async function claimCharges(db: Db, now: number): Promise<string[]> {
  const claimed = await db
    .with('due', (query) =>
      query
        .selectFrom('charges')
        .select('id')
        .where('ask_at', '<=', now)
        .orderBy('ask_at')
        .limit(atOnce)
        .$if(engineOf(db).locksRows, (charges) => charges.forUpdate().skipLocked()),
    )
    .updateTable('charges')
    .set({ ask_at: now + claimMs })
    .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('id'))
    .returning('reference')
    .execute();
  return [...new Set(claimed.map(({ reference }) => reference))];
}

/** Finds payments whose time is over; a session that may still be paid is asked for in its own time. */
async function findOver(db: Db, now: number, after: string): Promise<string[]> {
  const over = await db
    .selectFrom('payments')
    .select('reference')
    .where('state', '=', sql.lit('due'))
    .where('due_until', '<=', now)
    .where('reference', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('charges')
            .select('id')
            .whereRef('charges.reference', '=', 'payments.reference')
            .where('ask_at', 'is not', null),
        ),
      ),
    )
    .orderBy('reference')
    .limit(atOnce)
    .execute();
  return over.map(({ reference }) => reference);
}

/** @returns a function that settles what is due, until nothing is left or `signal` aborts it. */
export const openSweep =
  ({ db, settle, log }: SweepParts) =>
  async (signal?: AbortSignal): Promise<void> => {
    const settleAll = (references: readonly string[]) =>
      Promise.all(
        references.map((reference) =>
          settle(reference, 'sweep').catch((error: unknown) => {
            log.warn({ err: error, reference }, 'a payment could not be settled; it is tried again');
          }),
        ),
      );
    try {
      for (let last: string[] | undefined; last?.length !== 0 && !signal?.aborted; ) {
        last = await claimCharges(db, Date.now());
        await settleAll(last);
      }
      let after = '';
      for (let last: string[] | undefined; last?.length !== 0 && !signal?.aborted; ) {
        last = await findOver(db, Date.now(), after);
        await settleAll(last);
        after = last.at(-1) ?? after;
      }
    } catch (error) {
      // The log already has an outage of the database, with the requests that failed.
      if (!isUnavailable(error)) log.error({ err: error }, 'payments could not be swept');
    }
  };
