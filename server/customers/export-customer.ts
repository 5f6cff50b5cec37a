/** Everything that the store has about a customer, for the customer: the General Data Protection Regulation, article 15. */

import { imageAddress } from '../../contract/image-address.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import { readPages } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { missing } from '../http/problems.ts';
import { readDeskOrders } from '../orders/desk-orders.ts';

/**
 * @returns one JSON object, as text in parts. It has no secrets: no ids of sessions, and no names of admins who acted on the customer.
 * @throws {Problem} CUSTOMER_NOT_FOUND.
 */
export async function exportCustomer(
  { db, readDb }: { db: Db; readDb: Db },
  id: string,
  actor: Actor,
): Promise<AsyncGenerator<string>> {
  const customer = await db
    .selectFrom('customers')
    .select(['id as _id', 'issuer', 'sub as subject', 'email', 'name', 'photo'])
    .select(['is_email_verified', 'created_at', 'blocked_at'])
    .where('id', '=', id)
    .where('email', '!=', '')
    .executeTakeFirstOrThrow(missing('CUSTOMER_NOT_FOUND'));
  await recordActivity(db, 'customer-exported', actor, { subject: id });
  const { is_email_verified, created_at, blocked_at, ...details } = customer;
  return partsOf(readDb, id, {
    ...details,
    isEmailVerified: is_email_verified === 1,
    createdAt: timeText(created_at),
    blockedAt: timeOrNull(blocked_at),
  });
}

async function* partsOf(db: Db, id: string, customer: object): AsyncGenerator<string> {
  yield `{\n"customer": ${JSON.stringify(customer)}`;
  yield `,\n"sessions": ${JSON.stringify(await sessionsOf(db, id))}`;
  yield `,\n"images": ${JSON.stringify(await imagesOf(db, id))}`;
  yield ',\n"orders": ';
  yield* arrayOf(readDeskOrders(db, { customerId: id }));
  yield ',\n"activity": ';
  yield* arrayOf(activityOf(db, id));
  yield '\n}\n';
}

async function* arrayOf(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const items of pages) {
    if (items.length === 0) continue;
    yield before + items.map((item) => JSON.stringify(item)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}

async function sessionsOf(db: Db, id: string) {
  const rows = await db
    .selectFrom('sessions')
    .select([
      'created_at',
      'last_seen_at',
      'provider_issuer as issuer',
      'provider_session as providerSession',
    ])
    .select(['admin_claim as adminClaim', 'delivery_address as deliveryAddress'])
    .where('customer_id', '=', id)
    .orderBy('created_at')
    .execute();
  return rows.map(({ created_at, last_seen_at, ...session }) => ({
    ...{ createdAt: timeText(created_at), lastSeenAt: timeText(last_seen_at) },
    ...session,
  }));
}

async function imagesOf(db: Db, id: string) {
  const rows = await db
    .selectFrom('images')
    .select(['id', 'created_at'])
    .where('uploaded_by', '=', id)
    .orderBy('created_at')
    .execute();
  return rows.map((image) => ({ address: imageAddress(image.id), createdAt: timeText(image.created_at) }));
}

/** The customer’s acts as an admin, and everybody’s acts on the customer. */
async function* activityOf(db: Db, id: string) {
  const query = db
    .selectFrom('activity')
    .select(['seq', 'at', 'action', 'customer_id', 'customer_email', 'address'])
    .select(['book_id', 'book_title', 'details'])
    .where(({ or, eb }) => or([eb('customer_id', '=', id), eb('subject', '=', id)]));
  for await (const rows of readPages(query, 'seq')) {
    yield rows.map(({ at, action, customer_id, customer_email, address, book_id, book_title, details }) => ({
      at: timeText(at),
      action,
      details: details === null ? null : JSON.parse(details),
      ...(customer_id === id
        ? { email: customer_email, address, bookId: book_id, bookTitle: book_title }
        : {}),
    }));
  }
}
