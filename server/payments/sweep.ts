/** Settles what no webhook has told: sessions, refunds that are still to be made, and orders whose time to pay is over. */

import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { isUnavailable } from '../database/unavailable.ts';
import type { Charge } from './payments.ts';
import { type PaymentParts, settle } from './settle.ts';
import { goesBack } from './standing.ts';

const atOnce = 5;
const minuteMs = 60_000;
/** A paid charge is asked for refunds and disputes that no webhook has told. */
const askedForMs = 180 * dayMs;

/** @returns when to ask for a charge again, also if this time fails; null when nothing more can come. The wait grows with the time since `from`. */
function nextAskAt(charge: Charge, now: number): number | null {
  const { created_at, expires_at, refund_at, cents } = charge;
  const after = (from: number, least: number, most: number) =>
    now + Math.min(most, Math.max(least, now - from));
  if (goesBack(charge)) return after(refund_at ?? now, minuteMs, 60 * minuteMs);
  if (cents > 0) return now - created_at < askedForMs ? after(created_at, dayMs, askedForMs) : null;
  const next = after(created_at, 2 * minuteMs, dayMs);
  return expires_at !== null && expires_at > now ? Math.min(next, expires_at + minuteMs) : next;
}

/** Claims charges that are due: the node that moves the time of one ahead asks for it. @returns the references of those claimed here. */
async function claimCharges(db: Db): Promise<string[]> {
  const now = Date.now();
  const due = db.selectFrom('charges').selectAll().where('ask_at', '<=', now).orderBy('ask_at');
  const claimed: string[] = [];
  for (const charge of await due.limit(atOnce).execute()) {
    const { numUpdatedRows } = await db
      .updateTable('charges')
      .set({ ask_at: nextAskAt(charge, now) })
      .where('id', '=', charge.id)
      .where('ask_at', '=', charge.ask_at)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) claimed.push(charge.reference);
  }
  return claimed;
}

/** Finds payments whose time is over; a session that may still be paid is asked for in its own time. */
async function findOver(db: Db, after: string): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select reference from payments where state = 'due' and due_until <= ${Date.now()} and reference > ${after} and not exists (
      select 1 from charges where charges.reference = payments.reference and ask_at is not null
    ) order by reference limit ${atOnce}
  `.execute(db);
  return rows.map(({ reference }) => reference);
}

/** Settles what is due, until nothing is left or `signal` aborts it. */
export async function sweep(parts: PaymentParts, signal?: AbortSignal): Promise<void> {
  const { db, log } = parts;
  const settleOne = (reference: string) =>
    settle(parts, reference, 'sweep').catch((err: unknown) => {
      log.warn({ err, reference }, 'a payment could not be settled; it is tried again');
    });
  try {
    for (const find of [claimCharges, findOver]) {
      for (let after: string | undefined = ''; after !== undefined && !signal?.aborted; ) {
        const references: string[] = await find(db, after);
        await Promise.all([...new Set(references)].map(settleOne));
        after = references.at(-1);
      }
    }
  } catch (err) {
    // The log already has an outage of the database, with the requests that failed.
    if (!isUnavailable(err)) log.error({ err }, 'payments could not be swept');
  }
}
