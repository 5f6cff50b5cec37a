import { useEffect, useState } from 'react';
import { maxQueryLength } from '../../contract/book-search.ts';
import type { BookSearch } from '../api/queries.ts';
import { type SearchChange, sortOptions, withQuery } from './book-search.ts';
import styles from './search-form.module.css';

const typingPauseMs = 200;

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

  // Something else changed the address, such as Back or the brand's link: the field takes the new query.
  if (query.searched !== search.q) setQuery({ typed: search.q, searched: search.q });

  const searchFor = (typed: string, change: SearchChange, sort?: BookSearch['sort']) => {
    const q = typed.trim();
    const next = q === search.q ? search : withQuery(search, q);
    setQuery({ typed, searched: q });
    onSearch(sort ? { ...next, sort } : next, change);
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
    <search>
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
            placeholder="Title or author"
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
    </search>
  );
};
