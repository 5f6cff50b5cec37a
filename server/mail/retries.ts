/** When the mail of an order is tried again, a receipt or a notice that failed. */

import type { Db } from '../database/tables.ts';
import type { DeliveryError } from '../outbox/delivery-error.ts';
import { retryDelay, type ServerHealth } from '../outbox/server-health.ts';
import { type ClaimedMail, isBuyerVerified } from './outbox.ts';
import { takeReceiptTurn } from './receipt-slots.ts';

type RetryOptions = {
  firstRetryMs: number;
  maxRetryMs: number;
  giveUpAfterMs: number;
  /** The next start tries again. */
  isClosing: boolean;
  server: ServerHealth;
};

/** @returns when to try again, in milliseconds since 1970; undefined for mail to give up. */
export async function nextAttempt(
  db: Db,
  mail: ClaimedMail,
  failures: readonly DeliveryError[],
  { firstRetryMs, maxRetryMs, giveUpAfterMs, isClosing, server }: RetryOptions,
): Promise<number | undefined> {
  const now = Date.now();
  const giveUpAt = Math.max(mail.placedAt, mail.withdrawnAt ?? 0) + giveUpAfterMs;
  const concerns = failures.map((failure) => failure.concerns);
  if (now > giveUpAt || concerns.every((one) => one === 'message')) return undefined;
  if (isClosing) return now;
  if (concerns.includes('server')) return now + server.pauseMs();
  const notBefore = failures.find((failure) => failure.notBefore !== undefined)?.notBefore;
  // A notice that failed for now does not wait for the turn of the receipt.
  if (notBefore === undefined || concerns.includes('later')) {
    return now + retryDelay(mail.attempts ?? 1, { firstMs: firstRetryMs, maxMs: maxRetryMs });
  }
  const mailbox = { address: mail.buyerEmail, isVerified: await isBuyerVerified(db, mail) };
  return await takeReceiptTurn(db, mailbox, { notBefore, until: giveUpAt });
}
