import { statements } from './statements.ts';

const count = 'begin update session_changes set count = count + 1; end';

export const up = statements(({ isPostgres }) =>
  isPostgres
    ? []
    : [
        'create table session_changes (id integer primary key check (id = 1), count integer not null)',
        'insert into session_changes (id, count) values (1, 0)',
        `create trigger count_sessions_update after update on sessions ${count}`,
        `create trigger count_sessions_delete after delete on sessions ${count}`,
        `create trigger count_customers_update after update on customers ${count}`,
      ],
);
