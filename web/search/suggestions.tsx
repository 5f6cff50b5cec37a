import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { counted } from '../../contract/counted.ts';
import { paths, screens } from '../../contract/paths.ts';
import type { Suggestions } from '../../contract/suggestions.ts';
import { read } from '../api/calls.ts';
import type { BookSearch } from '../api/catalogue.ts';
import type { Choice } from '../components/combobox/combobox.tsx';
import { Cover } from '../components/cover.tsx';
import { Price } from '../components/price.tsx';
import { useEntryState } from '../memory/history.ts';
import { type SearchChange, withQuery } from './book-search.ts';
import styles from './suggestions.module.css';

/** The fewest letters for suggestions: fewer match too many names. */
const minLetters = 2;

/** @returns suggested authors and books for typed words. Choosing an author searches for the name, choosing a book opens its page. */
export const useSuggestions = (
  search: BookSearch,
  onSearch: (search: BookSearch, change: SearchChange) => void,
): Choice[] => {
  const [, navigate] = useLocation();
  const { isTyped = false } = useEntryState();
  const isAsking = isTyped && search.q.length >= minLetters;
  const { data } = useQuery({
    ...read<Suggestions>('book', paths.suggest, { q: search.q }),
    retry: false,
    enabled: isAsking,
    placeholderData: keepPreviousData,
  });
  if (!isAsking || !data) return [];
  return [
    ...data.authors.map(({ author, count }) => ({
      key: author,
      content: (
        <span className={`cluster ends ${styles.wide}`}>
          <b dir="auto">{author}</b> <span className="second">{counted(count, 'book')}</span>
        </span>
      ),
      choose: () => onSearch(withQuery(search, author), 'entered'),
    })),
    ...data.books.map((book) => ({
      key: book._id,
      content: (
        <>
          <span className={styles.cover} aria-hidden="true">
            <Cover book={book} size="small" isLabelled />
          </span>
          <span className={styles.wide}>
            <span className="cut" dir="auto">
              {book.title}
            </span>{' '}
            <small className="second cut" dir="auto">
              {book.author}
            </small>
          </span>
          <Price value={book.price.value} />
        </>
      ),
      choose: () => navigate(screens.book(book._id)),
    })),
  ];
};
