/**
 * What a payment is, and what it becomes when money has come or gone (docs/decisions/0068). This file alone decides that, and writes it
 * together with the order. The first charge that covers what is due pays; it stays the payer, also when its money goes back. A payment that
 * is due expires with its time, or with its order. What any other charge brings is surplus.
 */
import { giveCopyBack } from '../catalogue/copies.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { lockOrder, type StoredOrder } from '../orders/orders.ts';
import { recordMessages, type Senders } from '../outbox/record.ts';
import type { Charge, Payment } from './payments.ts';

/** A payment with all its charges, as of its version. */
export type Standing = { payment: Payment; charges: readonly Charge[] };
type Change = 'paid' | 'refunded' | 'cancelled' | 'surplus';
export type Written = Standing & { changes: ReadonlySet<Change>; isShelfChanged: boolean };

/** `isHeld`: the payment may not expire now, because a buyer may be paying. `now`: in milliseconds since 1970. */
type Occasion = { senders: Senders; isHeld: boolean; now?: number };

/** The way of a bank's transfer: no provider can be asked about it, and the owner sends the money back. */
export const byHand = 'transfer';

/** The owner's word, for a transfer or cash: no entry of a bank's file is known yet. */
export const isMark = ({ way, intent }: Charge): boolean => way === byHand && intent === null;

/** The charges are read second: one that is recorded in between has counted the version. @returns undefined for an unknown reference. */
export async function findStanding(db: Db, reference: string): Promise<Standing | undefined> {
  const payments = db.selectFrom('payments').selectAll().where('reference', '=', reference);
  const payment = await payments.executeTakeFirst();
  if (!payment) return undefined;
  const charges = db.selectFrom('charges').selectAll().where('reference', '=', reference);
  return { payment, charges: await charges.orderBy('created_at').orderBy('id').execute() };
}

export const newCharge = (charge: Pick<Charge, 'id' | 'reference' | 'way'> & Partial<Charge>): Charge => ({
  ...{ intent: null, cents: 0, refunded_cents: 0, expires_at: null, ask_at: null, refund_at: null },
  created_at: Date.now(),
  ...charge,
});

/** The money of a charge was decided to go back, and has not. */
export const goesBack = ({ refund_at, cents, refunded_cents }: Charge): boolean =>
  refund_at !== null && cents > refunded_cents;

/** Decides that the money of a charge goes back. Should the process end before the refund, the sweep goes on with it. */
const sendBack = (charge: Charge, now: number): Charge => ({
  ...charge,
  refund_at: charge.refund_at ?? now,
  ask_at: charge.way === byHand ? null : now,
});

function decide({ payment, charges }: Standing, { withdrawnAt }: StoredOrder, isHeld: boolean, now: number) {
  const isDue = payment.state === 'due';
  // Money that goes back pays nothing, also if the mark that made it surplus is taken back.
  const first = charges.find(({ cents, refund_at }) => cents >= payment.cents && refund_at === null);
  const payer = charges.find(({ id }) => id === payment.charge_id) ?? (isDue ? first : undefined);
  const isBack = payer !== undefined && payer.refunded_cents >= payer.cents;
  const isOver = isDue && !payer && (withdrawnAt !== null || (!isHeld && payment.due_until <= now));
  const state = payer ? (isBack ? 'refunded' : 'paid') : isOver ? 'expired' : payment.state;
  const isSurplus = (charge: Charge) =>
    state !== 'due' && charge !== payer && charge.refund_at === null && charge.cents > charge.refunded_cents;
  const changes = new Set<Change>();
  if (payer && payment.charge_id === null) changes.add('paid');
  if (isBack && payment.state !== 'refunded') changes.add('refunded');
  if (isOver && withdrawnAt === null) changes.add('cancelled');
  if (charges.some(isSurplus)) changes.add('surplus');
  const sumOf = (column: 'cents' | 'refunded_cents') =>
    charges.reduce((sum, charge) => sum + charge[column], 0);
  return {
    payment: {
      ...payment,
      ...{ state, charge_id: payer?.id ?? null, way: payer && isMark(payer) ? 'hand' : (payer?.way ?? null) },
      ...{ paid_cents: sumOf('cents'), refunded_cents: sumOf('refunded_cents') },
      paid_at: payer ? (payment.paid_at ?? now) : null,
    } satisfies Payment,
    charges: charges.map((charge) => (isSurplus(charge) ? sendBack(charge, now) : charge)),
    changes,
  };
}

/**
 * Writes what follows from a standing, by compare-and-set. @param seen the standing as the database has it. @param told what has become of
 * it since, by a provider, a bank or the owner. @returns undefined if the payment has changed since it was read: then nothing is written.
 */
