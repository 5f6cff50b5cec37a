import { useEffect, useState } from 'react';
import type { BookSearch } from '../../api/queries.ts';
import { isSortOrder, maxQueryLength, sortNames } from './book-search.ts';
import styles from './search-form.module.css';

const typingPauseMs = 200;

type SearchFormProps = { search: BookSearch; onSearch: (search: BookSearch) => void };

/** The query and the sort order. `onSearch` is called when the visitor pauses typing, and when the sort order changes. */
export const SearchForm = ({ search, onSearch }: SearchFormProps) => {
  const [query, setQuery] = useState({ typed: search.q, searched: search.q });

  // Something else changed the address, such as Back or the brand's link: the field takes the new query.
  if (query.searched !== search.q) setQuery({ typed: search.q, searched: search.q });

  useEffect(() => {
    const q = query.typed.trim();
    if (q === search.q) return;
    const timer = setTimeout(() => {
      setQuery({ typed: query.typed, searched: q });
      onSearch({ q, sort: search.sort });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [query.typed, search.q, search.sort, onSearch]);

  return (
    <search className={styles.form}>
      <label className={styles.query}>
        <span className={styles.label}>Search</span>
        <input
          type="search"
          value={query.typed}
          onChange={(event) => setQuery({ ...query, typed: event.target.value })}
          maxLength={maxQueryLength}
          placeholder="Title or author"
          autoComplete="off"
          enterKeyHint="search"
        />
      </label>
      <label className={styles.sort}>
        <span className={styles.label}>Sort by</span>
        <select
          value={search.sort}
          onChange={({ target }) => {
            if (isSortOrder(target.value)) onSearch({ q: query.typed, sort: target.value });
          }}
        >
          {Object.entries(sortNames).map(([sort, name]) => (
            <option key={sort} value={sort}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
};
