import { statements } from './statements.ts';

/**
 * Before, a book had a row for each of its copies, and each sale was counted in five tables. Now a book has one row of stock, an order
 * remembers that it took a copy, and two indexes contain all that the sales are computed from.
 */
export const up = statements(({ isPostgres, text }) => [
  `create table stock (book_id ${text} primary key not null, "left" integer not null check ("left" >= 0))`,
  `insert into stock (book_id, "left")
    select books.id, count(copies.id) from books left join copies on copies.book_id = books.id and order_id is null
    where copies_left is not null group by books.id`,
  'alter table orders add column has_copy integer',
  'update orders set has_copy = 1 where id in (select order_id from copies where order_id is not null)',
  ...(isPostgres
    ? []
    : [
        ...['take_copy', 'count_sessions_update', 'count_sessions_delete', 'count_customers_update'].map(
          (name) => `drop trigger ${name}`,
        ),
        'drop table session_changes',
      ]),
  ...['quarters', 'books_by_day', 'books_by_month', 'books', 'customers', 'progress'].map(
    (name) => `drop table sales_${name}`,
  ),
  'drop table copies',
  'drop index orders_of_books',
  'create index orders_of_books on orders (book_id, id, placed_at, price_cents) where withdrawn_at is null',
  'create index orders_by_time on orders (placed_at, book_id, price_cents) where withdrawn_at is null',
]);
