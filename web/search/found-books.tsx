import type { ReactNode } from 'react';
import type { Book } from '../../contract/book.ts';
import type { FoundBooksQuery } from '../api/catalogue.ts';
import { Loading } from '../components/loading.tsx';
import { TryAgain } from '../components/try-again.tsx';
import { useList } from '../list/use-list.ts';
import { isNarrowed, searchOf, type useBookSearch, withQuery } from './book-search.ts';
import { NothingFound } from './nothing-found.tsx';

/** The books that a search finds. `isHeld`: see {@link useList}. */
export const useFoundBooks = (query: FoundBooksQuery, isHeld?: boolean) => useList(query, isHeld);

type FoundBooksProps = {
  found: ReturnType<typeof useFoundBooks>;
  bookSearch: ReturnType<typeof useBookSearch>;
  /** The text for a list that cannot be fetched. */
  problem: string;
  whenEmpty: ReactNode;
  /** Books are offered where nothing is found. */
  hasOthers?: boolean;
  children: (books: Book[]) => ReactNode;
};

/** The list of a search in each of its states: it cannot be fetched, is on its way, has no books, or is there. */
export const FoundBooks = ({
  found,
  bookSearch,
  problem,
  whenEmpty,
  hasOthers = false,
  children,
}: FoundBooksProps) => {
  const { list, pages, items, isRestoring } = found;
  const { search, changeSearch, hrefOf } = bookSearch;
  const [page] = pages;
  if (list.isError && !page)
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  if (!page || !items || isRestoring) return <Loading />;
  if (items.length > 0) return children(items);
  if (!isNarrowed(searchOf(page))) return whenEmpty;
  return (
    <NothingFound
      page={page}
      hrefOf={hrefOf}
      hasOthers={hasOthers}
      onShowAll={() => changeSearch({ ...withQuery(search, ''), filters: {} }, 'entered')}
    />
  );
};
