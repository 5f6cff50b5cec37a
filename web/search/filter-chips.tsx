import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { type BookFilters, suggestionsQuery } from '../../api/queries.ts';
import styles from './search-tools.module.css';
import { type SearchToolsProps, SuggestionList } from './suggestion-list.tsx';

/** In dollars, as the address has them. */
const priceRanges: readonly { name: string; minPrice?: string; maxPrice?: string }[] = [
  { name: 'Under $10', maxPrice: '9.99' },
  { name: '$10 to $20', minPrice: '10', maxPrice: '20' },
  { name: 'Over $20', minPrice: '20.01' },
];
const letters = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The tools of a search besides its field and its order: suggestions, subjects, prices, and letters of titles. */
export const SearchTools = ({ search, typed, field, onSearch }: SearchToolsProps) => {
  const { filters } = search;
  const { data } = useQuery(suggestionsQuery(''));
  const change = (changes: { [Name in keyof BookFilters]: string | undefined }) => {
    const changed = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== undefined);
    onSearch({ ...search, filters: Object.fromEntries(changed) }, 'chosen');
  };
  const listed = data?.subjects ?? [];
  const isListed = listed.some((subject) => isSame(subject, filters.subject));
  const subjects = filters.subject && !isListed ? [filters.subject, ...listed] : listed;
  const isOwnRange =
    (filters.minPrice ?? filters.maxPrice) && !priceRanges.some((range) => hasRange(filters, range));
  return (
    <>
      <SuggestionList search={search} typed={typed} field={field} onSearch={onSearch} />
      <Toolbar className={styles.chips} label="Subjects and prices">
        {subjects.map((subject) => {
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
        })}
        {isOwnRange && (
          <Chip isChosen onChoose={() => change({ minPrice: undefined, maxPrice: undefined })}>
            {`$${filters.minPrice ?? 0} to ${filters.maxPrice ? `$${filters.maxPrice}` : 'any price'}`}
          </Chip>
        )}
        {priceRanges.map((range) => {
          const { name, minPrice, maxPrice } = range;
          const isChosen = hasRange(filters, range);
          const chosen = isChosen ? { minPrice: undefined, maxPrice: undefined } : { minPrice, maxPrice };
          return (
            <Chip key={name} isChosen={isChosen} onChoose={() => change(chosen)}>
              {name}
            </Chip>
          );
        })}
      </Toolbar>
      {search.sort === 'title' && (
        <Toolbar className={styles.letters} label="Titles from a letter on">
          {letters.map((letter) => {
            const from = letter === '#' ? undefined : letter.toLowerCase();
            return (
              <Chip key={letter} isChosen={filters.from === from} onChoose={() => change({ from })}>
                {letter}
              </Chip>
            );
          })}
        </Toolbar>
      )}
    </>
  );
};

type ToolbarProps = { className: string | undefined; label: string; children: ReactNode };

/** By the toolbar pattern of WAI-ARIA it is one stop of the Tab key, and arrow keys go from one button to the next. */
const Toolbar = ({ className, label, children }: ToolbarProps) => {
  const bar = useRef<HTMLDivElement>(null);
  const buttons = () => [...(bar.current?.querySelectorAll('button') ?? [])];
  const makeStop = (stop: Element | undefined) => {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
  };
  useEffect(() => {
    if (!buttons().some(({ tabIndex }) => tabIndex === 0)) makeStop(buttons()[0]);
  });
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      className={className}
      onFocus={({ target }) => makeStop(target)}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const all = buttons();
        event.preventDefault();
        all.at((all.findIndex((button) => button === document.activeElement) + step) % all.length)?.focus();
      }}
    >
      {children}
    </div>
  );
};

type ChipProps = { isChosen: boolean; onChoose: () => void; children: string };

const Chip = ({ isChosen, onChoose, children }: ChipProps) => (
  <button type="button" tabIndex={-1} aria-pressed={isChosen} onClick={onChoose} dir="auto">
    {children}
  </button>
);

const isSame = (one: string, other = ''): boolean =>
  one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0;

const hasRange = (filters: BookFilters, { minPrice, maxPrice }: (typeof priceRanges)[number]): boolean =>
  filters.minPrice === minPrice && filters.maxPrice === maxPrice;
