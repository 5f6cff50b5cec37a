import { addColumns, statements } from './statements.ts';

/** Facts about books, and where a parcel is. The books get the words of their authors and series afterwards (catalogue/index-books.ts). */
export const up = statements(({ text }) => [
  ...addColumns('books', `pages bigint, language ${text}, published ${text}, publisher ${text}`),
  ...addColumns('books', `format ${text}, series ${text}, series_number ${text}`),
  'drop index books_of_older_texts',
  'create index books_of_older_texts on books (seq) where is_indexed is null or is_indexed < 3',
  ...addColumns('orders', `tracking ${text}`),
]);
