import { statements } from './statements.ts';

export const up = statements(({ text }) => [
  `create table webhook_events (
    id ${text} not null primary key, type ${text} not null, customer_id ${text} not null,
    order_id ${text} not null, created_at bigint not null, due_at bigint,
    attempts integer default 0 not null, error ${text}, delivered_at bigint
  )`,
  'create index webhook_events_due on webhook_events (due_at) where due_at is not null',
  'create index webhook_events_failed on webhook_events (id) where error is not null',
]);
