/** Orders of other customers, for the desk. */

import type { Locator, Page } from '@playwright/test';
import { idAt, newId } from '../server/database/ids.ts';
import type { Database } from '../server/database/open.ts';
import { newOrderNumber } from '../server/orders/order-number.ts';

type Db = Database['db'];

export type Buyer = { name: string; email: string };

/** A customer who has never signed in here. @returns the id. */
export async function addBuyer(db: Db, { name, email }: Buyer): Promise<string> {
  const id = newId();
  await db
    .insertInto('customers')
    .values({
      id,
      issuer: 'https://identity.example',
      sub: id,
      email,
      is_email_verified: 1,
      name,
      photo: '',
      created_at: Date.parse('2026-01-05T09:00:00Z'),
      blocked_at: null,
      erased_at: null,
    })
    .execute();
  return id;
}

type TestOrder = {
  buyerId: string;
  buyer: Buyer;
  book: { id: string; title: string; author: string; priceCents: number };
  /** The time, as ISO 8601. */
  placedAt: string;
  sentAt?: string;
  deliveryAddress?: string;
};

/** Places an order at another time than now. @returns its id. */
export async function addOrder(
  db: Db,
  { buyerId, buyer, book, placedAt, sentAt, deliveryAddress }: TestOrder,
): Promise<string> {
  const at = new Date(placedAt);
  // Orders are listed by their ids, which have the time in them.
  const id = idAt(at.getTime());
  await db
    .insertInto('orders')
    .values({
      customer_id: buyerId,
      id,
      number: newOrderNumber(),
      idempotency_key: null,
      request_hash: null,
      book_id: book.id,
      title: book.title,
      author: book.author,
      price_cents: book.priceCents,
      time: at.toDateString(),
      delivery_address: deliveryAddress ?? null,
      buyer_name: buyer.name,
      buyer_email: buyer.email,
      placed_at: at.getTime(),
      sent_at: sentAt === undefined ? null : Date.parse(sentAt),
    })
    .execute();
  return id;
}

/** One of the lists of orders on the desk. @param name such as `To send`, before the count. */
export const orderTab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Which orders' }).getByRole('link', { name: new RegExp(`^${name}`) });
