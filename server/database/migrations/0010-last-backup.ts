import { statements } from './statements.ts';

export const up = statements(() => [
  `create table last_backup (
    id integer primary key check (id = 1), started_at bigint not null, bytes bigint not null
  )`,
]);
