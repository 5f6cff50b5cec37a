/** Leads a buyer to the page of a provider. */

import { screens } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import type { Db } from '../database/tables.ts';
import { BusyError } from '../database/unavailable.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import type { StoredOrder } from '../orders/orders.ts';
import { maxAttempts, recordCharge, type Standing } from './apply.ts';
import type { Provider, Urls } from './providers.ts';
import { type Caller, providerProblem } from './settle.ts';

type PayParts = {
  db: Db;
  providers: ReadonlyMap<string, Provider>;
  publicUrl: URL;
  settle(reference: string, by: Caller): Promise<Standing | undefined>;
};

const minuteMs = 60_000;
/** A session lives between these: Stripe's live half an hour at least. Rounded, the sessions of two clicks have the same end. */
const [shortestMs, roundMs] = [31 * minuteMs, 5 * minuteMs];

export function openPaying({ db, providers, publicUrl, settle }: PayParts) {
  const urlsOf = (orderId: string, provider: string): Urls => {
    const at = (path: string) => new URL(path, publicUrl).href;
    return {
      done: at(paymentPaths.done(orderId)),
      back: at(screens.order(orderId)),
      webhook: at(paymentPaths.webhook(provider)),
    };
  };

  /**
   * @returns the provider's page for an order: that of the open session, if the order has one with this provider. @throws {Problem}
   * ALREADY_PAID, PAID_TOO_LATE, WITHDRAWN, VALIDATION_FAILED for another way, UNAVAILABLE.
   */
  return async function pay(order: StoredOrder, way: string): Promise<string> {
    const provider = providers.get(way);
    if (!provider) throw fieldProblem('with', `Must be one of ${[...providers.keys()].join(', ')}.`);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const seen = await settle(order.number, 'buyer');
      if (seen?.payment.state === 'expired')
        throw new Problem(order.withdrawnAt === null ? 'PAID_TOO_LATE' : 'WITHDRAWN');
      if (seen?.payment.state !== 'due') throw new Problem('ALREADY_PAID');
      const now = Date.now();
      for (const { id } of seen.charges.filter((charge) => charge.way === way && charge.ask_at !== null)) {
        const { isOpen, url } = await asked(provider.ask(id, seen.payment));
        if (isOpen && url !== null) return url;
      }
      if (seen.payment.due_until <= now) throw new Problem('PAID_TOO_LATE');
      const expiresAt = Math.ceil((now + shortestMs) / roundMs) * roundMs;
      // Of clicks at the same time, one records its session. The page of another is shown to nobody, so it cannot be paid.
      const key = `${order.number}.${seen.payment.version}.${expiresAt}`;
      const opening = { urls: urlsOf(order.id, way), key, expiresAt };
      const session = await asked(provider.open(seen.payment, opening));
      const charge = { id: session.id, reference: order.number, way, expires_at: session.expiresAt };
      const ask_at = now + 2 * minuteMs;
      if (await recordCharge(db, { ...charge, ask_at }, seen.payment.version)) return session.url;
    }
    throw new BusyError('the payment is changed again and again');
  };
}

const asked = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((cause: unknown) => {
    throw providerProblem(cause);
  });
