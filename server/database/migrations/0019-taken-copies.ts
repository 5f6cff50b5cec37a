import { statements } from './statements.ts';

/** SQLite has no statement that writes to two tables: on PostgreSQL an order and its copy are written by one. */
export const up = statements(({ isPostgres }) =>
  isPostgres
    ? []
    : [
        `create trigger take_copy after insert on orders
          when exists (select 1 from books where id = new.book_id and copies_left is not null)
          begin
            update copies set order_id = new.id where id = (
              select id from copies where book_id = new.book_id and order_id is null order by id limit 1
            );
          end`,
      ],
);
