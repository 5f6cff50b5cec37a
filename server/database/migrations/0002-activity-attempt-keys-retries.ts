import { addColumns, statements } from './statements.ts';

export const up = statements(({ text, counted }) => [
  `create table activity (
    seq ${counted} primary key, at bigint not null, action ${text} not null,
    customer_id ${text}, customer_email ${text}, address ${text}, book_id ${text}, book_title ${text}
  )`,
  'create index activity_at on activity (at)',
  // Earlier versions recorded only the last removal of each book.
  `insert into activity (at, action, customer_id, customer_email, book_id, book_title)
    select removed_at, 'book-deleted', removed_by, customers.email, books.id, title
    from books left join customers on customers.id = removed_by
    where removed_at is not null
    order by removed_at`,
  `create table attempt_keys (
    id ${text} not null primary key, secret ${text} not null, created_at bigint not null
  )`,
  ...addColumns('sessions', `provider_issuer ${text}, provider_session ${text}`),
  'create index sessions_customer on sessions (customer_id)',
  ...addColumns('books', `idempotency_key ${text}, request_hash ${text}`),
  `create unique index books_once_per_key on books (added_by, idempotency_key)
    where idempotency_key is not null`,
  `alter table images add column uploaded_by ${text}`,
  'create index images_created on images (created_at)',
]);
