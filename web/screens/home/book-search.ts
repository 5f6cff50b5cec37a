/** The search of the home screen, as it is in the address: `?q=jane+eyre&sort=price`. */
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import type { SortOrder } from '../../../contract/book.ts';
import type { BookSearch } from '../../api/queries.ts';

export const sortNames: Record<SortOrder, string> = { newest: 'Newest', title: 'Title', price: 'Price' };

export const isSortOrder = (sort: string): sort is SortOrder => Object.hasOwn(sortNames, sort);

/** In characters. The store rejects a longer query. */
export const maxQueryLength = 200;

/** @returns the search in an address. A query that is too long is cut; an unknown sort order becomes the default. */
export const searchIn = (parameters: URLSearchParams): BookSearch => {
  const sort = parameters.get('sort') ?? '';
  return {
    q: (parameters.get('q') ?? '').slice(0, maxQueryLength).trim(),
    sort: isSortOrder(sort) ? sort : 'newest',
  };
};

/** @returns the search in the current address, and a function that changes it without a new entry in the history. */
export const useBookSearch = () => {
  const [parameters, setParameters] = useSearchParams();
  const search = searchIn(parameters);
  const setSearch = useCallback(
    (next: BookSearch) => {
      const q = next.q.trim();
      setParameters(
        { ...(q && { q }), ...(next.sort !== 'newest' && { sort: next.sort }) },
        { replace: true },
      );
    },
    [setParameters],
  );
  return [search, setSearch] as const;
};
