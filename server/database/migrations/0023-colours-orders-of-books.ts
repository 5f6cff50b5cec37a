import { statements } from './statements.ts';

export const up = statements(({ text }) => [
  `alter table images add column colour ${text}`,
  // It has nothing once the colours are found.
  'create index images_without_colour on images (id) where colour is null',
  // Finds the buyers of a book, for the books that they bought beside it.
  'create index orders_of_books on orders (book_id, id)',
]);
