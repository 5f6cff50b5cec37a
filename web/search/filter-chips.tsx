import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Front } from '../../contract/shop-front.ts';
import { type BookFilters, type BookSearch, frontQuery } from '../api/queries.ts';
import { useIsPainted } from '../components/use-is-painted.ts';
import type { SearchChange } from './book-search.ts';
import styles from './filter-chips.module.css';

type FilterProps = {
  search: BookSearch;
  onSearch: (search: BookSearch, change: SearchChange) => void;
};

/** In dollars, as the address has them. */
const priceRanges: readonly { name: string; minPrice?: string; maxPrice?: string }[] = [
  { name: 'Under $10', maxPrice: '9.99' },
  { name: '$10 to $20', minPrice: '10', maxPrice: '20' },
  { name: 'Over $20', minPrice: '20.01' },
];
/** They stand before the prices; the others after them. */
const firstSubjects = 3;

/** Buttons that narrow a list to a subject and to prices that the shop has. */
export const FilterChips = ({ search, onSearch }: FilterProps) => {
  const { filters } = search;
  const { data: front } = useQuery({ ...frontQuery, enabled: false });
  const change = changeFilters({ search, onSearch });
  const listed = front?.subjects ?? [];
  const isListed = listed.some((subject) => isSame(subject, filters.subject));
  const subjects = filters.subject && !isListed ? [filters.subject, ...listed] : listed;
  const ranges = rangesOf(front);
  const isPriced = filters.minPrice !== undefined || filters.maxPrice !== undefined;
  const isOwnRange = isPriced && !ranges.some((range) => hasRange(filters, range));
  const noPrices = { minPrice: undefined, maxPrice: undefined };
  if (subjects.length === 0 && ranges.length === 0 && !isPriced) return null;
  const subjectChips = subjects.map((subject) => {
    const isChosen = isSame(subject, filters.subject);
    return (
      <Chip
        key={subject}
        isChosen={isChosen}
        onChoose={() => change({ subject: isChosen ? undefined : subject })}
      >
        {subject}
      </Chip>
    );
  });
  return (
    <Toolbar className={styles.chips} label="Subjects and prices" hasLines>
      <Chip
        isChosen={!filters.subject && !isPriced}
        onChoose={() => change({ subject: undefined, ...noPrices })}
      >
        All
      </Chip>
      {subjectChips.slice(0, firstSubjects)}
      {isOwnRange && (
        <Chip isChosen onChoose={() => change(noPrices)}>
          {`$${filters.minPrice ?? 0} to ${filters.maxPrice ? `$${filters.maxPrice}` : 'any price'}`}
        </Chip>
      )}
      {ranges.map((range) => {
        const { name, minPrice, maxPrice } = range;
        const isChosen = hasRange(filters, range);
        return (
          <Chip
            key={name}
            isChosen={isChosen}
            onChoose={() => change(isChosen ? noPrices : { minPrice, maxPrice })}
          >
            {name}
          </Chip>
        );
      })}
      {subjectChips.slice(firstSubjects)}
    </Toolbar>
  );
};

const letters = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The letters from which on a list by title begins. */
export const LetterRail = ({ search, onSearch }: FilterProps) => {
  const { from: chosen } = search.filters;
  return (
    <Toolbar className={styles.letters} label="Titles from a letter on" shown={chosen}>
      {letters.map((letter) => {
        const from = letter === '#' ? undefined : letter.toLowerCase();
        return (
          <Chip
            key={letter}
            isChosen={chosen === from}
            onChoose={() => changeFilters({ search, onSearch })({ from })}
          >
            {letter}
          </Chip>
        );
      })}
    </Toolbar>
  );
};

const changeFilters =
  ({ search, onSearch }: FilterProps) =>
  (changes: { [Name in keyof BookFilters]: string | undefined }) => {
    const changed = Object.entries({ ...search.filters, ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    onSearch({ ...search, filters: Object.fromEntries(changed) }, 'chosen');
  };

type ToolbarProps = {
  className: string | undefined;
  label: string;
  /** Where they have no room in one line, a button shows the others. */
  hasLines?: boolean;
  /** The choice: when it changes, its button is scrolled to. */
  shown?: string | undefined;
  children: ReactNode;
};

/** By the toolbar pattern of WAI-ARIA it is one stop of the Tab key, and arrow keys go from one button to the next. */
const Toolbar = ({ className, label, hasLines = false, shown, children }: ToolbarProps) => {
  const bar = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const hasMore = useHasMoreLines(bar, hasLines);
  const buttons = () => [...(bar.current?.querySelectorAll('button') ?? [])];
  const makeStop = (stop: Element | undefined) => {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
  };
  useEffect(() => {
    if (!buttons().some(({ tabIndex }) => tabIndex === 0)) makeStop(buttons()[0]);
  });
  useEffect(() => {
    const button = bar.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    // The page stays where it is.
    if (button && shown) bar.current?.scrollTo({ left: button.offsetLeft - bar.current.clientWidth / 2 });
  }, [shown]);
  return (
    <>
      <div
        ref={bar}
        role="toolbar"
        aria-label={label}
        className={className}
        data-is-open={isOpen || undefined}
        onFocus={({ target }) => {
          makeStop(target);
          if (target.offsetTop > 0) setIsOpen(true);
        }}
        onKeyDown={(event) => {
          const all = buttons();
          const at = all.findIndex((button) => button === document.activeElement);
          const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          all.at(to % all.length)?.focus();
        }}
      >
        {children}
      </div>
      {hasLines && (
        <button
          type="button"
          className={styles.more}
          data-is-needed={hasMore || undefined}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Fewer' : 'More'}
        </button>
      )}
    </>
  );
};

/** @returns whether the buttons take more than one line. */
const useHasMoreLines = (bar: RefObject<HTMLElement | null>, isWatched: boolean): boolean => {
  const [hasMore, setHasMore] = useState(false);
  const [measure] = useState(
    () => () =>
      setHasMore([...(bar.current?.querySelectorAll('button') ?? [])].some(({ offsetTop }) => offsetTop > 0)),
  );
  useLayoutEffect(() => {
    if (isWatched) measure();
  });
  useEffect(() => {
    if (!bar.current || !isWatched) return;
    const observer = new ResizeObserver(measure);
    observer.observe(bar.current);
    return () => observer.disconnect();
  }, [bar, isWatched, measure]);
  return hasMore;
};

type ChipProps = { isChosen: boolean; onChoose: () => void; children: string };

const Chip = ({ isChosen, onChoose, children }: ChipProps) => (
  <button
    type="button"
    disabled={useIsPainted()}
    tabIndex={-1}
    aria-pressed={isChosen}
    onClick={onChoose}
    dir="auto"
  >
    {children}
  </button>
);

const isSame = (one: string, other = ''): boolean =>
  one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0;

const hasRange = (filters: BookFilters, { minPrice, maxPrice }: (typeof priceRanges)[number]): boolean =>
  filters.minPrice === minPrice && filters.maxPrice === maxPrice;

/** @returns the ranges in which the shop has prices; none if all books are in one. */
const rangesOf = (front: Front | undefined) => {
  const { lowest, highest } = front?.prices ?? { lowest: 0, highest: 0 };
  const ranges = priceRanges.filter(
    ({ minPrice = 0, maxPrice = Number.POSITIVE_INFINITY }) =>
      lowest <= Number(maxPrice) && highest >= Number(minPrice),
  );
  return ranges.length > 1 ? ranges : [];
};
