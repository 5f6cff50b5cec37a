import { addColumns, statements } from './statements.ts';

export const up = statements(({ text }) => [
  ...addColumns('orders', 'withdrawn_at bigint, refunded_at bigint, returned_at bigint'),
  ...addColumns('orders', 'acknowledgement_sent_at bigint, withdrawal_notice_sent_at bigint'),
  ...addColumns('orders', 'order_mail_ended_at bigint, withdrawal_days integer'),
  ...addColumns('orders', `withdrawn_by ${text}, withdrawal_reason ${text}`),
  // A new order is not in the index, so the index costs the checkout nothing.
  'create index orders_withdrawn on orders (id) where withdrawn_at is not null',
]);
