/** What a payment becomes when money has come or gone, written by compare-and-set together with its order. */

import { giveCopyBack } from '../catalogue/copies.ts';
import type { Db } from '../database/tables.ts';
import { BusyError } from '../database/unavailable.ts';
import { lockOrder, type StoredOrder } from '../orders/orders.ts';
import { recordMessages, type Senders } from '../outbox/record.ts';
import type { Charge, Payment } from './payments.ts';

/** A payment with all its charges, as of its version. */
export type Standing = { payment: Payment; charges: readonly Charge[] };
export type Change = 'paid' | 'surplus' | 'refunded' | 'expired';

/** The charges are read second: one that is recorded in between has counted the version. @returns undefined for an unknown reference. */
export async function findStanding(db: Db, reference: string): Promise<Standing | undefined> {
  const payments = db.selectFrom('payments').selectAll().where('reference', '=', reference);
  const payment = await payments.executeTakeFirst();
  if (!payment) return undefined;
  const charges = db.selectFrom('charges').selectAll().where('reference', '=', reference);
  return { payment, charges: await charges.orderBy('created_at').orderBy('id').execute() };
}

/** @param isHeld true if the payment may not expire now: a buyer may be paying. @param now in milliseconds since 1970. */
export function decide({ payment, charges }: Standing, { isHeld, now }: { isHeld: boolean; now: number }) {
  const came = charges.filter(({ cents }) => cents > 0);
  // Money that goes back pays nothing, also if the mark that made it surplus is taken back.
  const first = came.find(({ cents, refund_at }) => cents >= payment.cents && refund_at === null);
  const payer =
    charges.find(({ id }) => id === payment.charge_id) ?? (payment.state === 'due' ? first : undefined);
  const isOver = payment.state === 'due' && !payer && !isHeld && payment.due_until <= now;
  const isBack = payer !== undefined && payer.refunded_cents >= payer.cents;
  const state = payer ? (isBack ? 'refunded' : 'paid') : isOver ? 'expired' : payment.state;
  const sumOf = (column: 'cents' | 'refunded_cents') =>
    charges.reduce((sum, charge) => sum + charge[column], 0);
  const isSurplus = (charge: Charge) =>
    charge !== payer && charge.refund_at === null && charge.cents > charge.refunded_cents;
  const surplus = state === 'due' ? [] : came.filter(isSurplus);
  const changes = new Set<Change>();
  if (payer && payment.charge_id === null) changes.add('paid');
  if (isBack && payment.state !== 'refunded') changes.add('refunded');
  if (isOver) changes.add('expired');
  if (surplus.length > 0) changes.add('surplus');
  return {
    payment: {
      ...payment,
      ...{ state, charge_id: payer?.id ?? null, way: payer?.way ?? null },
      ...{ paid_cents: sumOf('cents'), refunded_cents: sumOf('refunded_cents') },
      paid_at: payer ? (payment.paid_at ?? now) : null,
      refunded_at: isBack ? (payment.refunded_at ?? now) : null,
    } satisfies Payment,
    charges: charges.map((charge) => (surplus.includes(charge) ? { ...charge, refund_at: now } : charge)),
    changes,
  };
}

/** The money of a charge was decided to go back, and has not. */
export const goesBack = ({ refund_at, cents, refunded_cents }: Charge): boolean =>
  refund_at !== null && cents > refunded_cents;

/** The way of a bank's transfer: no provider can be asked about it, and the owner sends the money back. */
export const byHand = 'transfer';

export type Applied = Standing & { changes: ReadonlySet<Change>; isShelfChanged: boolean };

type Application = { senders: Senders; isHeld: boolean; now: number };

/**
 * Writes what follows from a standing. @param seen the standing as the database has it. @param asked its charges with what a provider has
 * told of them since. @returns undefined if the payment has changed since it was read: then nothing is written.
 */
