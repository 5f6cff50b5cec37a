import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Front } from '../../contract/shop-front.ts';
import { type BookFilters, type BookSearch, frontQuery } from '../api/catalogue.ts';
import { optionalCode } from '../components/optional-code.ts';
import { inPlace } from '../list/places.ts';
import { observeSize } from '../memory/platform.ts';
import { addressOf } from './book-search.ts';
import styles from './filter-chips.module.css';

type FilterProps = { search: BookSearch };

/** In dollars, as the address has them. */
const priceRanges: readonly { name: string; minPrice?: string; maxPrice?: string }[] = [
  { name: 'Under $10', maxPrice: '9.99' },
  { name: '$10 to $20', minPrice: '10', maxPrice: '20' },
  { name: 'Over $20', minPrice: '20.01' },
];
/** They stand before the prices; the others after them. */
const firstSubjects = 3;

/** Links that narrow a list to a subject and to prices that the shop has. */
export const FilterChips = ({ search }: FilterProps) => {
  const { filters } = search;
  const { data: front } = useQuery({ ...frontQuery, enabled: false });
  const hrefWith = useHrefWith(search);
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
      <Chip key={subject} isChosen={isChosen} href={hrefWith({ subject: isChosen ? undefined : subject })}>
        {subject}
      </Chip>
    );
  });
  return (
    <Toolbar className={styles.chips} label="Subjects and prices" hasLines>
      <Chip isChosen={!filters.subject && !isPriced} href={hrefWith({ subject: undefined, ...noPrices })}>
        All
      </Chip>
      {subjectChips.slice(0, firstSubjects)}
      {isOwnRange && (
        <Chip isChosen href={hrefWith(noPrices)}>
          {`$${filters.minPrice ?? 0} to ${filters.maxPrice ? `$${filters.maxPrice}` : 'any price'}`}
        </Chip>
      )}
      {ranges.map((range) => {
        const { name, minPrice, maxPrice } = range;
        const isChosen = hasRange(filters, range);
        return (
          <Chip key={name} isChosen={isChosen} href={hrefWith(isChosen ? noPrices : { minPrice, maxPrice })}>
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
export const LetterRail = ({ search }: FilterProps) => {
  const { from: chosen } = search.filters;
  const hrefWith = useHrefWith(search);
  return (
    <Toolbar className={styles.letters} label="Titles from a letter on" shown={chosen}>
      {letters.map((letter) => {
        const from = letter === '#' ? undefined : letter.toLowerCase();
        return (
          <Chip key={letter} isChosen={chosen === from} href={hrefWith({ from })}>
            {letter}
          </Chip>
        );
      })}
    </Toolbar>
  );
};

/** @returns a function that gives the address of the search with other filters. */
const useHrefWith = (search: BookSearch) => {
  const [path] = useLocation();
  return (changes: { [Name in keyof BookFilters]: string | undefined }): string => {
    const changed = Object.entries({ ...search.filters, ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    return addressOf(path, { ...search, filters: Object.fromEntries(changed) });
  };
};

type ToolbarProps = {
  className: string | undefined;
  label: string;
  /** Where they have no room in one line, a button shows the others. */
  hasLines?: boolean;
  /** The choice: when it changes, its link is scrolled to. */
  shown?: string | undefined;
  children: ReactNode;
};

/** By the toolbar pattern of WAI-ARIA it is one stop of the Tab key, and arrow keys go from one link to the next. */
const Toolbar = ({ className, label, hasLines = false, shown, children }: ToolbarProps) => {
  const bar = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const hasMore = useHasMoreLines(bar, hasLines);
  useEffect(() => {
    // The focus came before the script.
    if (bar.current?.contains(document.activeElement)) void loadKeys(bar.current);
  }, []);
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>('[aria-current]');
    // The page stays where it is.
    if (link && shown) bar.current?.scrollTo({ left: link.offsetLeft - bar.current.clientWidth / 2 });
  }, [shown]);
  return (
    <>
      <div
        ref={bar}
        role="toolbar"
        aria-label={label}
        className={className}
        data-is-open={isOpen || undefined}
        onFocus={({ target, currentTarget }) => {
          void loadKeys(currentTarget);
          if (target.offsetTop > 0) setIsOpen(true);
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

const loadKeys = async (bar: HTMLElement) => {
  const keys = await optionalCode(() => import('../components/arrow-keys.ts'));
  keys?.addArrowKeys(bar);
};

/** @returns whether the links take more than one line. */
const useHasMoreLines = (bar: RefObject<HTMLElement | null>, isWatched: boolean): boolean => {
  const [hasMore, setHasMore] = useState(false);
  const [measure] = useState(
    () => () =>
      setHasMore([...(bar.current?.querySelectorAll('a') ?? [])].some(({ offsetTop }) => offsetTop > 0)),
  );
  useLayoutEffect(() => {
    if (isWatched) measure();
  });
  useEffect(() => {
    if (!bar.current || !isWatched) return;
    return observeSize(bar.current, measure);
  }, [bar, isWatched, measure]);
  return hasMore;
};

type ChipProps = { isChosen: boolean; href: string; children: string };

const Chip = ({ isChosen, href, children }: ChipProps) => (
  <Link href={href} state={inPlace} aria-current={isChosen || undefined} dir="auto">
    {children}
  </Link>
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
