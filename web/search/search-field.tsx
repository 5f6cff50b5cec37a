import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { maxQueryLength } from '../../contract/book-search.ts';
import { counted } from '../../contract/counted.ts';
import { type BookSearch, frontQuery } from '../api/catalogue.ts';
import { Combobox } from '../components/combobox/combobox.tsx';
import { isTyping, pressedKey } from '../components/pressed-key.ts';
import { type SearchChange, sortOptions, withQuery } from './book-search.ts';
import { Chips } from './chips.tsx';
import styles from './search-form.module.css';
import { useSuggestions } from './suggestions.tsx';

const typingPauseMs = 150;

type SearchFormProps = {
  search: BookSearch;
  /** It is a bar over the list, with suggestions, filters and the order. */
  isBar: boolean;
  /** Called when the visitor pauses typing, at once for Enter and Escape, and when the order changes. */
  onSearch: (search: BookSearch, change: SearchChange) => void;
};

/** The field for words. The address has the search; what is typed is the field's until it is in the address. */
export const SearchForm = ({ search, isBar, onSearch }: SearchFormProps) => {
  const field = useRef<HTMLInputElement>(null);
  const bar = useRef<HTMLElement>(null);
  const order = useRef<HTMLSelectElement>(null);
  /** What was typed over the words of the address. When Back changes those, the field has the new ones. */
  const [draft, setDraft] = useState<{ text: string; over: string }>();
  const isTyped = draft !== undefined && [draft.over, draft.text.trim()].includes(search.q);
  const text = isTyped ? draft.text : search.q;
  const { data: front } = useQuery({ ...frontQuery, enabled: false });
  const suggestions = useSuggestions(search, isBar && isTyped, onSearch);
  useSlashKey(field);
  useBeginningInView(bar, search, isBar);

  const type = (typed: string) => setDraft({ text: typed, over: search.q });

  const searchFor = (typed: string, change: SearchChange, sort?: BookSearch['sort']) => {
    const q = typed.trim();
    setDraft(change === 'typed' ? { text: typed, over: q } : undefined);
    const next = q === search.q ? search : withQuery(search, q);
    onSearch({ ...next, ...(sort && { sort }) }, change);
  };

  /** @returns whether it is another order than that of the list. */
  const chooseOrder = (typed: string, name: string | undefined): boolean => {
    const sort = sortOptions(search.q).find((option) => option.sort === name)?.sort;
    const isOther = sort !== undefined && sort !== search.sort;
    if (isOther) searchFor(typed, 'entered', sort);
    return isOther;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painted fields may have been used before this code was there, and are looked at once.
  useEffect(() => {
    const typed = field.current?.value ?? '';
    if (!chooseOrder(typed, order.current?.value) && typed !== text) type(typed);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the pause begins anew with another text alone.
  useEffect(() => {
    if (text.trim() === search.q) return;
    const timer = setTimeout(() => searchFor(text, 'typed'), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text, search]);

  return (
    <search ref={bar} className={isBar ? styles.bar : undefined}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          searchFor(text, 'entered');
        }}
      >
        <div className={styles.query}>
          <label htmlFor="search" className={isBar ? 'hidden' : 'soft'}>
            Search
          </label>
          <Combobox
            ref={field}
            id="search"
            // Enter searches before this code is there too.
            name="q"
            type="search"
            value={text}
            onText={type}
            choices={suggestions}
            listLabel="Suggestions"
            listClass={styles.suggestions}
            onKeyDown={(event) => {
              if (pressedKey(event) !== 'Escape' || !text) return;
              event.preventDefault();
              searchFor('', 'entered');
            }}
            maxLength={maxQueryLength}
            placeholder={front ? `Search ${counted(front.bookCount, 'book')}` : 'Title or author'}
            enterKeyHint="search"
          />
        </div>
      </form>
      {isBar && (
        <div className={styles.filters}>
          <Chips search={search} />
          <label className={styles.sort}>
            <span className="hidden">Sort by</span>
            <select
              ref={order}
              id="sort"
              // Firefox would choose what was chosen before a reload.
              autoComplete="off"
              value={search.sort}
              onChange={({ target }) => chooseOrder(text, target.value)}
            >
              {sortOptions(search.q).map(({ sort, name }) => (
                <option key={sort} value={sort}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
    </search>
  );
};

/** A search that replaces the list begins at its first book, below the bar. Back restores the place of an earlier one. */
const useBeginningInView = (bar: RefObject<HTMLElement | null>, search: BookSearch, isWanted: boolean) => {
  const shown = useRef(search);
  useLayoutEffect(() => {
    if (shown.current === search) return;
    shown.current = search;
    // Where the bar stands when it does not stick.
    const top = bar.current?.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
    if (isWanted && top < 0) window.scrollBy(0, top);
  }, [bar, search, isWanted]);
};

/** `/` leads to the field, unless the visitor types it. */
const useSlashKey = (field: RefObject<HTMLInputElement | null>) => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (pressedKey(event) !== '/' || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [field]);
};
