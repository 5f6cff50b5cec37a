/** The fields that restrict a list of the desk. */

import { type ReactNode, useEffect, useId, useState } from 'react';
import type { Filters } from '../api/calls.ts';
import { Button } from '../components/button.tsx';
import { pressedKey } from '../components/pressed-key.ts';
import styles from './filters.module.css';
import { dayNames, wrongDay } from './use-filters.ts';

const typingPauseMs = 300;
const dayFilters = { from: 'From day', to: 'To day' } as const;
/** A view has one bar of filters. */
const problemId = 'wrong-day';

type FilterBarProps = {
  label: string;
  /** The filter that is always there. */
  main: ReactNode;
  /** The other controls of the restricted list: more filters, its export. */
  children?: ReactNode;
  /** The values of the filters among the children. */
  values?: readonly string[];
  /** The error of the query: a wrong day is told here, also while its field is folded away. */
  error?: Error | null;
};

/** The fields that restrict a list, in one line where there is room. On a phone all but one are behind a button that counts them. */
export const FilterBar = ({ label, main, children, values = [], error }: FilterBarProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const moreId = useId();
  const wrong = wrongDay(error);
  const setCount = values.filter((value) => value !== '').length;
  return (
    <search aria-label={label} className={styles.bar}>
      {main}
      {children && (
        <>
          <div className={styles.toggle}>
            <Button aria-expanded={isOpen} aria-controls={moreId} onClick={() => setIsOpen(!isOpen)}>
              Filters{setCount > 0 && ` (${setCount})`}
            </Button>
          </div>
          <div id={moreId} className={styles.more} data-is-open={isOpen}>
            {children}
          </div>
        </>
      )}
      {wrong && (
        <p id={problemId} className={`problem ${styles.problem}`} role="alert">
          {dayFilters[wrong.name]}: {wrong.message}
        </p>
      )}
    </search>
  );
};

type FilterProps = { label: string; value: string; onChange: (value: string) => void };
type TextFilterProps = FilterProps & { placeholder: string; maxLength?: number | undefined };

/** A filter that is typed: the list follows when the typing pauses, and at once for Enter and Escape. */
export const TextFilter = ({ label, value, onChange, placeholder, maxLength = 200 }: TextFilterProps) => {
  const [text, setText] = useState({ typed: value, applied: value });
  // Something else changed the address: the field takes the new value.
  if (text.applied !== value) setText({ typed: value, applied: value });

  const apply = (typed: string) => {
    setText({ typed, applied: typed.trim() });
    onChange(typed.trim());
  };
  useEffect(() => {
    if (text.typed.trim() === value) return;
    const timer = setTimeout(() => apply(text.typed), typingPauseMs);
    return () => clearTimeout(timer);
  });

  return (
    <label className={styles.text}>
      <span>{label}</span>
      <input
        type="search"
        value={text.typed}
        maxLength={maxLength}
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target }) => setText({ ...text, typed: target.value })}
        onKeyDown={(event) => {
          const key = pressedKey(event);
          if (key === 'Enter') apply(text.typed);
          if (key !== 'Escape' || !text.typed) return;
          event.preventDefault();
          apply('');
        }}
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
      <label key={name} className={styles.day}>
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
