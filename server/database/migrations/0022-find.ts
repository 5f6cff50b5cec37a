import { statements } from './statements.ts';

/** A start adds the subjects of books to their search text (catalogue/index-books.ts). */
export const up = statements(({ isPostgres }) => [
  'update books set is_indexed = null where keywords is not null',
  ...(isPostgres ? [] : indexesWithPrices),
]);

/** The index has text and price, as in 0003: a search that reads the books in an order then needs no row of the table. */
const indexesWithPrices = [
  'drop index books_for_sale_by_title_with_text',
  'drop index books_for_sale_by_author_key',
  `create index books_for_sale_by_title_with_price on books (title_sort, seq, price_cents, search_text)
    where removed_at is null`,
  `create index books_for_sale_by_author_with_text on books (author_key, seq, price_cents, search_text)
    where removed_at is null and author_key is not null`,
];
