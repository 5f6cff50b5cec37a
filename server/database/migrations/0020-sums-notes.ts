import { statements } from './statements.ts';

/** Sums cover the orders whose id is lower than that of `sales_progress`. */
const summedUp = 'from orders where id < (select until_id from sales_progress) and withdrawn_at is null';

export const up = statements(({ text }) => [
  `alter table orders add column note ${text}`,
  // The old sums were by days of UTC, and other zones have other days: the orders are summed again, by quarters of an hour.
  `create table sales_quarters (
    quarter integer not null primary key, orders integer not null, revenue_cents bigint not null
  )`,
  `insert into sales_quarters (quarter, orders, revenue_cents)
    select placed_at / 900000, count(*), sum(price_cents) ${summedUp} group by 1`,
  'drop table sales_days',
  `create table sales_books (
    book_id ${text} not null primary key, orders integer not null, revenue_cents bigint not null,
    last_sold_at bigint not null
  )`,
  `insert into sales_books (book_id, orders, revenue_cents, last_sold_at)
    select book_id, count(*), sum(price_cents), max(placed_at) ${summedUp} group by 1`,
  'create index sales_books_orders on sales_books (orders, book_id)',
  'create index sales_books_revenue_cents on sales_books (revenue_cents, book_id)',
  'create index sales_books_last_sold_at on sales_books (last_sold_at, book_id)',
  // When a book's last sale is withdrawn, this index finds the sale before.
  'create index sales_books_days on sales_books_by_day (book_id, day)',
  `create table sales_customers (
    customer_id ${text} not null primary key, orders integer not null, revenue_cents bigint not null
  )`,
  `insert into sales_customers (customer_id, orders, revenue_cents)
    select customer_id, count(*), sum(price_cents) ${summedUp} group by 1`,
  'create index sales_customers_best on sales_customers (revenue_cents, customer_id)',
  'create index customers_newest on customers (created_at, id)',
  // An entry about several orders names them in its details, so the history of an order reads the entries after the order's time.
  "create index activity_marks on activity (at) where action = 'orders-marked'",
]);
