import { addColumns, statements } from './statements.ts';

export const up = statements(({ text, counted }) => [
  `create table copies (id ${counted} primary key, book_id ${text} not null, order_id ${text})`,
  'create index copies_free on copies (book_id, id) where order_id is null',
  'create unique index copies_sold on copies (order_id) where order_id is not null',
  ...addColumns('books', 'copies_left integer, sold_out_at bigint'),
  'create index books_sold_out on books (sold_out_at, seq) where sold_out_at is not null',
  // The index is for the list of deleted books: sold-out books, which have `removed_at` too, may be many more.
  'create index books_deleted on books (removed_at, seq) where removed_at is not null and sold_out_at is null',
]);
