/**
 * A payment has the amount due for an order, and the sums paid and refunded (docs/decisions/0068). An order that is due nothing has none:
 * it costs nothing, is paid when it is collected, or was placed while there was no way to pay.
 */

import { type Selectable, sql } from 'kysely';
import { centsToAmount } from '../../contract/money.ts';
import type { Db, Tables } from '../database/tables.ts';
import { dayMs, timeOrNull, timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';

export type Payment = Selectable<Tables['payments']>;
export type Charge = Selectable<Tables['charges']>;

/** `ways`: the ways to pay, in the order in which they are offered; without one, nothing is due. `days`: how long an order may be unpaid. */
export type PaymentTerms = { ways: readonly string[]; days: number };
export const noPayment: PaymentTerms = { ways: [], days: 0 };

/** The payment of an order, to be joined with it. */
export const paymentColumns = (db: Db) =>
  db
    .selectFrom('payments')
    .select(['order_id as paymentOf', 'state as paymentState', 'due_until as paymentUntil'])
    .select(['way as paymentWay', 'paid_at as paidAt', 'paid_cents as paidCents'])
    .select('refunded_cents as paidBackCents')
    .as('payment');

export type JoinedPayment = { paymentState: Payment['state'] | null; paymentWay: string | null } & Record<
  'paymentUntil' | 'paidAt' | 'paidCents' | 'paidBackCents',
  number | null
>;
const nothingDue: JoinedPayment = {
  ...{ paymentState: null, paymentUntil: null, paymentWay: null },
  ...{ paidAt: null, paidCents: null, paidBackCents: null },
};

/** Inserts the payments of new orders, in their transaction. @returns for each order what is joined with it. */
export async function insertPayments(
  db: Db,
  orderIds: readonly string[],
  { ways, days }: PaymentTerms,
): Promise<(orderId: string) => JoinedPayment> {
  if (ways.length === 0 || orderIds.length === 0) return () => nothingDue;
  const { rows } = await sql<Pick<JoinedPayment, 'paymentState' | 'paymentUntil'> & { id: string }>`
    insert into payments (reference, order_id, currency, cents, state, due_until)
    select number, id, currency, price_cents + coalesce(delivery_cents, 0), 'due', placed_at + ${days * dayMs}
    from orders where id in (${sql.join(orderIds)}) and coalesce(pays_on_collection, 0) = 0
      and price_cents + coalesce(delivery_cents, 0) > 0
    returning order_id as id, state as "paymentState", due_until as "paymentUntil"
  `.execute(db);
  const payments = new Map(rows.map(({ id, ...payment }) => [id, { ...nothingDue, ...payment }]));
  return (id) => payments.get(id) ?? nothingDue;
}

/** @returns the payment as its buyer sees it. @param given the ways of the shop. */
export function presentPayment(
  { paymentState: state, paymentUntil, paidBackCents }: JoinedPayment,
  given: readonly string[],
) {
  const until = paymentUntil ?? 0;
  const isPayable = state === 'due' && Date.now() < until;
  const refunded = paidBackCents && { refunded: centsToAmount(paidBackCents) };
  const ways = isPayable ? [...given] : [];
  return state && { payment: { state, until: timeText(until), ways, ...refunded } };
}

export const presentDeskPayment = ({ paymentState: state, ...payment }: JoinedPayment) =>
  state && {
    payment: {
      ...{ state, until: timeText(payment.paymentUntil ?? 0) },
      ...{ way: payment.paymentWay, paidAt: timeOrNull(payment.paidAt) },
      ...{ paid: centsToAmount(payment.paidCents ?? 0), refunded: centsToAmount(payment.paidBackCents ?? 0) },
    },
  };

/** @throws {Problem} ALREADY_PAID; PAID_TOO_LATE or WITHDRAWN for an order that can no longer be paid. */
export function checkDue(
  state: Payment['state'] | null | undefined,
  { withdrawnAt }: { withdrawnAt: number | null },
): void {
  if (state === 'expired') throw new Problem(withdrawnAt === null ? 'PAID_TOO_LATE' : 'WITHDRAWN');
  if (state !== 'due') throw new Problem('ALREADY_PAID');
}

/** @returns the ids of locked orders whose money the shop does not have. */
export async function findUnpaid(db: Db, orderIds: readonly string[]): Promise<Set<string>> {
  const unpaid = db.selectFrom('payments').select('order_id').where('order_id', 'in', orderIds);
  const rows = await unpaid.where('state', '!=', 'paid').execute();
  return new Set(rows.map(({ order_id }) => order_id));
}

/** @returns the query of the references of charges that the shop may not keep, and that have not gone back. */
export const surplusCharges = (db: Db) =>
  db
    .selectFrom('charges')
    .innerJoin('payments', 'payments.reference', 'charges.reference')
    .select('charges.reference')
    .where('refund_at', 'is not', null)
    .whereRef('charges.cents', '>', 'charges.refunded_cents')
    .whereRef('charges.id', 'is distinct from', 'charge_id');
