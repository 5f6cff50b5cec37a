import { statements } from './statements.ts';

export const up = statements(({ text }) => [
  'alter table orders add column withdrawn_at bigint',
  'alter table orders add column refunded_at bigint',
  'alter table orders add column returned_at bigint',
  'alter table orders add column acknowledgement_sent_at bigint',
  'alter table orders add column withdrawal_notice_sent_at bigint',
  'alter table orders add column order_mail_ended_at bigint',
  'alter table orders add column withdrawal_days integer',
  `alter table orders add column withdrawn_by ${text}`,
  `alter table orders add column withdrawal_reason ${text}`,
  // A new order is not in it, so it costs the checkout nothing.
  'create index orders_withdrawn on orders (id) where withdrawn_at is not null',
]);
