import type { ChangeEvent, ComponentType, ReactNode } from 'react';
import type { Filters } from '../../contract/paths.ts';
import { useTyped } from '../components/use-typed.ts';
import styles from './filters.module.css';

/** The names of the choices, by their value in the address. */
export type Choices = Readonly<Record<string, string>>;
/** A property, or a function that computes it from the filters. */
export type ByFilters<Value> = Value | ((filters: Filters) => Value);

export const forFilters = <Value,>(part: ByFilters<Value>, filters: Filters): Value =>
  typeof part === 'function' ? (part as (filters: Filters) => Value)(filters) : part;

type Choice = {
  by: string;
  label: string;
  names?: ByFilters<Choices>;
  Options?: ComponentType<{ chosen: string }>;
};

export type FilterFields = {
  /** The filter that is typed; `by` is the name of its parameter, by default `q`. */
  search?: { by?: string; label?: string; placeholder: string; maxLength?: number } | undefined;
  /** `Options`: the options before `names`, where they have to be fetched. */
  choices?: readonly Choice[] | undefined;
  days?: boolean | undefined;
};

const typingPauseMs = 300;
const dayFilters = { from: 'From day', to: 'To day' };

/** @returns the names of the parameters that the fields change. */
export const namesOf = ({ search, choices = [], days }: FilterFields): string[] => [
  ...(search ? [search.by ?? 'q'] : []),
  ...choices.map(({ by }) => by),
  ...(days ? Object.keys(dayFilters) : []),
];

type FilterBarProps = FilterFields & {
  label: string;
  filters: Filters;
  change: (changes: Filters) => void;
  /** Shown in the menu, below the days. */
  children: ReactNode;
};

/** The filter fields of a list on the desk, in one line if there is room. A menu has the days and the exports, which are seldom needed. */
export const FilterBar = (props: FilterBarProps) => {
  const { label, filters, change, search, choices = [], days, children } = props;
  const { from = '', to = '' } = filters;
  const chosen = (by: string) => ({
    value: filters[by],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      change({ [by]: target.value }),
  });
  return (
    <search aria-label={label} className={`cluster ${styles.bar}`}>
      {search && <TypedFilter {...search} filters={filters} change={change} />}
      {choices.map(({ by, label, names = {}, Options }) => (
        <label key={by}>
          <span>{label}</span>
          <select {...chosen(by)}>
            {Options && <Options chosen={filters[by] ?? ''} />}
            {Object.entries(forFilters(names, filters)).map(([choice, name]) => (
              <option key={choice} value={choice}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      {(days || children) && (
        <details className="menu">
          <summary className="pill">{from || to ? `${from} – ${to}` : 'More'}</summary>
          <div className="raised stack">
            {days &&
              Object.entries(dayFilters).map(([by, label]) => (
                <label key={by}>
                  <span>{label}</span>
                  {/* A half-typed day is empty: the filter does not change to another day. */}
                  <input type="date" {...chosen(by)} />
                </label>
              ))}
            {children}
          </div>
        </details>
      )}
    </search>
  );
};

type TypedFilterProps = NonNullable<FilterFields['search']> & Pick<FilterBarProps, 'filters' | 'change'>;

/** The list updates when the typing pauses. */
const TypedFilter = ({ by = 'q', label = 'Search', filters, change, ...field }: TypedFilterProps) => {
  const { text, type } = useTyped(filters[by] ?? '', (typed) => change({ [by]: typed }), typingPauseMs);
  return (
    <label className={styles.text}>
      <span className="hidden">{label}</span>
      <input
        type="search"
        value={text}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target }) => type(target.value)}
        {...field}
      />
    </label>
  );
};
