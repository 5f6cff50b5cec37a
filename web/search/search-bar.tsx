import { useEffect, useRef } from 'react';
import { sortOptions } from './book-search.ts';
import { Chips } from './chips.tsx';
import styles from './search-bar.module.css';
import { SearchField, type SearchFieldProps } from './search-field.tsx';
import { useSuggestions } from './suggestions.tsx';

/** The bar over the shelf: the search field, with suggestions; subjects and prices; and the order of the books. */
export const SearchBar = ({ search, onSearch }: SearchFieldProps) => {
  const order = useRef<HTMLSelectElement>(null);
  const orders = sortOptions(search.q);
  const choose = (name: string | undefined) => {
    const chosen = orders.find(({ sort }) => sort === name)?.sort ?? search.sort;
    if (chosen !== search.sort) onSearch({ ...search, sort: chosen }, 'entered');
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painted order may have been chosen before this code was there, and is looked at once.
  useEffect(() => choose(order.current?.value), []);

  return (
    <search className={styles.bar}>
      <SearchField search={search} onSearch={onSearch} suggestions={useSuggestions(search, onSearch)} />
      <div className={styles.filters}>
        <Chips search={search} />
        <select
          ref={order}
          aria-label="Sort by"
          id="sort"
          className={`pill ${styles.sort}`}
          // After a reload, Firefox would restore the earlier choice.
          autoComplete="off"
          value={search.sort}
          onChange={({ target }) => choose(target.value)}
        >
          {orders.map(({ sort, name }) => (
            <option key={sort} value={sort}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
};
