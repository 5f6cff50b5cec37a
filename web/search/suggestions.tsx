import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { counted } from '../../contract/counted.ts';
import { paths, screens } from '../../contract/paths.ts';
import type { Suggestions } from '../../contract/suggestions.ts';
import { read } from '../api/calls.ts';
import { BookCell } from '../components/book-cell.tsx';
import type { Choice } from '../components/combobox/combobox.tsx';
import { Price } from '../components/price.tsx';

/** The fewest letters for suggestions: fewer match too many names. */
const minLetters = 2;

/**
 * @returns suggested authors and books for typed words, and at the end all results. Choosing an author searches for the name, choosing a
 * book opens its page.
 */
export const useSuggestions = (typed: string, onSearch: (q: string) => void): Choice[] => {
  const [, navigate] = useLocation();
  const isAsking = typed.length >= minLetters;
  const { data } = useQuery({
    ...read<Suggestions>('book', paths.suggest, { q: typed }),
    retry: false,
    enabled: isAsking,
    placeholderData: keepPreviousData,
  });
  if (!isAsking || !data) return [];
  return [
    ...data.authors.map(({ author, count }) => ({
      key: author,
      content: (
        <>
          <b dir="auto">{author}</b> <span className="second">{counted(count, 'book')}</span>
        </>
      ),
      choose: () => onSearch(author),
    })),
    ...data.books.map((book) => ({
      key: book._id,
      content: (
        <>
          <BookCell
            book={book}
            title={
              <cite className="cut" dir="auto">
                {book.title}
              </cite>
            }
          >
            {' '}
            <small className="second cut" dir="auto">
              {book.author}
            </small>
          </BookCell>
          <Price value={book.price.value} />
        </>
      ),
      choose: () => navigate(screens.book(book._id)),
    })),
    {
      key: 'all',
      content: (
        <span>
          All results for “<bdi>{typed}</bdi>”
        </span>
      ),
      choose: () => onSearch(typed),
    },
  ];
};
