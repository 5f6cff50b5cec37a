import { statements } from './statements.ts';

export const up = statements(({ text }) => [
  `alter table images add column colour ${text}`,
  // The index is empty once all colours are found.
  'create index images_without_colour on images (id) where colour is null',
  // The index finds the buyers of a book, for the list of what they bought too.
  'create index orders_of_books on orders (book_id, id)',
]);
