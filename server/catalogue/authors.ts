/** The names that lead to lists of books: those of authors and of series. */

import { authorsOf } from '../../contract/authors.ts';
import type { BookInStock, BooksQuery } from '../../contract/book.ts';
import { slugOf } from '../search/search-text.ts';
import type { ListedBookForSale } from './books.ts';

export const authorLinks = (author: string): NonNullable<BookInStock['authors']> =>
  authorsOf(author).map((name) => ({ name, slug: slugOf(name) }));

/** @param book the first one of the list. @returns the name of the author or the series that the list is of. */
export const listName = (
  { author, series }: Pick<BooksQuery, 'author' | 'series'>,
  book: Pick<ListedBookForSale, 'author' | 'series'> | undefined,
): string | undefined =>
  series !== undefined
    ? (book?.series ?? undefined)
    : authorLinks(book?.author ?? '').find(({ slug }) => slug === author)?.name;
