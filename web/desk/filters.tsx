/** The filters and the open panel of a list on the desk. The address has them, so that Back, a reload and a sign-in return to them. */

import { type ChangeEvent, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { inPlace } from '../list/places.ts';
import { entryState } from '../memory/history.ts';
import styles from './filters.module.css';

/** The names of the choices, by their value in the address. */
export type Choices = Readonly<Record<string, string>>;

type Choice = {
  by: string;
  label: string;
  names?: (filters: Filters) => Choices;
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
    <search aria-label={label} className={`cluster tight ${styles.bar}`}>
      {search && <TypedFilter {...search} filters={filters} change={change} />}
      {choices.map(({ by, label, names = (): Choices => ({}), Options }) => (
        <label key={by} className="cluster whole tight">
          <span className="second">{label}</span>
          <select {...chosen(by)}>
            {Options && <Options chosen={filters[by] ?? ''} />}
            {Object.entries(names(filters)).map(([choice, name]) => (
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
                  <span className="second">{label}</span>
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
  const value = filters[by] ?? '';
  const [draft, setDraft] = useState({ text: value, over: value });
  // If something else has changed the filter, such as Back, the field shows the new value.
  if (draft.over !== value) setDraft({ text: value, over: value });
  const { text } = draft;
  useEffect(() => {
    const typed = text.trim();
    if (typed === value) return;
    const timer = setTimeout(() => {
      setDraft({ text, over: typed });
      change({ [by]: typed });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <label className={`cluster ${styles.text}`}>
      <span className="hidden">{label}</span>
      <input
        type="search"
        value={text}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target }) => setDraft({ text: target.value, over: value })}
        {...field}
      />
    </label>
  );
};

const inAddress = (): Filters => Object.fromEntries(new URLSearchParams(window.location.search));

/** Changes some parameters of the address; the other parameters, such as the open panel, stay. */
const useChange = () => {
  const [path, navigate] = useLocation();
  return (changes: Filters, options: { replace?: boolean; state: object }) =>
    navigate(withFilters(path, { ...inAddress(), ...changes }), options);
};

/** @returns `filters`, the parameters of these names, empty if missing; and `change`, which changes some of them. */
export const useFilters = (names: readonly string[]) => {
  const [parameters] = useSearchParams();
  const changeAddress = useChange();
  const filters: Filters = Object.fromEntries(
    names.map((name) => [name, parameters.get(name)?.trim() ?? '']),
  );
  const change = (changes: Filters) => changeAddress(changes, { replace: true, state: inPlace });
  return { filters, change };
};

/**
 * The open panel. @param name of the address's parameter. @returns `openId`, the id of what the panel shows, empty for none; `open`, `close`,
 * and `step`, which shows another record in the open panel.
 */
export const useOpenPanel = (name: string) => {
  const [parameters] = useSearchParams();
  const changeAddress = useChange();
  /** Opening marks the history entry, so that closing the panel goes back. */
  const open = (id: string) => changeAddress({ [name]: id }, { state: { ...inPlace, isPanel: true } });
  const step = (id: string) => changeAddress({ [name]: id }, { replace: true, state: entryState() });
  /** Closes the panel of this id, unless it shows another id by now: a response may come late. */
  const close = (id: string) => {
    if (inAddress()[name] !== id) return;
    if (entryState().isPanel) window.history.back();
    else changeAddress({ [name]: '' }, { replace: true, state: inPlace });
  };
  return { openId: parameters.get(name)?.trim() ?? '', open, step, close };
};
