/** A search for books, as it is in the address: `?q=jane+eyre&sort=price`. */

import { useLocation, useSearchParams } from 'wouter';
import { type BookSearch, defaultSort, parametersOf, searchIn } from '../../contract/book-search.ts';
import { withFilters } from '../../contract/paths.ts';
import type { FoundBooks } from '../api/catalogue.ts';

export const sortNames: Record<BookSearch['sort'], string> = {
  best: 'Best match',
  newest: 'Newest first',
  title: 'Title, A to Z',
  author: 'Author, A to Z',
  price: 'Price, lowest first',
  'price-desc': 'Price, highest first',
};

/** @returns the search with another query. A chosen order stays; otherwise the order is the new query's default. */
export const withQuery = ({ q: oldQuery, sort, filters }: BookSearch, q: string): BookSearch => ({
  q,
  sort: sort === defaultSort(oldQuery) ? defaultSort(q) : sort,
  isAsTyped: false,
  filters,
});

/**
 * @param screen the path of the screen that lists the books; the current one if left out. @returns `search`, from the current address;
 * `changeSearch`, which opens another one; and `hrefOf`, which gives its address.
 */
export const useBookSearch = (screen?: string) => {
  const [parameters] = useSearchParams();
  const [path, navigate] = useLocation();
  const search = searchIn(parameters);
  const hrefOf = (other: BookSearch) => addressOf(screen ?? path, other);
  const changeSearch = (next: BookSearch) => {
    if (addressOf('', next) !== addressOf('', search)) navigate(hrefOf(next));
  };
  return { search, changeSearch, hrefOf };
};

/** @returns the search that a page of a list answers. */
export const searchOf = ({ filters }: FoundBooks): BookSearch => searchIn(new URLSearchParams(filters));

/** @returns true if a list is only a part of the shelf. */
export const isNarrowed = ({ q, filters }: BookSearch): boolean =>
  q !== '' || Object.keys(filters).length > 0;

/** @returns the address of a search on the screen with this path. */
export const addressOf = (path: string, search: BookSearch): string =>
  withFilters(path, parametersOf(search));
