/** The fields that restrict a list of the desk. */
import type { ReactNode } from 'react';
import type { Filters } from '../api/calls.ts';
import { useTyped } from '../components/use-typed.ts';
import styles from './filters.module.css';
import { dayNames, wrongDay } from './use-filters.ts';

const typingPauseMs = 300;
const dayFilters = { from: 'From day', to: 'To day' } as const;
/** A view has one bar of filters. */
const problemId = 'wrong-day';

/** `error` of the query: a wrong day is told here. */
type FilterBarProps = { label: string; error: Error | null; children: ReactNode };

/** The controls that restrict a list, in one line where there is room. */
export const FilterBar = ({ label, error, children }: FilterBarProps) => {
  const wrong = wrongDay(error);
  return (
    <search aria-label={label} className={`cluster ${styles.bar}`}>
      {children}
      {wrong && (
        <p id={problemId} className="problem" role="alert">
          {dayFilters[wrong.name]}: {wrong.message}
        </p>
      )}
    </search>
  );
};

type FilterProps = { label: string; value: string; onChange: (value: string) => void };
type TextFilterProps = FilterProps & { placeholder: string; maxLength?: number | undefined };

/** A filter that is typed: the list follows when the typing pauses. */
export const TextFilter = ({ label, value, onChange, placeholder, maxLength = 200 }: TextFilterProps) => {
  const { text, type } = useTyped(value, onChange, typingPauseMs);
  return (
    <label className={styles.text}>
      <span>{label}</span>
      <input
        type="search"
        value={text}
        maxLength={maxLength}
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target }) => type(target.value)}
      />
    </label>
  );
};

type ChoiceFilterProps = FilterProps & { choices: Readonly<Record<string, string>> };

/** A filter that is chosen from a list. */
export const ChoiceFilter = ({ label, value, onChange, choices }: ChoiceFilterProps) => (
  <label>
    <span>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      {Object.entries(choices).map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

type DayFiltersProps = { filters: Filters; change: (changes: Filters) => void; error: Error | null };

/** The first and the last day of a range. Either may be empty. @param error of the query. */
export const DayFilters = ({ filters, change, error }: DayFiltersProps) => (
  <>
    {dayNames.map((name) => (
      <label key={name}>
        <span>{dayFilters[name]}</span>
        <input
          type="date"
          value={filters[name] ?? ''}
          {...(wrongDay(error)?.name === name && { 'aria-invalid': true, 'aria-describedby': problemId })}
          // A day that is half typed is empty, and no other day.
          onChange={({ target }) => change({ [name]: target.value })}
        />
      </label>
    ))}
  </>
);
