/** A search for books, as it is in the address: `?q=jane+eyre&sort=price`. */

import { useLocation, useSearchParams } from 'wouter';
import type { SortOrder } from '../../contract/book.ts';
import { maxQueryLength } from '../../contract/book-search.ts';
import { withFilters } from '../../contract/paths.ts';
import {
  type BookFilters,
  type BookSearch,
  defaultSort,
  type FoundBooks,
  filterNames,
  parametersOf,
} from '../api/catalogue.ts';

const sortNames: Record<SortOrder, string> = {
  best: 'Best match',
  newest: 'Newest first',
  title: 'Title, A to Z',
  author: 'Author, A to Z',
  price: 'Price, lowest first',
  'price-desc': 'Price, highest first',
};

const isSortOrder = (sort: string): sort is SortOrder => Object.hasOwn(sortNames, sort);

/** @returns the possible orders of a list with this query, with their names. Without a query there is no best match. */
export const sortOptions = (q: string): { sort: SortOrder; name: string }[] =>
  Object.entries(sortNames).flatMap(([sort, name]) =>
    isSortOrder(sort) && (q || sort !== 'best') ? [{ sort, name }] : [],
  );

/** @returns the search in an address. A query that is too long is cut; an order that the list cannot have is replaced by the default. */
export const searchIn = (parameters: URLSearchParams): BookSearch => {
  const q = (parameters.get('q') ?? '').slice(0, maxQueryLength).trim();
  const chosen = sortOptions(q).find(({ sort }) => sort === parameters.get('sort'));
  const isAsTyped = q !== '' && parameters.get('spelling') === 'as-typed';
  return { q, sort: chosen?.sort ?? defaultSort(q), isAsTyped, filters: filtersIn(parameters) };
};

const amount = /^\d{1,7}(\.\d\d?)?$/;
const filterForms = { subject: /^.{1,100}$/, minPrice: amount, maxPrice: amount };

/** @returns the filters in an address, without values that the store would refuse. */
const filtersIn = (parameters: URLSearchParams): BookFilters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = parameters.get(name)?.trim() ?? '';
      return filterForms[name].test(value) ? [[name, value]] : [];
    }),
  );

/** @returns the search with another query. A chosen order stays; otherwise the order is the new query's default. */
export const withQuery = ({ q: oldQuery, sort, filters }: BookSearch, q: string): BookSearch => ({
  q,
  sort: sort === defaultSort(oldQuery) ? defaultSort(q) : sort,
  isAsTyped: false,
  filters,
});

/** @returns true if the address has a search, and not only the shelf. */
export const isSearchIn = (parameters: URLSearchParams): boolean =>
  addressOf('', searchIn(parameters)) !== '';

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
