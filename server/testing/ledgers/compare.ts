/** Compares the ledgers of the payment providers and of the bank with that of the shop. */

import type { BankImport } from '../../../contract/desk/payments.ts';
import type { Db } from '../../database/tables.ts';
import type { Session } from '../../demo/payments.ts';
import type { Charge } from '../../payments/payments.ts';
import { byHand } from '../../payments/standing.ts';
import { dayOf, textOf } from './bank.ts';
import { sessionOf } from './mollie-api.ts';
import { type Purchase, scarce, type World } from './purchases.ts';

/** `came` and `back`: cents of the other ledgers. */
export type Compared = { came: number; back: number; anomalies: string[] };

/** @param listed what the shop says of a file with all entries of the bank. */
export async function compareLedgers(
  db: Db,
  { provider, bank }: World,
  purchases: readonly Purchase[],
  listed: BankImport | undefined,
): Promise<Compared> {
  const anomalies: string[] = [];
  const [orders, payments, charges, outbox, stock] = await Promise.all([
    db.selectFrom('orders').selectAll().execute(),
    db.selectFrom('payments').selectAll().execute(),
    db.selectFrom('charges').selectAll().execute(),
    db.selectFrom('outbox').select(['order_id', 'kind']).execute(),
    db.selectFrom('stock').selectAll().execute(),
  ]);
  const sessions = [...provider.payments.sessions.values()];
  const chargesOf = Map.groupBy(charges, ({ reference }) => reference);
  const purchaseOf = new Map(purchases.map((purchase) => [purchase.order?._id, purchase]));
  const paymentOf = new Map(payments.map((payment) => [payment.order_id, payment]));
  /** Each text must be in both lists equally often. */
  const compare = (what: string, theirs: readonly string[], ours: readonly string[]) => {
    const [there, here] = [theirs, ours].map((texts) => Map.groupBy(texts, (text) => text));
    for (const text of new Set([...theirs, ...ours])) {
      const [is, found] = [there?.get(text)?.length ?? 0, here?.get(text)?.length ?? 0];
      if (is !== found) anomalies.push(`${what} ${text}: ${found} by the shop instead of ${is}`);
    }
  };

  const priceOf = new Map(orders.map(({ number, price_cents }) => [number, price_cents]));
  const [fits = [], others = []] = [true, false].map((fits) =>
    bank.filter(({ reference, cents }) => (priceOf.get(reference) === cents) === fits),
  );
  const isMark = ({ way, intent }: Charge) => way === byHand && intent === null;
  compare(
    'money:',
    [
      ...sessions.filter(cameOf).map((one) => [provider.idOf(one), cameOf(one), backOf(one)].join()),
      ...fits.map((entry) => [entry.reference, dayOf(entry), entry.cents].join()),
    ],
    charges
      .filter((charge) => charge.cents + charge.refunded_cents > 0 && !isMark(charge))
      .map(({ id, way, reference, intent, cents, refunded_cents }) =>
        way === byHand ? [reference, intent?.slice(0, 10), cents].join() : [id, cents, refunded_cents].join(),
      ),
  );
  compare(
    'list of the bank:',
    // A reversal without a number does not concern the shop.
    others
      .filter(({ reference, cents }) => cents > 0 || reference !== '')
      .map((entry) => [dayOf(entry), Math.abs(entry.cents), textOf(entry)].join()),
    (listed?.left ?? []).map(({ day, amount, text }) => [day, Math.round(amount * 100), text].join()),
  );
  const told: string[] = [];

  for (const order of orders) {
    const [payment, purchase] = [paymentOf.get(order.id), purchaseOf.get(order.id)];
    if (!payment || !purchase) {
      anomalies.push(`order ${order.id}: it has no ${payment ? 'buyer who knows it' : 'payment'}`);
      continue;
    }
    const wrong = (text: string) => anomalies.push(`${text} (order ${order.id}, ${payment.state})`);
    const own = chargesOf.get(payment.reference) ?? [];
    const [came, back] = [total(own, ({ cents }) => cents), total(own, (charge) => charge.refunded_cents)];
    if (payment.paid_cents !== came || payment.refunded_cents !== back) wrong('sums: not those of charges');
    const payer = own.find(({ id }) => id === payment.charge_id);
    const mayKeep = payer && payment.state === 'paid' ? keptOf(payer) : 0;
    // The owner sends back what came by the bank, and sees it on Today until then.
    const waiting = own.filter((charge) => charge.way === byHand && charge.refund_at !== null);
    const kept = total(own, keptOf) - total(waiting, keptOf);
    if (own.some((charge) => charge.way !== byHand && charge.refund_at !== null && keptOf(charge) > 0))
      wrong('refund: it was decided, and not made');
    if (kept !== mayKeep) wrong(`kept: ${kept} cents, of which ${mayKeep} are due`);
    if (payer && payment.state === 'paid' && mayKeep === 0) wrong('state: all went back');
    if (payer && payer.cents !== order.price_cents) wrong(`amount: ${payer.cents} came`);
    const session = payer && provider.payments.sessions.get(sessionOf(payer.id));
    const dashboard = session ? (purchase.dashboard.get(session.id) ?? 0) : 0;
    const byShop = (session ? refundedOf(session) : (payer?.refunded_cents ?? 0)) - dashboard;
    if (byShop !== 0 && !purchase.isRefundAsked) wrong(`refund: ${byShop} cents that nobody asked for`);
    const mark = own.find(isMark);
    if (mark && !purchase.isPaidByHand) wrong('marked: nobody has done it');
    const isLater = (one: Charge) => one.way === byHand && mark && one.created_at > mark.created_at;
    if (own.some(isLater)) wrong('marked: beside the transfer that was meant');

    const cancelledAt = order.cancelled_at ?? Number.POSITIVE_INFINITY;
    for (const { id, way, created_at, refund_at } of order.cancelled_at === null ? [] : own) {
      const paidAt = way === byHand ? created_at : purchase.sessions.get(sessionOf(id));
      // It went back while the order was marked as paid by hand, and then the mark was taken back, perhaps at the same time: the clock stands.
      const wentBackBefore = purchase.isPaidByHand && refund_at !== null && refund_at <= cancelledAt;
      if (paidAt === undefined || wentBackBefore) continue;
      if (paidAt < cancelledAt || (paidAt > cancelledAt && way !== byHand))
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
    if (payment.charge_id !== null) told.push(`order.paid of ${order.id}`);
    if (payment.state === 'refunded') told.push(`order.refunded of ${order.id}`);
    if (order.cancelled_at !== null) told.push(`order.cancelled of ${order.id}`);
  }
  const isOfPayment = ({ kind }: { kind: string }) => /^order\.(paid|refunded|cancelled)$/.test(kind);
  const events = outbox.filter(isOfPayment).map(({ kind, order_id }) => `${kind} of ${order_id}`);
  compare('events:', told, events);

  const taken = orders.filter(({ has_copy }) => has_copy === 1).length;
  const live = orders.filter(
    ({ title, cancelled_at, withdrawn_at, sent_at }) =>
      title === scarce.title && cancelled_at === null && (withdrawn_at === null || sent_at !== null),
  ).length;
  const [left = 0] = stock.map(({ left }) => left);
  if (left + live !== scarce.copies || taken !== live)
    anomalies.push(`copies: ${left} are left, ${live} orders have one, and there were ${scarce.copies}`);
  return {
    came: total(sessions, cameOf) + total(bank, ({ cents }) => Math.max(cents, 0)),
    back: total(sessions, backOf) + total(bank, ({ cents }) => Math.max(-cents, 0)),
    anomalies,
  };
}

const total = <Row>(rows: readonly Row[], centsOf: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + centsOf(row), 0);
const keptOf = ({ cents, refunded_cents }: Charge): number => Math.max(0, cents - refunded_cents);
const cameOf = ({ payment_intent: intent }: Session): number => intent?.amount_received ?? 0;
const refundedOf = ({ payment_intent: intent }: Session): number =>
  intent?.latest_charge.amount_refunded ?? 0;
/** What the buyer's bank takes back is the rest. */
const backOf = (session: Session): number =>
  session.payment_intent?.latest_charge.disputed ? session.amount_total : refundedOf(session);
