import { statements } from './statements.ts';

/** The books get their sort keys afterwards (catalogue/index-books.ts). */
export const up = statements(({ isPostgres, text }) => [
  `alter table books add column author_sort ${text}`,
  'drop index books_not_indexed',
  'create index books_of_older_texts on books (seq) where is_indexed is null or is_indexed < 2',
  ...(isPostgres
    ? [
        `create index books_for_sale_by_author_sort on books (author_sort, seq)
          where removed_at is null and author_sort is not null`,
      ]
    : indexesOnSqlite),
]);

/** The index for the order by author, as in 0022; searches need only the first author. */
const indexesOnSqlite = [
  'drop index books_for_sale_by_author_with_text',
  `create index books_for_sale_by_author_key on books (author_key, seq)
    where removed_at is null and author_key is not null`,
  `create index books_for_sale_by_author_sort on books (author_sort, seq, price_cents, search_text)
    where removed_at is null and author_sort is not null`,
];
