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
const claimCharges = (now: number, _after: string, db: Db) => sql<{ reference: string }>`
  with due as materialized (
    select id from charges where ask_at <= ${now} order by ask_at limit ${atOnce}
    ${engineOf(db).locksRows ? sql`for update skip locked` : sql``}
  )
  update charges set ask_at = ${now + claimMs} where id in (select id from due) returning reference
`;

/** Finds payments whose time is over; a session that may still be paid is asked for in its own time. */
const findOver = (now: number, after: string) => sql<{ reference: string }>`
  select reference from payments where state = 'due' and due_until <= ${now} and reference > ${after} and not exists (
    select 1 from charges where charges.reference = payments.reference and ask_at is not null
  ) order by reference limit ${atOnce}
`;

/** @returns a function that settles what is due, until nothing is left or `signal` aborts it. */
export const openSweep =
  ({ db, settle, log }: SweepParts) =>
  async (signal?: AbortSignal): Promise<void> => {
    const settleOne = (reference: string) =>
      settle(reference, 'sweep').catch((err: unknown) => {
        log.warn({ err, reference }, 'a payment could not be settled; it is tried again');
      });
    try {
      for (const find of [claimCharges, findOver]) {
        for (let after: string | undefined = ''; after !== undefined && !signal?.aborted; ) {
          const { rows } = await find(Date.now(), after, db).execute(db);
          await Promise.all([...new Set(rows.map(({ reference }) => reference))].map(settleOne));
          after = rows.at(-1)?.reference;
        }
      }
    } catch (err) {
      // The log already has an outage of the database, with the requests that failed.
      if (!isUnavailable(err)) log.error({ err }, 'payments could not be swept');
    }
  };
