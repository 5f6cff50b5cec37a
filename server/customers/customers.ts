/** The people who bought here, for the owner: finding, signing out, blocking. */

import type { Expression, SqlBool } from 'kysely';
import type { DeskCustomer } from '../../contract/desk-customers.ts';
import { foldEmail } from '../../contract/email.ts';
import { centsToAmount } from '../../contract/money.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';
import { endSessionsOfCustomer } from '../sign-in/sessions.ts';

const maxFound = 50;
/** No text that begins with another one comes after it and this: it is the last character of Unicode. */
const last = '\u{10FFFF}';

/**
 * Finds customers. One e-mail may belong to several, at different providers.
 * @param email compared without the case of ASCII letters.
 * @param isStart whether longer e-mails that begin with it are found too; at most 50, in the order of their e-mails.
 */
export async function findCustomersByEmail(
  db: Db,
  email: string,
  { isStart }: { isStart: boolean },
): Promise<DeskCustomer[]> {
  const folded = foldEmail(email.trim());
  // Everybody's begins with nothing.
  if (folded === '') return [];
  return await describe(db, (lower) =>
    isStart ? [lower('>=', folded), lower('<', folded + last)] : [lower('=', folded)],
  );
}

/** @throws {Problem} CUSTOMER_NOT_FOUND, also for one that was erased. */
export async function findCustomerById(db: Db, id: string): Promise<DeskCustomer> {
  const [customer] = await describe(db, undefined, id);
  if (!customer) throw new Problem('CUSTOMER_NOT_FOUND');
  return customer;
}

type ComparedEmail = (operator: '=' | '<' | '>=', text: string) => Expression<SqlBool>;

async function describe(
  db: Db,
  conditions: ((email: ComparedEmail) => Expression<SqlBool>[]) | undefined,
  id?: string,
): Promise<DeskCustomer[]> {
  const rows = await db
    .selectFrom('customers')
    .select((customers) => [
      'id',
      'name',
      'email',
      'photo',
      'created_at as createdAt',
      'blocked_at as blockedAt',
      customers
        .selectFrom('sessions')
        .select(({ fn }) => fn.max('last_seen_at').as('at'))
        .whereRef('customer_id', '=', 'customers.id')
        .as('lastSeenAt'),
      customers
        .selectFrom('orders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('customer_id', '=', 'customers.id')
        .as('orders'),
      customers
        .selectFrom('orders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('customer_id', '=', 'customers.id')
        .where('sent_at', 'is', null)
        .as('unsentOrders'),
      customers
        .selectFrom('orders')
        .select(({ fn }) => fn.sum<number>('price_cents').as('sum'))
        .whereRef('customer_id', '=', 'customers.id')
        .as('revenueCents'),
    ])
    // An erasure that a crash has interrupted is found, so that it can be repeated. It takes the e-mail last.
    .where('email', '!=', '')
    .$if(id !== undefined, (customers) => customers.where('id', '=', id ?? ''))
    .$if(conditions !== undefined, (customers) =>
      customers.where(({ eb, fn, and }) =>
        and(conditions?.((operator, text) => eb(fn<string>('lower', ['email']), operator, text)) ?? []),
      ),
    )
    .orderBy(({ fn }) => fn('lower', ['email']))
    .orderBy('id')
    .limit(maxFound)
    .execute();
  return rows.map(({ id, createdAt, lastSeenAt, blockedAt, orders, unsentOrders, revenueCents, ...row }) => ({
    _id: id,
    ...row,
    createdAt: timeText(createdAt),
    lastSeenAt: timeOrNull(lastSeenAt),
    isBlocked: blockedAt !== null,
    orders: orders ?? 0,
    unsentOrders: unsentOrders ?? 0,
    revenue: centsToAmount(Number(revenueCents ?? 0)),
  }));
}

/**
 * Ends every session of a customer; an entry in the audit trail says how many.
 * @returns how many it ended.
 * @throws {Problem} CUSTOMER_NOT_FOUND.
 */
export async function signOutCustomer(db: Db, id: string, actor: Actor): Promise<number> {
  return await db.transaction().execute(async (db) => {
    await lockCustomer(db, id);
    const sessions = await endSessionsOfCustomer(db, id);
    if (sessions > 0) {
      await recordActivity(db, 'customer-signed-out', actor, { subject: id, details: { sessions } });
    }
    return sessions;
  });
}

/**
 * Lets a customer sign in no more, or again. A block ends every session in the same transaction. It writes the customer's row
 * first: a sign-in in progress writes that row too, so it either has begun its session by then, or finds the block.
 * @throws {Problem} CUSTOMER_NOT_FOUND.
 */
export async function blockCustomer(
  db: Db,
  id: string,
  { isBlocked }: { isBlocked: boolean },
  actor: Actor,
): Promise<DeskCustomer> {
  const action = isBlocked ? 'customer-blocked' : 'customer-unblocked';
  return await db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('customers')
      .set({ blocked_at: isBlocked ? Date.now() : null })
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .where('blocked_at', isBlocked ? 'is' : 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) {
      if (isBlocked) await endSessionsOfCustomer(db, id);
      await recordActivity(db, action, actor, { subject: id });
    }
    return await findCustomerById(db, id);
  });
}

/** Holds sign-ins of a customer up until the end of the transaction. @throws {Problem} CUSTOMER_NOT_FOUND. */
async function lockCustomer(db: Db, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('customers')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Problem('CUSTOMER_NOT_FOUND');
}
