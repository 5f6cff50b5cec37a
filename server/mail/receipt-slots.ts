/**
 * At most ten receipts an hour for an address, from all nodes together and across restarts: an order makes the shop write to its
 * buyer, and a customer may place hundreds. A receipt takes one of the ten slots of its mailbox, which is free again an hour later; so does
 * the acknowledgement of a withdrawal to an address that is not verified.
 */

import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { foldEmail } from '../../contract/email.ts';
import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db } from '../database/tables.ts';

const slotsOfAddress = 10;
const slotMs = 60 * 60_000;
/** The row after the slots: its `free_at` is the turn of the last receipt that waits. */
const queue = slotsOfAddress;
const turnMs = slotMs / slotsOfAddress;

/** Messages to an address that is not verified have slots of their own: whoever only claims it does not hold up those of its owner. */
type Mailbox = { address: string; isVerified: boolean };

type ReceiptSlot = { addressHash: string; slot: number; freeAt: number };

/**
 * @param now in milliseconds since 1970.
 * @returns the slot that was taken, or when the next one will be free.
 */
export async function takeReceiptSlot(db: Db, mailbox: Mailbox, now: number): Promise<ReceiptSlot | number> {
  const addressHash = hashOf(mailbox);
  const taken = await db
    .selectFrom('receipt_slots')
    .select(['slot', 'free_at'])
    .where('address_hash', '=', addressHash)
    .where('slot', '<', slotsOfAddress)
    .where('free_at', '>', now)
    .execute();
  const freeAt = now + slotMs;
  for (let slot = 0; slot < slotsOfAddress; slot += 1) {
    if (taken.some((one) => one.slot === slot)) continue;
    // Several nodes may try to take it: one of them gets it.
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('receipt_slots')
      .values({ address_hash: addressHash, slot, free_at: freeAt })
      .onConflict((conflict) =>
        conflict
          .columns(['address_hash', 'slot'])
          .doUpdateSet({ free_at: freeAt })
          .where('receipt_slots.free_at', '<=', now),
      )
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) return { addressHash, slot, freeAt };
  }
  return Math.min(freeAt, ...taken.map((one) => one.free_at));
}

/** @returns the same for all that a mail server reads as one address: a domain has many spellings in Unicode (UTS #46). */
function hashOf({ address, isVerified }: Mailbox): string {
  const start = address.lastIndexOf('@') + 1;
  const domain = address.slice(start);
  const mailbox = foldEmail(address.slice(0, start) + (domainToASCII(domain) || domain)).replace(/\.$/, '');
  return createHash('sha256')
    .update(isVerified ? mailbox : `${mailbox} unverified`)
    .digest('base64url');
}

/**
 * Gives a receipt its turn after all that wait for the same mailbox, ten an hour: so many are tried again, however many wait.
 * @param notBefore when a slot will be free; this and `until` in milliseconds since 1970.
 * @returns undefined when its turn would come after `until`.
 */
export async function takeReceiptTurn(
  db: Db,
  mailbox: Mailbox,
  { notBefore, until }: { notBefore: number; until: number },
): Promise<number | undefined> {
  if (notBefore > until) return undefined;
  const turn = await db
    .insertInto('receipt_slots')
    .values({ address_hash: hashOf(mailbox), slot: queue, free_at: notBefore })
    .onConflict((conflict) =>
      conflict
        .columns(['address_hash', 'slot'])
        .doUpdateSet(({ eb }) => ({
          free_at: eb
            .case()
            .when('receipt_slots.free_at', '<', notBefore - turnMs)
            .then(notBefore)
            .else(eb('receipt_slots.free_at', '+', turnMs))
            .end(),
        }))
        .where('receipt_slots.free_at', '<=', until - turnMs),
    )
    .returning('free_at')
    .executeTakeFirst();
  return turn?.free_at;
}

/** Gives back the slot of a receipt that the server did not take. */
export async function freeReceiptSlot(db: Db, { addressHash, slot, freeAt }: ReceiptSlot): Promise<void> {
  await db
    .deleteFrom('receipt_slots')
    .where('address_hash', '=', addressHash)
    .where('slot', '=', slot)
    .where('free_at', '=', freeAt)
    .execute();
}

/** Removes the slots that are free. @param now in milliseconds since 1970. */
export async function sweepReceiptSlots(db: Db, now = Date.now()): Promise<void> {
  await deleteInBatches(
    db
      .deleteFrom('receipt_slots')
      .where('free_at', '<=', now)
      .where('address_hash', 'in', ({ selectFrom }) =>
        selectFrom('receipt_slots').select('address_hash').where('free_at', '<=', now).limit(sweepBatchSize),
      ),
  );
}
