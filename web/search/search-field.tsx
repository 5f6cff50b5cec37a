import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { maxQueryLength } from '../../contract/book-search.ts';
import { counted } from '../../contract/counted.ts';
import { type BookSearch, frontQuery } from '../api/catalogue.ts';
import { type Choice, Combobox } from '../components/combobox/combobox.tsx';
import { pressedKey, useShortcuts } from '../components/pressed-key.ts';
import { useTyped } from '../components/use-typed.ts';
import { type SearchChange, withQuery } from './book-search.ts';
import styles from './search-bar.module.css';

const typingPauseMs = 150;

export type SearchFieldProps = {
  search: BookSearch;
  /** Called when the visitor pauses typing, and at once for Enter or Escape. */
  onSearch: (search: BookSearch, change: SearchChange) => void;
};

/** The search field. The address has the search; typed text stays in the field until it is in the address. */
export const SearchField = ({
  search,
  onSearch,
  suggestions = [],
}: SearchFieldProps & { suggestions?: readonly Choice[] }) => {
  const field = useRef<HTMLInputElement>(null);
  const { data: front } = useQuery({ ...frontQuery, enabled: false });
  const searchFor = (q: string, change: SearchChange) =>
    onSearch(q === search.q ? search : withQuery(search, q), change);
  const { text, type } = useTyped(search.q, (q) => searchFor(q, 'typed'), typingPauseMs);
  const enter = (typed: string) => {
    type(typed);
    searchFor(typed.trim(), 'entered');
  };
  useShortcuts({ '/': () => field.current?.focus() });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painted field may have been used before this code was there, and is looked at once.
  useEffect(() => type(field.current?.value ?? ''), []);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        enter(text);
      }}
    >
      <div className={styles.query}>
        <Combobox
          ref={field}
          aria-label="Search"
          id="search"
          // Enter also searches before this code has loaded.
          name="q"
          type="search"
          value={text}
          onText={type}
          choices={suggestions}
          listLabel="Suggestions"
          listClass={`raised ${styles.suggestions}`}
          onKeyDown={(event) => {
            if (pressedKey(event) !== 'Escape' || !text) return;
            event.preventDefault();
            enter('');
          }}
          maxLength={maxQueryLength}
          placeholder={front ? `Search ${counted(front.bookCount, 'book')}` : 'Title or author'}
          enterKeyHint="search"
        />
      </div>
    </form>
  );
};
