/** Payments that the owner marks as paid, for money that came by transfer or in cash. */

import type { Db } from '../database/tables.ts';
import { lockOrder } from '../orders/orders.ts';
import { takeBackEvents } from '../outbox/record.ts';
import { applyPayment, recordCharge } from './apply.ts';
import { expirePayment, type Payment } from './payments.ts';

type Terms = Parameters<typeof applyPayment>[2];

const chargeByHand = (reference: string): string => `hand:${reference}`;

/** @param db a transaction that has locked the order. @returns false for a payment that is not due. */
export async function markPaidByHand(db: Db, payment: Payment, terms: Terms): Promise<boolean> {
  const { reference, cents, state, version } = payment;
  if (state !== 'due') return false;
  const charge = { id: chargeByHand(reference), reference, way: 'transfer', cents };
  return (await recordCharge(db, charge, version)) && (await applyPayment(db, reference, terms)) === 'marked';
}

/** @param db a transaction that has locked the order, which is not sent. @returns false for a payment that was not marked by hand. */
export async function takeMarkBack(
  db: Db,
  { reference, order_id, charge_id, state }: Payment,
  terms: Terms,
): Promise<boolean> {
  if (state !== 'paid' || charge_id !== chargeByHand(reference)) return false;
  await db.deleteFrom('charges').where('id', '=', charge_id).execute();
  await db
    .updateTable('payments')
    .set(({ eb }) => ({ state: 'due', charge_id: null, version: eb('version', '+', 1) }))
    .where('reference', '=', reference)
    .execute();
  if ((await lockOrder(db, order_id)).withdrawnAt !== null) await expirePayment(db, order_id);
  await takeBackEvents(db, 'order.paid', [order_id]);
  await applyPayment(db, reference, terms);
  return true;
}

/**
 * Gives the charge of a mark the id of the bank's entry that was meant: the same money is not paid twice. @param db a transaction that has
 * locked the order. @returns false if the payment was not marked by hand, or its entry is known.
 */
export async function adoptMark(db: Db, reference: string, id: string): Promise<boolean> {
  const marked = chargeByHand(reference);
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set(({ eb }) => ({ charge_id: id, version: eb('version', '+', 1) }))
    .where('reference', '=', reference)
    .where('charge_id', '=', marked)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await db.updateTable('charges').set({ id }).where('id', '=', marked).execute();
  return true;
}