export async function write(
  db: Db,
  seen: Standing,
  told: Standing,
  { senders, isHeld, now = Date.now() }: Occasion,
): Promise<Written | undefined> {
  if (!db.isTransaction) {
    const work = (db: Db) => write(db, seen, told, { senders, isHeld, now });
    return await db.transaction().execute(work);
  }
  // Each writer of a payment locks its order first: otherwise two writers could deadlock.
  const order = await lockOrder(db, seen.payment.order_id);
  const { payment, charges, changes } = decide(told, order, isHeld, now);
  const before = new Map(seen.charges.map((charge) => [charge.id, charge]));
  const changed = charges.filter((charge) => !isSame(charge, before.get(charge.id)));
  const gone = seen.charges.filter(({ id }) => !charges.some((charge) => charge.id === id));
  if (changed.length + gone.length === 0 && isSame(payment, seen.payment))
    return { payment, charges, changes, isShelfChanged: false };
  const next = { ...payment, version: payment.version + 1 };
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set(next)
    .where('reference', '=', payment.reference)
    .where('version', '=', payment.version)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  for (const { id } of gone) await db.deleteFrom('charges').where('id', '=', id).execute();
  for (const charge of changed) {
    if (before.has(charge.id))
      await db.updateTable('charges').set(charge).where('id', '=', charge.id).execute();
    else await db.insertInto('charges').values(charge).execute();
  }
  const refunded_at = payment.state === 'refunded' ? (order.refundedAt ?? now) : null;
  const cancelled_at = changes.has('cancelled') ? now : order.cancelledAt;
  await db.updateTable('orders').set({ refunded_at, cancelled_at }).where('id', '=', order.id).execute();
  // An erased buyer has no address for mail.
  const mail = senders.mail && order.buyerEmail !== '';
  for (const change of ['paid', 'refunded', 'cancelled'] as const) {
    if (!changes.has(change)) continue;
    await recordMessages(db, change, [{ id: order.id, at: now, senders: { ...senders, mail } }]);
  }
  const isShelfChanged = changes.has('cancelled') && (await giveCopyBack(db, order));
  return { payment: next, charges, changes, isShelfChanged };
}

const isSame = <Row extends object>(one: Row, other: Row | undefined): boolean =>
  Object.entries(one).every(([column, value]) => other?.[column as keyof Row] === value);

/**
 * Changes the payment of an order, without asking a provider. @param db a transaction that has locked the order, so nobody else writes its
 * payment meanwhile. @param change returns undefined to change nothing. @returns undefined if nothing is changed.
 */
export async function changePayment(
  db: Db,
  reference: string,
  senders: Senders,
  change: (standing: Standing) => Standing | undefined,
): Promise<Written | undefined> {
  const seen = await findStanding(db, reference);
  const told = seen && change(seen);
  return told && (await write(db, seen, told, { senders, isHeld: true }));
}

/** Another writer wins at most a few times: each of them asks a provider first. */
export const maxAttempts = 20;

/**
 * Decides, in the transaction that has locked the order, that its money goes back: all of it once the order is withdrawn or cancelled,
 * before that its surplus. `settle` then calls the provider; what came by the bank the owner has sent back. @param isRefunded false takes the
 * mark back from a transfer. @returns undefined if nothing has changed. @throws {Problem} NOT_WITHDRAWN; NOT_PAID when nothing came; REFUNDED.
 */
export const markRefund = (
  db: Db,
  { number, withdrawnAt, cancelledAt }: StoredOrder,
  isRefunded: boolean,
  senders: Senders,
) =>
  changePayment(db, number, senders, ({ payment, charges }) => {
    const isOver = withdrawnAt !== null || cancelledAt !== null;
    const isConcerned = ({ id, way, cents, refunded_cents, refund_at }: Charge) =>
      isRefunded
        ? cents > refunded_cents && (isOver || refund_at !== null)
        : way === byHand && id === payment.charge_id && refunded_cents > 0;
    // A provider is told once. A later request settles the payment.
    const isToMark = (charge: Charge) =>
      isConcerned(charge) && !(isRefunded && charge.way !== byHand && charge.refund_at !== null);
    if (!charges.some(isConcerned)) {
      if ((payment.state === 'refunded') === isRefunded) return undefined;
      throw new Problem(isRefunded ? (isOver ? 'NOT_PAID' : 'NOT_WITHDRAWN') : 'REFUNDED');
    }
    if (!charges.some(isToMark)) return undefined;
    const marked = (charge: Charge): Charge => {
      if (!isRefunded) return { ...charge, refunded_cents: 0, refund_at: null };
      const refunded_cents = charge.way === byHand ? charge.cents : charge.refunded_cents;
      return { ...sendBack(charge, Date.now()), refunded_cents };
    };
    return { payment, charges: charges.map((charge) => (isToMark(charge) ? marked(charge) : charge)) };
  });
