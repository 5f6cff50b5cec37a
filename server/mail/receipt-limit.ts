/**
 * At most ten receipts an hour for an address, from all nodes together and across restarts: an order makes the shop write to its
 * buyer, and a customer may place hundreds. The acknowledgement of a withdrawal to an address that is not verified counts too.
 */

import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { foldEmail } from '../../contract/email.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import type { Claimed } from '../outbox/due.ts';

const receiptsInAnHour = 10;
const hourMs = 60 * 60_000;

/** Messages to an address that is not verified have ten of their own: whoever only claims it does not hold up those of its owner. */
type Mailbox = { address: string; isVerified: boolean };

/** Counts until an hour after it was sent, or until it has failed. @returns when the address may get its next one; undefined for now. */
export async function countReceipt(db: Db, message: Claimed, mailbox: Mailbox): Promise<number | undefined> {
  const addressHash = hashOf(mailbox);
  const now = Date.now();
  const others = db
    .selectFrom('outbox')
    .where('address_hash', '=', addressHash)
    .where('id', '<>', message.id)
    .where(({ or, eb }) => or([eb('done_at', 'is', null), eb('done_at', '>', now - hourMs)]));
  const { numUpdatedRows } = await engineOf(db).countingInTurn(db, (db) =>
    db
      .updateTable('outbox')
      .set({ address_hash: addressHash })
      .where('sender', '=', message.sender)
      .where('id', '=', message.id)
      .where('due_at', '=', message.claimedUntil)
      .where(
        others.select(({ fn }) => fn.countAll().as('count')),
        '<',
        receiptsInAnHour,
      )
      .executeTakeFirstOrThrow(),
  );
  if (numUpdatedRows > 0n) return undefined;
  const { first } = await others.select(({ fn }) => fn.min('done_at').as('first')).executeTakeFirstOrThrow();
  return (first ?? now) + hourMs;
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
