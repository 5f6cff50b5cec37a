import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { type BookFilters, sortsOf } from '../../contract/book-search.ts';
import type { Front } from '../../contract/shop-front.ts';
import { frontQuery } from '../api/catalogue.ts';
import { money } from '../store-config.ts';
import { sortNames, useBookSearch } from './book-search.ts';
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
      <Chips />
    </div>
  );
};

/** Links, in one line, that narrow a list to a subject or a price range of the shop. A chosen link removes its filter. */
const Chips = () => {
  const { search, hrefOf } = useBookSearch();
  const { data: front } = useQuery({ ...frontQuery, enabled: false });
  const { subject, ...prices } = search.filters;
  const ranges = rangesOf(front);
  const listed = front?.subjects ?? [];
  const subjects = subject && !listed.some((one) => isSame(one, subject)) ? [subject, ...listed] : listed;
  if (subjects.length === 0 && ranges.length === 0) return null;
  const chip = (name: string, filters: BookFilters, isChosen: boolean) => (
    <Link
      key={name}
      className="pill"
      href={hrefOf({ ...search, filters })}
      aria-current={isChosen || undefined}
      dir="auto"
    >
      {name}
    </Link>
  );
  return (
    <nav className={`cluster whole tight ${styles.chips}`} aria-label="Subjects and prices">
      {chip('All', {}, Object.keys(search.filters).length === 0)}
      {subjects.map((name) => {
        const isChosen = isSame(name, subject);
        return chip(name, isChosen ? prices : { ...prices, subject: name }, isChosen);
      })}
      {ranges.map(({ name, ...range }) => {
        const isChosen = isRange(range, prices);
        return chip(name, { ...(subject && { subject }), ...(!isChosen && range) }, isChosen);
      })}
    </nav>
  );
};

const isSame = (one: string, other = ''): boolean =>
  one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0;

const isRange = (one: BookFilters, other: BookFilters): boolean =>
  one.minPrice === other.minPrice && one.maxPrice === other.maxPrice;

/** @returns the name of the chosen chip, with a subject as the shop spells it. */
export const headingOf = ({ subject, ...prices }: BookFilters, front: Front | undefined): string =>
  subject
    ? (front?.subjects.find((one) => isSame(one, subject)) ?? subject)
    : (rangesOf(front).find((range) => isRange(range, prices))?.name ?? 'All books');

/** @returns the price ranges in which the shop has books, with limits as the address has them; none if all books are in one range. */
const rangesOf = (front: Front | undefined) => {
  const { lowest, highest } = front?.prices ?? { lowest: 0, highest: 0 };
  const [ten, twenty] = [10, 20].map((amount) => money.format(amount).replace('.00', ''));
  const step = money.stepCents / 100;
  const ranges = [
    { name: `Under ${ten}`, maxPrice: money.write(10 - step) },
    { name: `${ten} to ${twenty}`, minPrice: '10', maxPrice: '20' },
    { name: `Over ${twenty}`, minPrice: money.write(20 + step) },
  ].filter(
    ({ minPrice = 0, maxPrice = Number.POSITIVE_INFINITY }) =>
      lowest <= Number(maxPrice) && highest >= Number(minPrice),
  );
  return ranges.length > 1 ? ranges : [];
};
