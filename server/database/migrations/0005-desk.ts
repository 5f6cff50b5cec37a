import { addColumns, statements } from './statements.ts';

export const up = statements(({ text }) => [
  'alter table books add column version integer default 1 not null',
  'create index books_removed on books (removed_at, seq) where removed_at is not null',
  'alter table orders add column sent_at bigint',
  // An id begins with its time, so this index has the orders of all customers by time.
  'create index orders_by_id on orders (id)',
  'create index orders_not_sent on orders (id) where sent_at is null',
  ...addColumns('customers', 'blocked_at bigint, erased_at bigint'),
  // On both engines `lower` must change ASCII letters only. PostgreSQL's `lower` depends on the collation of the column.
  'create index customers_email on customers (lower(email))',
  `create table tokens (
    name ${text} not null primary key, hash ${text} not null unique, may ${text} not null,
    created_at bigint not null, last_used_at bigint, revoked_at bigint
  )`,
  ...addColumns('activity', `token ${text}, subject ${text}, details ${text}`),
  'create index activity_customer on activity (customer_id)',
]);
