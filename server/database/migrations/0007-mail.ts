import { addColumns, statements } from './statements.ts';

export const up = statements(({ text }) => [
  ...addColumns('orders', 'mail_due_at bigint, receipt_sent_at bigint, notice_sent_at bigint'),
  ...addColumns('orders', `mail_attempts integer, mail_error ${text}`),
  // Both indexes are nearly empty: an order leaves them when its mail is sent.
  'create index orders_mail_due on orders (mail_due_at) where mail_due_at is not null',
  'create index orders_mail_failed on orders (id) where mail_error is not null',
]);
