/** The peer's database: its tables, with the same books and sessions as in the store's database. */

import { createHash } from 'node:crypto';
import pg from 'pg';
import type { ListedBookForSale } from '../../../../server/catalogue/books.ts';
import type { CustomerSession } from '../../databases.ts';

const tables = `
  create table books (
    seq bigint generated always as identity primary key,
    id uuid not null unique default gen_random_uuid(),
    title text not null,
    author text not null,
    image text not null,
    price_cents integer not null check (price_cents >= 0),
    removed_at timestamptz
  );
  create index books_by_newest on books (seq) where removed_at is null;
  create index books_by_title on books (title) where removed_at is null;
  create table customers (
    id uuid primary key default gen_random_uuid(),
    email text not null unique,
    name text not null
  );
  create table sessions (
    id_hash text primary key,
    customer_id uuid not null references customers,
    expires_at timestamptz not null
  );
  create table orders (
    id bigint generated always as identity primary key,
    customer_id uuid not null references customers,
    idempotency_key text,
    book_id uuid not null,
    title text not null,
    author text not null,
    price_cents integer not null,
    time text not null,
    buyer_name text not null,
    buyer_email text not null,
    placed_at timestamptz not null default now(),
    unique (customer_id, idempotency_key)
  );
  create index orders_by_customer on orders (customer_id, id);
`;

/** @param url of an empty database. @param books newest first. */
export async function fillPeer(
  url: string,
  books: readonly ListedBookForSale[],
  sessions: readonly CustomerSession[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(tables);
  for (const { id, title, author, image, priceCents } of books.toReversed()) {
    await client.query(
      'insert into books (id, title, author, image, price_cents) values ($1, $2, $3, $4, $5)',
      [id, title, author, image, priceCents],
    );
  }
  for (const { sessionId, identity } of sessions) {
    const { rows } = await client.query('insert into customers (email, name) values ($1, $2) returning id', [
      identity.email,
      identity.name,
    ]);
    await client.query("insert into sessions values ($1, $2, now() + interval '30 days')", [
      createHash('sha256').update(sessionId).digest('base64url'),
      rows[0].id,
    ]);
  }
  await client.query('analyze');
  await client.end();
}
