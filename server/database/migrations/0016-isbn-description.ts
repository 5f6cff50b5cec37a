import { addColumns, statements } from './statements.ts';

/** The index is for imports, which recognise a book by its ISBN. */
export const up = statements(({ text }) => [
  ...addColumns('books', `isbn ${text}, description ${text}`),
  'create index books_isbn on books (isbn) where isbn is not null',
]);
