/** Asks the providers, and lets a payment become what they tell (docs/decisions/0068). */

import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { BusyError } from '../database/unavailable.ts';
import { Problem } from '../http/problems.ts';
import type { Outbox } from '../outbox/record.ts';
import type { Charge, Payment } from './payments.ts';
import { isTrue, type Provider, UnknownSession } from './providers.ts';
import { findStanding, goesBack, maxAttempts, write } from './standing.ts';

export type PaymentParts = {
  db: Db;
  providers: ReadonlyMap<string, Provider>;
  publicUrl: URL;
  outbox: Outbox;
  onShelfChanged(): void;
  log: FastifyBaseLogger;
  /** Since the start of this node: the orders that it found to be paid, by what made it ask. */
  paid: Record<'webhook' | 'return' | 'sweep' | 'buyer' | 'desk', number>;
};
export type Caller = keyof PaymentParts['paid'];

/** An answer of a provider. `url`: the page of an open session. `failure`: why the provider could not be asked. */
type Asked = { charge: Charge; isOpen: boolean; url: string | null; failure?: unknown };

/** The sweep tries it again. */
export const providerProblem = (cause: unknown): Problem =>
  new Problem('UNAVAILABLE', {
    detail: 'The payment provider does not answer, or refuses. Nothing is lost: try again shortly.',
    // A bare cause, such as a refused connection, would count as an outage of the database.
    cause: new Error('a payment provider has failed', { cause }),
  });

async function ask(
  { providers }: PaymentParts,
  charge: Charge,
  payment: Payment,
  by: Caller,
): Promise<Asked> {
  // What a webhook names is asked again: it may have been paid while the shop had another key, or none.
  const isOver = by !== 'webhook' && charge.cents === 0 && charge.ask_at === null;
  const until = charge.expires_at ?? charge.created_at + dayMs;
  // A provider that the shop has given up, or that no longer knows the session, cannot tell: it ends with its time.
  const untold = { charge, isOpen: !isOver && charge.cents === 0 && until > Date.now(), url: null };
  const provider = providers.get(charge.way);
  if (!provider || isOver) return untold;
  try {
    const told = await provider.ask(charge.id, payment);
    if (!isTrue(told, charge, payment)) throw new Error(`${provider.name} has answered something else`);
    const { refundedCents: refunded_cents, intent, isOpen, url } = told;
    const cents = Math.max(told.cents, charge.cents);
    const ask_at = charge.ask_at ?? (cents > charge.cents ? Date.now() : null);
    return { charge: { ...charge, cents, refunded_cents, intent, ask_at }, isOpen, url };
  } catch (failure) {
    if (failure instanceof UnknownSession) return untold;
    return { charge, isOpen: true, url: null, failure };
  }
}

/**
 * Asks the provider for each charge of a payment, and writes what follows; then refunds what goes back, and asks once more.
 * @returns undefined for an unknown reference. @throws {Problem} UNAVAILABLE if a refund failed.
 */
export async function trySettle(parts: PaymentParts, reference: string, by: Caller) {
  const { db, providers, outbox, log } = parts;
  const tried = new Set<string>();
  let refundFailure: unknown;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const seen = await findStanding(db, reference);
    if (!seen) return undefined;
    const asked = await Promise.all(seen.charges.map((charge) => ask(parts, charge, seen.payment, by)));
    const isHeld = asked.some(({ isOpen }) => isOpen);
    const told = asked.map(({ charge, isOpen }) =>
      isOpen || charge.cents > 0 ? charge : { ...charge, ask_at: null },
    );
    const { senders } = outbox;
    const written = await write(db, seen, { ...seen, charges: told }, { senders, isHeld });
    if (!written) continue;
    const { payment, charges, changes } = written;
    if (changes.has('paid')) parts.paid[by] += 1;
    if (changes.size > 0) {
      log.info({ reference, by, changes: [...changes].join(' ') }, 'a payment has changed');
      outbox.wake();
    }
    if (written.isShelfChanged) parts.onShelfChanged();
    // The key names what was refunded before: a repeated call goes from the same state, or does nothing.
    const keyOf = ({ id, refunded_cents }: Charge) => `${id}.${refunded_cents}`;
    const left = charges.filter((charge) => goesBack(charge) && providers.has(charge.way));
    const charge = left.find((charge) => !tried.has(keyOf(charge)));
    if (charge) {
      const key = keyOf(charge);
      tried.add(key);
      const provider = providers.get(charge.way);
      await provider?.refund(charge, charge.cents - charge.refunded_cents, payment, key).catch((err) => {
        refundFailure = err;
        log.warn({ err, reference, provider: provider.name }, 'a refund failed');
      });
      // Only the next answer tells whether the money went.
      continue;
    }
    if (left.length > 0 && refundFailure !== undefined) throw providerProblem(refundFailure);
    return { payment, charges, asked };
  }
  throw new BusyError('the payment is changed again and again');
}

/** Settles a payment. @throws {Problem} UNAVAILABLE after all of it, if a provider has failed. */
export async function settle(parts: PaymentParts, reference: string, by: Caller) {
  const settled = await trySettle(parts, reference, by);
  const failed = settled?.asked.find(({ failure }) => failure !== undefined);
  if (failed) throw providerProblem(failed.failure);
  return settled;
}
