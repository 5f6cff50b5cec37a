/** Compares the ledger of the payment provider with that of the shop. */

import type { Db } from '../../database/tables.ts';
import type { Session } from '../../demo/payments.ts';
import { byHand } from '../../payments/standing.ts';
import { type Purchase, scarce } from './purchases.ts';

/** `came` and `back`: cents of the provider's ledger. */
export type Compared = { came: number; back: number; anomalies: string[] };

export async function compareLedgers(
  db: Db,
  sessions: ReadonlyMap<string, Session>,
  purchases: readonly Purchase[],
): Promise<Compared> {
  const anomalies: string[] = [];
  const [orders, payments, charges, events, stock] = await Promise.all([
    db.selectFrom('orders').selectAll().execute(),
    db.selectFrom('payments').selectAll().execute(),
    db.selectFrom('charges').selectAll().execute(),
    db.selectFrom('outbox').select(['order_id', 'kind']).execute(),
    db.selectFrom('stock').selectAll().execute(),
  ]);
  const chargesOf = Map.groupBy(charges, ({ reference }) => reference);
  const eventsOf = Map.groupBy(events, ({ order_id }) => order_id);
  const purchaseOf = new Map(purchases.map((purchase) => [purchase.orderId, purchase]));
  const paymentOf = new Map(payments.map((payment) => [payment.order_id, payment]));

  for (const { id, way, cents, refunded_cents } of charges) {
    if (way === byHand) continue;
    const session = sessions.get(id);
    const found = `${cents} came and ${refunded_cents} went back`;
    const is = session ? `${cameOf(session)} came and ${backOf(session)} went back` : 'there is none';
    if (found !== is) anomalies.push(`charge ${id}: ${found} by the shop, ${is} by the provider`);
  }
  const known = new Set(charges.map(({ id }) => id));
  for (const session of sessions.values()) {
    if (session.payment_intent && !known.has(session.id))
      anomalies.push(`unknown: the session ${session.id} was paid, and the shop does not know it`);
  }

  for (const order of orders) {
    const [payment, purchase] = [paymentOf.get(order.id), purchaseOf.get(order.id)];
    if (!payment || !purchase) {
      anomalies.push(`order ${order.id}: it has no ${payment ? 'buyer who knows it' : 'payment'}`);
      continue;
    }
    const wrong = (text: string) => anomalies.push(`${text} (order ${order.id}, ${payment.state})`);
    const own = chargesOf.get(payment.reference) ?? [];
    const sumOf = (amountOf: (charge: (typeof own)[number]) => number) =>
      own.reduce((sum, charge) => sum + amountOf(charge), 0);
    if (payment.paid_cents !== sumOf(({ cents }) => cents)) wrong('sums: more or less came');
    if (payment.refunded_cents !== sumOf(({ refunded_cents }) => refunded_cents))
      wrong('sums: more or less went back');
    const payer = own.find(({ id }) => id === payment.charge_id);
    const keptOf = ({ cents, refunded_cents }: (typeof own)[number]) =>
      cents - Math.min(cents, refunded_cents);
    const mayKeep = payer && payment.state === 'paid' ? keptOf(payer) : 0;
    // The owner sends back what came by the bank, and sees it on Today until then.
    const waiting = sumOf((charge) =>
      charge.way === byHand && charge.refund_at !== null ? keptOf(charge) : 0,
    );
    const kept = sumOf(keptOf) - waiting;
    if (own.some((charge) => charge.way !== byHand && charge.refund_at !== null && keptOf(charge) > 0))
      wrong('refund: it was decided, and not made');
    if (kept !== mayKeep) wrong(`kept: ${kept} cents, of which ${mayKeep} are due`);
    if (payer && payment.state === 'paid' && mayKeep === 0) wrong('state: all went back');
    if (payer && payer.cents !== order.price_cents) wrong(`amount: ${payer.cents} came`);
    const session = payer && sessions.get(payer.id);
    const byShop = session ? refundedOf(session) - (purchase.dashboard.get(session.id) ?? 0) : 0;
    if (byShop !== 0 && !purchase.isRefundAsked) wrong(`refund: ${byShop} cents that nobody asked for`);

    const cancelledAt = order.cancelled_at ?? Number.POSITIVE_INFINITY;
    for (const [session, paidAt] of purchase.sessions) {
      const refundAt = own.find(({ id }) => id === session)?.refund_at ?? Number.POSITIVE_INFINITY;
      // It went back while the order was marked as paid by hand, and then the mark was taken back.
      if (refundAt < cancelledAt) continue;
      if (paidAt !== undefined && order.cancelled_at !== null && paidAt !== cancelledAt)
        wrong(`cancelled: it was paid ${paidAt < cancelledAt ? 'before' : 'by a page that was open'}`);
    }
    const isLive = order.cancelled_at === null && order.withdrawn_at === null;
    if (isLive && payment.state === 'due' && payment.due_until < Date.now()) wrong('due: it is too late');
    if (isLive && payment.state === 'expired') wrong('expired: its order is not cancelled');
    if (order.cancelled_at !== null && payment.state !== 'expired')
      wrong('cancelled: its payment is not over');
    const paidAt = payment.paid_at ?? Number.POSITIVE_INFINITY;
    if (order.withdrawn_at !== null && paidAt > order.withdrawn_at && payment.state !== 'expired')
      wrong('withdrawn: its payment is not over');
    if (order.sent_at !== null && paidAt > order.sent_at) wrong('sent: before it was paid');

    const kinds = eventsOf.get(order.id) ?? [];
    const told = (kind: string) => kinds.filter((event) => event.kind === kind).length;
    const expected = {
      'order.paid': payment.charge_id === null ? 0 : 1,
      'order.refunded': payment.state === 'refunded' ? 1 : 0,
      'order.cancelled': order.cancelled_at === null ? 0 : 1,
    };
    for (const [kind, times] of Object.entries(expected))
      if (told(kind) !== times) wrong(`events: ${told(kind)} of ${kind} instead of ${times}`);
  }

  const taken = orders.filter(({ has_copy }) => has_copy === 1).length;
  const live = orders.filter(
    ({ title, cancelled_at, withdrawn_at, sent_at }) =>
      title === scarce.title && cancelled_at === null && (withdrawn_at === null || sent_at !== null),
  ).length;
  const [left = 0] = stock.map(({ left }) => left);
  if (left + live !== scarce.copies || taken !== live)
    anomalies.push(`copies: ${left} are left, ${live} orders have one, and there were ${scarce.copies}`);
  const all = [...sessions.values()];
  const total = (amountOf: (session: Session) => number) =>
    all.reduce((sum, session) => sum + amountOf(session), 0);
  return { came: total(cameOf), back: total(backOf), anomalies };
}

const cameOf = ({ payment_intent: intent }: Session): number => intent?.amount_received ?? 0;
const refundedOf = ({ payment_intent: intent }: Session): number =>
  intent?.latest_charge.amount_refunded ?? 0;
/** What the buyer's bank takes back is the rest. */
const backOf = (session: Session): number =>
  session.payment_intent?.latest_charge.disputed ? session.amount_total : refundedOf(session);
