import { statements } from './statements.ts';

export const up = statements(({ isPostgres, text }) => [
  'alter table books add column front_table_at bigint',
  'create index books_on_front_table on books (front_table_at, seq) where front_table_at is not null',
  `create table front_table (
    id integer primary key check (id = 1), heading ${text} not null, words ${text} not null
  )`,
  "insert into front_table (id, heading, words) values (1, '', '')",
  // A change of these words makes the response cache stale, like a change of a book.
  isPostgres
    ? `create trigger announce_front_table after update on front_table
        for each statement execute function announce_books()`
    : `create trigger count_front_table_update after update on front_table
        begin update catalogue_changes set count = count + 1; end`,
]);
