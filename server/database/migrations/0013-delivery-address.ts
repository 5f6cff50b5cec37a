import { addColumns, statements } from './statements.ts';

export const up = statements(({ text }) => [
  ...addColumns('orders', `delivery_address ${text}, address_corrected_at bigint`),
  `alter table sessions add column delivery_address ${text}`,
]);
