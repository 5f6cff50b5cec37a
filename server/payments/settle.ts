/** Asks the providers, and lets a payment become what they tell (docs/decisions/0068). */

import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { BusyError } from '../database/unavailable.ts';
import { Problem } from '../http/problems.ts';
import type { Outbox } from '../outbox/record.ts';
import { apply, byHand, findStanding, goesBack, maxAttempts, type Standing } from './apply.ts';
import type { Charge } from './payments.ts';
import { type Provider, UnknownSession } from './providers.ts';

export type Caller = 'webhook' | 'return' | 'sweep' | 'buyer' | 'desk';

export type SettleParts = {
  db: Db;
  providers: ReadonlyMap<string, Provider>;
  outbox: Outbox;
  onShelfChanged(): void;
  log: FastifyBaseLogger;
  /** Called when an order was found to be paid. */
  onPaid(by: Caller): void;
};

/** A provider could not be asked, or could not refund: the sweep tries it again. */
export const providerProblem = (cause: unknown): Problem =>
  new Problem('UNAVAILABLE', {
    detail: 'The payment provider does not answer. Nothing is lost: try again shortly.',
    // A bare cause, such as a refused connection, would count as an outage of the database.
    cause: new Error('a payment provider has failed', { cause }),
  });

const minuteMs = 60_000;
/** A paid charge is asked for refunds and disputes that no webhook has told. */
const askedForMs = 180 * dayMs;

/** @returns when to ask for a charge again; null when nothing more can come. The wait grows with the time since `from`. */
function nextAskAt(charge: Charge, isOpen: boolean, now: number): number | null {
  const { created_at, expires_at, refund_at, cents } = charge;
  const after = (from: number, least: number, most: number) =>
    now + Math.min(most, Math.max(least, now - from));
  if (goesBack(charge)) return after(refund_at ?? now, minuteMs, 60 * minuteMs);
  if (isOpen) {
    const next = after(created_at, 2 * minuteMs, dayMs);
    return expires_at !== null && expires_at > now ? Math.min(next, expires_at + minuteMs) : next;
  }
  return cents > 0 && now - created_at < askedForMs ? after(created_at, dayMs, askedForMs) : null;
}

export function openSettling({ db, providers, outbox, onShelfChanged, log, onPaid }: SettleParts) {
  type Asked = { charge: Charge; isOpen: boolean; failure?: unknown };

  async function ask(charge: Charge, { payment }: Standing): Promise<Asked> {
    const provider = providers.get(charge.way);
    const isAsked = charge.cents > 0 || charge.ask_at !== null;
    // A shop that has given a provider up can no longer ask for its sessions.
    if (!provider || !isAsked)
      return { charge, isOpen: charge.ask_at !== null && (charge.expires_at ?? 0) > Date.now() };
    try {
      const { cents, refundedCents, intent, isOpen } = await provider.ask(charge.id, payment);
      const told = { cents: Math.max(cents, charge.cents), refunded_cents: refundedCents };
      return { charge: { ...charge, ...told, intent }, isOpen };
    } catch (failure) {
      // Otherwise its order could never be paid in another session, and would hold its copy for ever.
      const until = charge.expires_at ?? charge.created_at + dayMs;
      if (failure instanceof UnknownSession && charge.cents === 0 && until <= Date.now())
        return { charge, isOpen: false };
      return { charge, isOpen: true, failure };
    }
  }

  async function schedule({ charge, isOpen, failure }: Asked): Promise<void> {
    const failures = failure === undefined ? 0 : charge.failures + 1;
    const now = Date.now();
    const isLost = charge.ask_at !== null && !providers.has(charge.way);
    const ask_at =
      failure !== undefined || (isLost && isOpen)
        ? now + Math.min(60, 2 ** failures) * minuteMs
        : isLost || charge.way === byHand
          ? null
          : nextAskAt(charge, isOpen, now);
    if (ask_at === charge.ask_at && failures === charge.failures) return;
    await db.updateTable('charges').set({ ask_at, failures }).where('id', '=', charge.id).execute();
  }

  /**
   * Asks the provider for each charge of a payment, and writes what follows; then refunds what goes back, and asks once more.
   * @returns undefined for an unknown reference. @throws {Problem} UNAVAILABLE after all of it, if a provider has failed.
   */
  return async function settle(reference: string, by: Caller): Promise<Standing | undefined> {
    const tried = new Set<string>();
    let failure: unknown;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const seen = await findStanding(db, reference);
      if (!seen) return undefined;
      const asked = await Promise.all(seen.charges.map((charge) => ask(charge, seen)));
      const isHeld = asked.some(({ isOpen }) => isOpen);
      const application = { senders: outbox.senders, isHeld, now: Date.now() };
      const told = asked.map(({ charge }) => charge);
      const applied = await apply(db, seen, told, application);
      if (!applied) continue;
      if (applied.changes.has('paid')) onPaid(by);
      if (applied.changes.size > 0) {
        log.info({ reference, by, changes: [...applied.changes].join(' ') }, 'a payment has changed');
        outbox.wake();
      }
      if (applied.isShelfChanged) onShelfChanged();
      const { payment, charges } = applied;
      const left = charges.filter((charge) => goesBack(charge) && providers.has(charge.way));
      // The key names what was refunded before: a repeated call goes from the same state, or does nothing.
      const keyOf = ({ id, refunded_cents }: Charge) => `${id}.${refunded_cents}`;
      const charge = left.find((charge) => !tried.has(keyOf(charge)));
      if (charge) {
        const key = keyOf(charge);
        tried.add(key);
        const provider = providers.get(charge.way);
        await provider?.refund(charge, charge.cents - charge.refunded_cents, payment, key).catch((err) => {
          failure = err;
          log.warn({ err, reference, provider: provider.name }, 'a refund failed');
        });
        // Only the next answer tells whether the money went.
        continue;
      }
      await Promise.all(asked.map((one, at) => schedule({ ...one, charge: charges[at] ?? one.charge })));
      const unasked = asked.find((one) => one.failure !== undefined);
      if (unasked || (left.length > 0 && failure !== undefined))
        throw providerProblem(unasked?.failure ?? failure);
      return { payment, charges };
    }
    throw new BusyError('the payment is changed again and again');
  };
}