export async function apply(
  db: Db,
  seen: Standing,
  asked: readonly Charge[],
  application: Application,
): Promise<Applied | undefined> {
  const { payment, charges, changes } = decide({ ...seen, charges: asked }, application);
  const changed = charges.filter((charge, at) => !isSame(charge, seen.charges[at]));
  if (changed.length === 0 && isSame(payment, seen.payment))
    return { payment, charges, changes, isShelfChanged: false };
  const work = async (db: Db): Promise<Applied | undefined> => {
    const order = await lockOrder(db, payment.order_id);
    const { numUpdatedRows } = await db
      .updateTable('payments')
      .set({ ...payment, version: payment.version + 1 })
      .where('reference', '=', payment.reference)
      .where('version', '=', payment.version)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return undefined;
    for (const charge of changed) {
      const { id, way, intent, cents, refunded_cents, refund_at } = charge;
      // Should the process end before the refund, the sweep goes on with it.
      const asks = goesBack(charge) && way !== byHand && { ask_at: application.now };
      const money = { intent, cents, refunded_cents, refund_at, ...asks };
      await db.updateTable('charges').set(money).where('id', '=', id).execute();
    }
    if (payment.refunded_at !== seen.payment.refunded_at) {
      const { refunded_at } = payment;
      await db.updateTable('orders').set({ refunded_at }).where('id', '=', order.id).execute();
    }
    await tell(db, order, changes, application);
    const isShelfChanged = changes.has('expired') && (await cancel(db, order, application.now));
    return { payment: { ...payment, version: payment.version + 1 }, charges, changes, isShelfChanged };
  };
  return await inTransaction(db, work);
}

export const inTransaction = <Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

const isSame = <Row extends object>(one: Row, other: Row | undefined): boolean =>
  Object.entries(one).every(([column, value]) => other?.[column as keyof Row] === value);

/** @returns true if a copy came back to the shelf. */
async function cancel(db: Db, order: StoredOrder, now: number): Promise<boolean> {
  await db.updateTable('orders').set({ cancelled_at: now }).where('id', '=', order.id).execute();
  return await giveCopyBack(db, order);
}

async function tell(
  db: Db,
  { id, buyerEmail }: StoredOrder,
  changes: ReadonlySet<Change>,
  { senders, now: at }: Application,
): Promise<void> {
  // An erased buyer has no address for mail.
  const told = [{ id, at, senders: { ...senders, mail: senders.mail && buyerEmail !== '' } }];
  if (changes.has('paid')) await recordMessages(db, 'paid', told);
  if (changes.has('refunded')) await recordMessages(db, 'refunded', told);
  if (changes.has('expired')) await recordMessages(db, 'cancelled', told);
}

export type NewCharge = Pick<Charge, 'id' | 'reference' | 'way'> &
  Partial<Pick<Charge, 'cents' | 'expires_at' | 'ask_at'>>;

/**
 * Records a provider's session or a bank's entry, once. @param seen the version of the payment that the charge was made for, if it may be
 * for no other. @returns false if the charge is recorded already, the reference is unknown, or the payment has changed.
 */
export const recordCharge = (db: Db, charge: NewCharge, seen?: number): Promise<boolean> => {
  const work = async (db: Db) => {
    const payments = db.selectFrom('payments').select('order_id').where('reference', '=', charge.reference);
    const payment = await payments.executeTakeFirst();
    if (!payment) return false;
    // Each writer of a payment locks its order first: otherwise two writers could deadlock.
    await lockOrder(db, payment.order_id);
    const { numUpdatedRows } = await db
      .updateTable('payments')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .where('reference', '=', charge.reference)
      .$if(seen !== undefined, (payments) => payments.where('version', '=', seen ?? 0))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('charges')
      .values({ ...charge, created_at: Date.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };
  return inTransaction(db, work);
};

/** Another writer wins at most a few times: each of them asks a provider first. */
export const maxAttempts = 20;

/**
 * Applies the recorded charges of a payment, without asking a provider, in the transaction of {@link recordCharge}. @returns `marked` if this
 * call has paid the order, `surplus` if it has found money that the shop may not keep, otherwise the state; undefined for an unknown reference.
 */
export async function applyPayment(
  db: Db,
  reference: string,
  { senders }: { senders: Senders },
): Promise<'marked' | 'surplus' | Payment['state'] | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const standing = await findStanding(db, reference);
    if (!standing) return undefined;
    const application = { senders, isHeld: true, now: Date.now() };
    const applied = await apply(db, standing, standing.charges, application);
    if (!applied) continue;
    if (applied.changes.has('surplus')) return 'surplus';
    if (applied.changes.has('paid')) return 'marked';
    return standing.payment.state;
  }
  throw new BusyError('the payment is changed again and again');
}
