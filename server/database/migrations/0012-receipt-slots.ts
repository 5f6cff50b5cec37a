import { statements } from './statements.ts';

export const up = statements(({ text }) => [
  `create table receipt_slots (
    address_hash ${text} not null, slot integer not null, free_at bigint not null,
    constraint receipt_slots_pkey primary key (address_hash, slot)
  )`,
]);
