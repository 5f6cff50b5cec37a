/** The names that lead to lists of books: those of authors and of series. */

import type { BookInStock, BooksQuery } from '../../contract/book.ts';
import { screens } from '../../contract/paths.ts';
import { authorsOf, slugOf } from '../search/search-text.ts';
import type { ListedBookForSale } from './books.ts';

/** @returns the pages of the book's authors and of its series. */
export const listPathsOf = ({ author, series }: Pick<ListedBookForSale, 'author' | 'series'>): string[] => {
  const seriesSlug = slugOf(series ?? '');
  const authors = authorLinks(author).flatMap(({ slug }) => (slug ? screens.author(slug) : []));
  return seriesSlug ? [...authors, screens.series(seriesSlug)] : authors;
};

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
