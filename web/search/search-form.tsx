import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { maxQueryLength } from '../../contract/book-search.ts';
import { counted } from '../../contract/counted.ts';
import { type BookSearch, frontQuery } from '../api/queries.ts';
import { type SearchChange, sortOptions, withQuery } from './book-search.ts';
import styles from './search-form.module.css';

const typingPauseMs = 200;
/** First acts of a visitor: each loads what the first sight of the page can do without. */
const firstDeeds = ['pointermove', 'touchstart', 'keydown', 'focusin'] as const;

type SearchFormProps = {
  search: BookSearch;
  /** The visitor chooses the order. */
  hasSort: boolean;
  /** Called when the visitor pauses typing, at once for Enter and Escape, and when the order changes. */
  onSearch: (search: BookSearch, change: SearchChange) => void;
};

/** The query and the sort order. The field keeps what was typed, also when the store searches for other words. */
export const SearchForm = ({ search, hasSort, onSearch }: SearchFormProps) => {
  const [query, setQuery] = useState({ typed: search.q, searched: search.q });
  const field = useRef<HTMLInputElement>(null);
  const Tools = useSearchTools(hasSort);
  useSlashKey(field);
  const { data: front } = useQuery({ ...frontQuery, enabled: false });

  // Something else changed the address, such as Back or the brand's link: the field takes the new query.
  if (query.searched !== search.q) setQuery({ typed: search.q, searched: search.q });

  const searchFor = (typed: string, change: SearchChange, sort?: BookSearch['sort']) => {
    const q = typed.trim();
    const next = q === search.q ? search : withQuery(search, q);
    setQuery({ typed, searched: q });
    const { from: _, ...filters } = next.filters;
    onSearch(sort ? { ...next, sort, filters } : next, change);
  };

  useEffect(() => {
    const q = query.typed.trim();
    if (q === search.q) return;
    const timer = setTimeout(() => {
      setQuery({ typed: query.typed, searched: q });
      onSearch(withQuery(search, q), 'typed');
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [query.typed, search, onSearch]);

  return (
    <search className={hasSort ? styles.bar : undefined}>
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
            type="search"
            value={query.typed}
            onChange={(event) => setQuery({ ...query, typed: event.target.value })}
            onKeyDown={(event) => {
              // While an input method composes a word, Escape is the input method's.
              if (event.key !== 'Escape' || event.nativeEvent.isComposing || !query.typed) return;
              event.preventDefault();
              searchFor('', 'entered');
            }}
            maxLength={maxQueryLength}
            placeholder={front ? `Search ${counted(front.bookCount, 'book')}` : 'Title or author'}
            autoComplete="off"
            enterKeyHint="search"
          />
        </label>
        {hasSort && (
          <label className={styles.sort}>
            <span>Sort by</span>
            <select
              id="sort"
              value={search.sort}
              onChange={({ target }) => {
                const option = sortOptions(search.q).find(({ sort }) => sort === target.value);
                if (option) searchFor(query.typed, 'chosen', option.sort);
              }}
            >
              {sortOptions(search.q).map(({ sort, name }) => (
                <option key={sort} value={sort}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </form>
      {hasSort && (
        <div className={styles.tools} data-letters={search.sort === 'title' || undefined}>
          {Tools && <Tools search={search} typed={query.typed} field={field} onSearch={onSearch} />}
        </div>
      )}
    </search>
  );
};

/** Suggestions, subjects, prices and letters. @returns undefined until the visitor has done something. */
const useSearchTools = (isWanted: boolean) => {
  const [tools, setTools] = useState<typeof import('./tools/search-tools.tsx')>();
  useEffect(() => {
    if (!isWanted) return;
    const loading = new AbortController();
    const load = () => {
      loading.abort();
      // Without them a visitor still searches.
      import('./tools/search-tools.tsx').then(setTools, () => undefined);
    };
    for (const deed of firstDeeds) addEventListener(deed, load, { signal: loading.signal });
    return () => loading.abort();
  }, [isWanted]);
  return tools?.SearchTools;
};

/** `/` leads to the field, unless the visitor types it. */
const useSlashKey = (field: RefObject<HTMLInputElement | null>) => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (
        key !== '/' ||
        ctrlKey ||
        metaKey ||
        altKey ||
        (target as Element).matches('input, textarea, select')
      )
        return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [field]);
};
