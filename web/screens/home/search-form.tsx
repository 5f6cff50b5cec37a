import { useEffect, useState } from 'react';
import type { BookSearch } from '../../api/queries.ts';
import { isSortOrder, longestQuestion, sortNames } from './book-search.ts';
import styles from './search-form.module.css';

const typingPauseMs = 200;

type SearchFormProps = { search: BookSearch; onSearch: (search: BookSearch) => void };

export const SearchForm = ({ search, onSearch }: SearchFormProps) => {
  const [words, setWords] = useState({ typed: search.q, asked: search.q });

  // The address changed by another hand, such as Back or the brand: the field follows it.
  if (words.asked !== search.q) setWords({ typed: search.q, asked: search.q });

  useEffect(() => {
    const q = words.typed.trim();
    if (q === search.q) return;
    const timer = setTimeout(() => {
      setWords({ typed: words.typed, asked: q });
      onSearch({ q, sort: search.sort });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [words.typed, search.q, search.sort, onSearch]);

  return (
    <search className={styles.form}>
      <label className={styles.words}>
        <span className={styles.label}>Search</span>
        <input
          type="search"
          value={words.typed}
          onChange={(event) => setWords({ ...words, typed: event.target.value })}
          maxLength={longestQuestion}
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
            if (isSortOrder(target.value)) onSearch({ q: words.typed, sort: target.value });
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
