import { addColumns, statements } from './statements.ts';

const letters = 'ACDEFGHJKMNPQRTUWXY34679';
/** The number of different order numbers: 24 letters to the power of 8. */
const numbers = 110_075_314_176;
/** It has no factor in common with `numbers`, so different places make different order numbers. */
const factor = 68_026_544_161;
const digit = (place: number) =>
  `substr('${letters}', cast(1 + (code / ${letters.length ** place}) % ${letters.length} as integer), 1)`;

const isTold = (
  table: string,
) => `create trigger announce_${table} after insert or update or delete on ${table}
  for each statement execute function announce_books()`;
const isCounted = (table: string) =>
  ['insert', 'update', 'delete'].map(
    (change) => `create trigger count_${table}_${change} after ${change} on ${table}
      begin update catalogue_changes set count = count + 1; end`,
  );

/** Ways to get a book, gifts, payments, and pages of the shop. The orders of before get their numbers here. */
export const up = statements(({ isPostgres, text, counted }) => [
  ...addColumns('orders', `number ${text}, way_id ${text}, delivery_name ${text}, delivery_cents bigint`),
  ...addColumns(
    'orders',
    `asks_address integer, pays_on_collection integer, gift ${text}, cancelled_at bigint`,
  ),
  `alter table orders add column currency ${text} default 'USD' not null`,
  `with numbered as (select id, (row_number() over (order by id) * ${factor}) % ${numbers} as code from orders)
    update orders set number = ${[7, 6, 5, 4, 3, 2, 1, 0].map(digit).join(' || ')}
    from numbered where numbered.id = orders.id`,
  'create unique index orders_by_number on orders (number)',
  ...['orders_of_books', 'orders_by_time'].map((name) => `drop index ${name}`),
  `create index orders_of_books on orders (book_id, id, placed_at, price_cents)
    where withdrawn_at is null and cancelled_at is null`,
  `create index orders_by_time on orders (placed_at, book_id, price_cents, delivery_cents)
    where withdrawn_at is null and cancelled_at is null`,
  'create index orders_cancelled on orders (id) where cancelled_at is not null',
  `create table ways (
    id ${text} not null primary key, name ${text} not null, price_cents bigint not null,
    asks_address integer not null, pay_on_collection integer not null, line ${text} not null, position integer not null
  )`,
  // A page's row is a version of it: the last one with its slug is shown, unless it is a removal.
  `create table pages (
    seq ${counted} primary key, slug ${text} not null, title ${text} not null, markdown ${text} not null,
    is_removed integer not null, at bigint not null
  )`,
  'create index pages_by_slug on pages (slug, seq)',
  // The foot of every screen links the pages, and a book's page names the ways.
  ...['ways', 'pages'].flatMap((table) => (isPostgres ? [isTold(table)] : isCounted(table))),
  `create table payments (
    reference ${text} not null primary key, order_id ${text} not null unique, currency ${text} not null,
    cents bigint not null, state ${text} not null, way ${text}, charge_id ${text},
    due_until bigint not null,
    paid_cents bigint default 0 not null, refunded_cents bigint default 0 not null,
    paid_at bigint, version integer default 0 not null
  )`,
  "create index payments_due on payments (due_until) where state = 'due'",
  // A charge is a provider's session or a bank's entry, with the money that it brought and that was refunded.
  `create table charges (
    id ${text} not null primary key, reference ${text} not null, way ${text} not null, intent ${text},
    cents bigint default 0 not null, refunded_cents bigint default 0 not null,
    created_at bigint not null, expires_at bigint, ask_at bigint, refund_at bigint
  )`,
  'create index charges_of_payments on charges (reference)',
  'create index charges_by_intent on charges (intent) where intent is not null',
  'create index charges_to_ask on charges (ask_at) where ask_at is not null',
  'create index charges_to_refund on charges (refund_at) where refund_at is not null',
]);
