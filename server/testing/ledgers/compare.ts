/** Compares the ledgers of the payment providers and of the bank with that of the shop. */

import type { BankImport } from '../../../contract/desk/payments.ts';
import type { Db } from '../../database/tables.ts';
import type { Session } from '../../demo/payments.ts';
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
  const [orders, payments, charges, events, stock] = await Promise.all([
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

  const moneyText = (id: string, came: number, back: number) => `${id}, ${came} came and ${back} went back`;
  compare(
    'provider:',
    sessions
      .filter((session) => session.payment_intent)
      .map((session) => moneyText(provider.idOf(session), cameOf(session), backOf(session))),
    charges
      .filter(({ way, cents, refunded_cents }) => way !== byHand && cents + refunded_cents > 0)
      .map(({ id, cents, refunded_cents }) => moneyText(id, cents, refunded_cents)),
  );
  const priceOf = new Map(orders.map(({ number, price_cents }) => [number, price_cents]));
  const fits = bank.filter(({ reference, cents }) => priceOf.get(reference) === cents);
  const transferText = (reference: string, day: string, cents: number) =>
    `${reference}, ${day}, ${cents} cents`;
  const transfers = charges.filter(({ way }) => way === byHand);
  compare(
    'bank:',
    fits.map((entry) => transferText(entry.reference, dayOf(entry), entry.cents)),
    transfers.flatMap(({ reference, intent, cents }) =>
      // Without an intent it is the owner's word.
      intent === null ? [] : transferText(reference, intent.slice(0, 10), cents),
    ),
  );
  const listText = (day: string, cents: number, text: string) => `${day}, ${Math.abs(cents)} cents, ${text}`;
  compare(
    'list of the bank:',
    bank
      // A reversal without a number does not concern the shop.
      .filter((entry) => !fits.includes(entry) && (entry.cents > 0 || entry.reference !== ''))
      .map((entry) => listText(dayOf(entry), entry.cents, textOf(entry))),
    (listed?.left ?? []).map(({ day, amount, text }) => listText(day, Math.round(amount * 100), text)),
  );
  const expectedEvents: string[] = [];

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
    const session = payer && provider.payments.sessions.get(sessionOf(payer.id));
    const dashboard = session ? (purchase.dashboard.get(session.id) ?? 0) : 0;
    const byShop = (session ? refundedOf(session) : (payer?.refunded_cents ?? 0)) - dashboard;
    if (byShop !== 0 && !purchase.isRefundAsked) wrong(`refund: ${byShop} cents that nobody asked for`);
    const marks = own.filter(({ way, intent }) => way === byHand && intent === null);
    if (marks.length > (purchase.isPaidByHand ? 1 : 0)) wrong('marked: nobody has done it');
    const isAfterMark = ({ way, intent, created_at }: (typeof own)[number]) =>
      way === byHand && intent !== null && marks.some((mark) => mark.created_at < created_at);
    if (own.some(isAfterMark)) wrong('marked: beside the transfer that was meant');

    const cancelledAt = order.cancelled_at ?? Number.POSITIVE_INFINITY;
    const paidAtOf = ({ id, way, created_at }: (typeof own)[number]) =>
      way === byHand ? created_at : purchase.sessions.get(sessionOf(id));
    for (const charge of own) {
      const paidAt = paidAtOf(charge);
      // It went back while the order was marked as paid by hand, and then the mark was taken back.
      if (paidAt === undefined || (charge.refund_at ?? cancelledAt) < cancelledAt) continue;
      if (paidAt < cancelledAt && order.cancelled_at !== null) wrong('cancelled: it was paid before');
      if (paidAt > cancelledAt && charge.way !== byHand)
        wrong('cancelled: it was paid by a page that was open');
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
    if (payment.charge_id !== null) expectedEvents.push(`order.paid of ${order.id}`);
    if (payment.state === 'refunded') expectedEvents.push(`order.refunded of ${order.id}`);
    if (order.cancelled_at !== null) expectedEvents.push(`order.cancelled of ${order.id}`);
  }
  compare(
    'events:',
    expectedEvents,
    events
      .filter(({ kind }) => /^order\.(paid|refunded|cancelled)$/.test(kind))
      .map(({ kind, order_id }) => `${kind} of ${order_id}`),
  );

  const taken = orders.filter(({ has_copy }) => has_copy === 1).length;
  const live = orders.filter(
    ({ title, cancelled_at, withdrawn_at, sent_at }) =>
      title === scarce.title && cancelled_at === null && (withdrawn_at === null || sent_at !== null),
  ).length;
  const [left = 0] = stock.map(({ left }) => left);
  if (left + live !== scarce.copies || taken !== live)
    anomalies.push(`copies: ${left} are left, ${live} orders have one, and there were ${scarce.copies}`);
  const total = <Row>(rows: readonly Row[], centsOf: (row: Row) => number) =>
    rows.reduce((sum, row) => sum + centsOf(row), 0);
  return {
    came: total(sessions, cameOf) + total(bank, ({ cents }) => Math.max(cents, 0)),
    back: total(sessions, backOf) + total(bank, ({ cents }) => Math.max(-cents, 0)),
    anomalies,
  };
}

const cameOf = ({ payment_intent: intent }: Session): number => intent?.amount_received ?? 0;
const refundedOf = ({ payment_intent: intent }: Session): number =>
  intent?.latest_charge.amount_refunded ?? 0;
/** What the buyer's bank takes back is the rest. */
const backOf = (session: Session): number =>
  session.payment_intent?.latest_charge.disputed ? session.amount_total : refundedOf(session);
