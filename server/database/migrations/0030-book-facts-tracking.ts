import { addColumns, statements } from './statements.ts';

/**
 * Facts about books, where a parcel is, and pictures whose colour is to be found anew, because its hue was another's. The books get the words
 * of their authors and series afterwards (catalogue/index-books.ts), the pictures their colour (images/complete-images.ts).
 */
export const up = statements(({ text }) => [
  ...addColumns('books', `pages bigint, language ${text}, published ${text}, publisher ${text}`),
  ...addColumns('books', `format ${text}, series ${text}, series_number ${text}`),
  'drop index books_of_older_texts',
  'create index books_of_older_texts on books (seq) where is_indexed is null or is_indexed < 3',
  ...addColumns('orders', `tracking ${text}`),
  'update images set colour = null',
]);
