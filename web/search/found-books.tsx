import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Book } from '../../contract/book.ts';
import type { BookSearch, FoundBooks as Page } from '../api/catalogue.ts';
import { Loading } from '../components/loading.tsx';
import { TryAgain } from '../components/try-again.tsx';
import type { useList } from '../list/use-list.ts';
import { isNarrowed, searchOf } from './book-search.ts';
import { NothingFound } from './nothing-found.tsx';

type FoundBooksProps = {
  found: ReturnType<typeof useList<Book, Page, QueryKey>>;
  hrefOf: (search: BookSearch) => string;
  /** The text for a list that cannot be fetched. */
  problem: string;
  whenEmpty: ReactNode;
  children: (books: Book[]) => ReactNode;
};

/** The list of a search in each of its states: it cannot be fetched, is on its way, has no books, or is there. */
export const FoundBooks = ({ found, hrefOf, problem, whenEmpty, children }: FoundBooksProps) => {
  const { list, pages, items, isRestoring } = found;
  const [page] = pages;
  if (list.isError && !page)
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  if (!page || !items || isRestoring) return <Loading />;
  if (items.length > 0) return children(items);
  return isNarrowed(searchOf(page)) ? <NothingFound page={page} hrefOf={hrefOf} /> : whenEmpty;
};
