import { screens } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import { BusyError } from '../database/unavailable.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import type { StoredOrder } from '../orders/orders.ts';
import { noSenders } from '../outbox/record.ts';
import { checkDue } from './payments.ts';
import { isPage } from './providers.ts';
import { type PaymentParts, providerProblem, trySettle } from './settle.ts';
import { maxAttempts, newCharge, write } from './standing.ts';

const minuteMs = 60_000;
/** A session lives between these: Stripe's live half an hour at least. Rounded, the sessions of two clicks have the same end. */
const [shortestMs, roundMs] = [31 * minuteMs, 5 * minuteMs];

/**
 * @returns the page of a provider where an order is paid: that of the open session, if the order has one there. @throws {Problem}
 * ALREADY_PAID, PAID_TOO_LATE, WITHDRAWN, VALIDATION_FAILED for another way, UNAVAILABLE.
 */
export async function pay(parts: PaymentParts, order: StoredOrder, way: string): Promise<string> {
  const { db, providers, publicUrl } = parts;
  const provider = providers.get(way);
  if (!provider) throw fieldProblem('with', `Must be one of ${[...providers.keys()].join(', ')}.`);
  const at = (path: string) => new URL(path, publicUrl).href;
  const done = at(paymentPaths.done(order.id));
  const urls = { done, back: at(screens.order(order.id)), webhook: at(paymentPaths.webhook(way)) };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const settled = await trySettle(parts, order.number, 'buyer');
    checkDue(settled?.payment.state, order);
    // Another provider may have failed: what is paid by both goes back once.
    const own = settled?.asked.filter(({ charge }) => charge.way === way) ?? [];
    for (const { url, failure } of own) {
      if (failure !== undefined) throw providerProblem(failure);
      if (url !== null) return url;
    }
    const now = Date.now();
    if (!settled || settled.payment.due_until <= now) throw new Problem('PAID_TOO_LATE');
    const expiresAt = Math.ceil((now + shortestMs) / roundMs) * roundMs;
    // Simultaneous clicks record one session. The buyer never sees the pages of the others, so they cannot be paid.
    const key = `${order.number}.${settled.payment.version}.${expiresAt}`;
    const session = await provider.open(settled.payment, { urls, key, expiresAt }).catch((cause) => {
      throw providerProblem(cause);
    });
    const { id, url, expiresAt: expires_at } = session;
    if (!id || url === null || !isPage(url)) throw providerProblem(`${way} has opened no page`);
    const charge = newCharge({ id, reference: order.number, way, expires_at, ask_at: now + 2 * minuteMs });
    const told = { ...settled, charges: [...settled.charges, charge] };
    if (await write(db, settled, told, { senders: noSenders, isHeld: true })) return url;
  }
  throw new BusyError('the payment is changed again and again');
}
