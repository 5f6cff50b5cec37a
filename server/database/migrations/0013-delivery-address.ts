import { statements } from './statements.ts';

export const up = statements(({ text }) => [
  `alter table orders add column delivery_address ${text}`,
  'alter table orders add column address_corrected_at bigint',
  `alter table sessions add column delivery_address ${text}`,
]);
