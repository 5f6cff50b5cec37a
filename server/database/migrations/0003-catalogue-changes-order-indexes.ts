import { statements } from './statements.ts';

const count = 'begin update catalogue_changes set count = count + 1; end';

/**
 * PostgreSQL notifies its nodes of changes (0001). Its indexes take no entry of more than 2,704 bytes, and a search text may be longer. On
 * SQLite a search that reads the books in an order takes a tenth of the time with the text in the index.
 */
export const up = statements(({ isPostgres }) =>
  isPostgres
    ? []
    : [
        'create table catalogue_changes (id integer primary key check (id = 1), count integer not null)',
        'insert into catalogue_changes (id, count) values (1, 0)',
        `create trigger count_book_insert after insert on books ${count}`,
        `create trigger count_book_update after update on books ${count}`,
        `create trigger count_book_delete after delete on books ${count}`,
        'drop index books_for_sale_by_title',
        `create index books_for_sale_by_title_with_text on books (title_sort, seq, search_text)
          where removed_at is null`,
        'drop index books_for_sale_by_price',
        `create index books_for_sale_by_price_with_text on books (price_cents, seq, search_text)
          where removed_at is null`,
      ],
);
