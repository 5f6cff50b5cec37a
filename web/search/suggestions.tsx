import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Book } from '../../contract/book.ts';
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
 * @returns for typed words the books whose titles begin so, authors, other books, and at the end all results. Choosing an author searches
 * for the name, choosing a book opens its page.
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
  const beginsSo = ({ title }: Book) => title.toLowerCase().startsWith(typed.toLowerCase());
  const choiceOf = (book: Book): Choice => ({
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
  });
  return [
    ...data.books.filter(beginsSo).map(choiceOf),
    ...data.authors.map(({ author, count }) => ({
      key: author,
      content: (
        <>
          <b dir="auto">{author}</b> <span className="second">{counted(count, 'book')}</span>
        </>
      ),
      choose: () => onSearch(author),
    })),
    ...data.books.filter((book) => !beginsSo(book)).map(choiceOf),
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
