import { statements } from './statements.ts';

export const up = statements(({ text }) => [
  'alter table orders add column mail_due_at bigint',
  'alter table orders add column receipt_sent_at bigint',
  'alter table orders add column notice_sent_at bigint',
  'alter table orders add column mail_attempts integer',
  `alter table orders add column mail_error ${text}`,
  // Nearly empty: an order leaves them when its mail is sent.
  'create index orders_mail_due on orders (mail_due_at) where mail_due_at is not null',
  'create index orders_mail_failed on orders (id) where mail_error is not null',
]);
