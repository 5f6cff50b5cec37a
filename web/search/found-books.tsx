import type { ComponentProps } from 'react';
import type { Book } from '../../contract/book.ts';
import type { BookSearch } from '../api/catalogue.ts';
import { Listed } from '../components/listed.tsx';
import { isNarrowed, searchOf } from './book-search.ts';
import { NothingFound } from './nothing-found.tsx';

type FoundBooksProps = ComponentProps<typeof Listed<Book>> & { hrefOf: (search: BookSearch) => string };

/** The list of a search. `whenEmpty` is shown for an empty catalogue; a search without matches offers other searches. */
export const FoundBooks = ({ hrefOf, whenEmpty, ...list }: FoundBooksProps) => {
  const [page] = list.found.pages;
  const nothing = page && isNarrowed(searchOf(page)) && <NothingFound page={page} hrefOf={hrefOf} />;
  return <Listed {...list} whenEmpty={nothing || whenEmpty} />;
};
