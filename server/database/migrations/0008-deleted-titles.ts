import { statements } from './statements.ts';

/** An import looks for a deleted book by its title, to restore it. */
export const up = statements(() => [
  'create index books_removed_titled on books (title) where removed_at is not null',
]);
