import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { maxQueryLength } from '../../contract/book-search.ts';
import { counted } from '../../contract/counted.ts';
import { type BookSearch, frontQuery } from '../api/catalogue.ts';
import { optionalCode } from '../components/optional-code.ts';
import { isTyping, pressedKey } from '../components/pressed-key.ts';
import { type SearchChange, sortOptions, withQuery } from './book-search.ts';
import { FilterChips, LetterRail } from './filter-chips.tsx';
import styles from './search-form.module.css';

const typingPauseMs = 200;
/** First acts of a visitor: each loads what the first sight of the page can do without. */
const firstDeeds = ['pointermove', 'touchstart', 'keydown', 'focusin'] as const;

type SearchFormProps = {
  search: BookSearch;
  /** It is a bar over the list, with suggestions, filters and the order. */
  isBar: boolean;
  /** Called when the visitor pauses typing, at once for Enter and Escape, and when the order changes. */
  onSearch: (search: BookSearch, change: SearchChange) => void;
};

/** The field for words. It keeps what was typed, also when the store searches for other words. */
export const SearchForm = ({ search, isBar, onSearch }: SearchFormProps) => {
  const [query, setQuery] = useState({ typed: search.q, searched: search.q, isTyping: false });
  const field = useRef<HTMLInputElement>(null);
  const bar = useRef<HTMLElement>(null);
  const order = useRef<HTMLSelectElement>(null);
  const Suggestions = useSuggestions(isBar);
  useSlashKey(field);
  useBeginningInView(bar, search, isBar);
  const { data: front } = useQuery({ ...frontQuery, enabled: false });

  // Something else changed the address, such as Back or the brand's link: the field takes the new query.
  if (query.searched !== search.q) setQuery({ typed: search.q, searched: search.q, isTyping: false });

  const searchFor = (typed: string, change: SearchChange, sort?: BookSearch['sort']) => {
    const q = typed.trim();
    const next = q === search.q ? search : withQuery(search, q);
    setQuery({ typed, searched: q, isTyping: false });
    const { from: _, ...filters } = next.filters;
    onSearch(sort ? { ...next, sort, filters } : next, change);
  };

  /** @returns whether it is another order than that of the list. */
  const chooseOrder = (typed: string, order: string | undefined): boolean => {
    const option = sortOptions(search.q).find(({ sort }) => sort === order);
    const isOther = option !== undefined && option.sort !== search.sort;
    if (isOther) searchFor(typed, 'chosen', option.sort);
    return isOther;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painted fields may have been used before this code was there, and are looked at once.
  useEffect(() => {
    const typed = field.current?.value ?? '';
    if (!chooseOrder(typed, order.current?.value) && typed !== query.typed) setQuery({ ...query, typed });
  }, []);

  useEffect(() => {
    const q = query.typed.trim();
    if (q === search.q) return;
    const timer = setTimeout(() => {
      setQuery({ typed: query.typed, searched: q, isTyping: true });
      onSearch(withQuery(search, q), 'typed');
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [query.typed, search, onSearch]);

  const hasLetters = isBar && search.sort === 'title';
  return (
    <search ref={bar} className={isBar ? styles.bar : undefined} data-letters={hasLetters || undefined}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          searchFor(query.typed, 'entered');
        }}
      >
        <label className={styles.query}>
          <span>Search</span>
          <input
            ref={field}
            id="search"
            // Enter searches before this code is there too.
            name="q"
            type="search"
            value={query.typed}
            onChange={(event) => setQuery({ ...query, typed: event.target.value, isTyping: true })}
            onKeyDown={(event) => {
              if (pressedKey(event) !== 'Escape' || !query.typed) return;
              event.preventDefault();
              searchFor('', 'entered');
            }}
            maxLength={maxQueryLength}
            placeholder={front ? `Search ${counted(front.bookCount, 'book')}` : 'Title or author'}
            autoComplete="off"
            enterKeyHint="search"
          />
        </label>
        {Suggestions && (
          <Suggestions
            search={search}
            typed={query.typed}
            wasTyping={query.isTyping}
            field={field}
            onSearch={onSearch}
          />
        )}
      </form>
      {isBar && (
        <div className={styles.filters}>
          <FilterChips search={search} />
          <label className={styles.sort}>
            <span>Sort by</span>
            <select
              ref={order}
              id="sort"
              // Firefox would choose what was chosen before a reload.
              autoComplete="off"
              value={search.sort}
              onChange={({ target }) => chooseOrder(query.typed, target.value)}
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
      {hasLetters && <LetterRail search={search} />}
    </search>
  );
};

/** @returns the list of suggestions; undefined until the visitor has done something, and while it cannot be loaded. */
const useSuggestions = (isWanted: boolean) => {
  const [list, setList] = useState<typeof import('./suggestion-list.tsx')>();
  useEffect(() => {
    if (!isWanted) return;
    const loading = new AbortController();
    const load = async () => {
      for (const deed of firstDeeds) removeEventListener(deed, load);
      const loaded = await optionalCode(() => import('./suggestion-list.tsx'));
      if (loading.signal.aborted) return;
      if (loaded) setList(loaded);
      else addEventListener('online', load, { signal: loading.signal, once: true });
    };
    for (const deed of firstDeeds) addEventListener(deed, load, { signal: loading.signal });
    // The first deed may have come before this code: it left the focus somewhere.
    if (document.activeElement !== document.body) void load();
    return () => loading.abort();
  }, [isWanted]);
  return list?.SuggestionList;
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
