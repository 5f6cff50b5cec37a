import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import type { SortOrder } from '../../../contract/book.ts';
import type { BookSearch } from '../../api/queries.ts';

export const sortNames: Record<SortOrder, string> = { newest: 'Newest', title: 'Title', price: 'Price' };

/** Whether an address or a form named one of the store's orders. */
export const isSortOrder = (sort: string): sort is SortOrder => Object.hasOwn(sortNames, sort);

/** In letters; the store refuses a longer one. */
export const longestQuestion = 200;

/** What an address says to look for; what makes no sense in it is passed over. */
export const searchIn = (parameters: URLSearchParams): BookSearch => {
  const sort = parameters.get('sort') ?? '';
  return {
    q: (parameters.get('q') ?? '').slice(0, longestQuestion).trim(),
    sort: isSortOrder(sort) ? sort : 'newest',
  };
};

/** What the address says to look for, and a way to change it that adds nothing to the history. */
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
