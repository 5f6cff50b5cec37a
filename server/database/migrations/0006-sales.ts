import { statements } from './statements.ts';

export const up = statements(({ text, withoutRowid }) => [
  // A new order is not in the index, so the index costs the checkout nothing.
  'create index orders_sent on orders (id) where sent_at is not null',
  'create index activity_subject on activity (subject) where subject is not null',
  'create index customers_erased on customers (erased_at) where erased_at is not null',
  `create table sales_days (
    day integer not null primary key, orders integer not null, revenue_cents bigint not null
  )`,
  ...['day', 'month'].map(
    (period) => `create table sales_books_by_${period} (
      ${period} integer not null, book_id ${text} not null, orders integer not null, revenue_cents bigint not null,
      constraint sales_books_by_${period}_primary primary key (${period}, book_id)
    ) ${withoutRowid}`,
  ),
  `create table sales_progress (id integer primary key check (id = 1), until_id ${text} not null)`,
  "insert into sales_progress (id, until_id) values (1, '')",
]);
