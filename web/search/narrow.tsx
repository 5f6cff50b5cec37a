import { useEffect, useRef } from 'react';
import { sortsOf } from '../../contract/book-search.ts';
import { sortNames, useBookSearch } from './book-search.ts';
import { Chips } from './chips.tsx';
import styles from './narrow.module.css';

/** One line over a list of books: the order, and subjects and prices. */
export const Narrow = () => {
  const { search, changeSearch } = useBookSearch();
  const order = useRef<HTMLSelectElement>(null);
  const orders = sortsOf(search.q);
  const choose = (name: string | undefined) => {
    const chosen = orders.find((sort) => sort === name) ?? search.sort;
    changeSearch({ ...search, sort: chosen });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painted order may have been chosen before this code was there, and is looked at once.
  useEffect(() => choose(order.current?.value), []);

  return (
    <div className={`rows cluster whole tight ${styles.line}`} data-no-print>
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
        {orders.map((sort) => (
          <option key={sort} value={sort}>
            {sortNames[sort]}
          </option>
        ))}
      </select>
      <Chips search={search} />
    </div>
  );
};
