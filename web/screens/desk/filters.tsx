/** What a list of the desk is restricted to. It is part of the address, so that Back, a reload and a sign-in return to it. */
import { type ReactNode, useCallback, useEffect, useId, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { ApiProblem } from '../../api/client.ts';
import type { Filters } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { inPlace } from '../../memory/places.ts';
import styles from './filters.module.css';

const typingPauseMs = 300;

const dayNames = ['from', 'to'] as const;
const dayFilters = { from: 'From day', to: 'To day' } as const;
/** A view has one bar of filters. */
const problemId = 'wrong-day';

/** @returns which day the store does not take, and why; undefined for any other error. */
export const wrongDay = (error: unknown) => {
  if (!(error instanceof ApiProblem)) return undefined;
  for (const { field, message } of error.errors) {
    const name = dayNames.find((one) => one === field);
    if (name) return { name, message };
  }
  return undefined;
};

/**
 * @param names of the parameters; an array that stays the same.
 * @returns `filters`, those in the address, empty where there is none; and `change`, which changes some of them.
 */
export const useFilters = <Name extends string>(names: readonly Name[]) => {
  const [parameters, setParameters] = useSearchParams();
  const filters = useMemo(
    () =>
      Object.fromEntries(names.map((name) => [name, parameters.get(name)?.trim() ?? ''])) as Record<
        Name,
        string
      >,
    [names, parameters],
  );
  const change = useCallback(
    (changes: Partial<Record<Name, string>>) =>
      setParameters(
        (current) => {
          // What else the address has stays, such as the panel that is open.
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries<string | undefined>(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true, state: inPlace },
      ),
    [setParameters],
  );
  return { filters, change };
};

/** @returns whether a list is restricted to anything. */
export const areSet = (filters: Filters): boolean => Object.values(filters).some((value) => value !== '');

type FilterBarProps = {
  label: string;
  /** The filter that is always there. */
  main: ReactNode;
  /** What else belongs to the list as it is restricted: more filters, its export. */
  children?: ReactNode;
  /** The values of the filters among the children. */
  values?: readonly string[];
  /** Of the query: a wrong day is told here, also while its field is folded away. */
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
        <p id={problemId} className={styles.problem} role="alert">
          {dayFilters[wrong.name]}: {wrong.message}
        </p>
      )}
    </search>
  );
};

type FilterProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/** A filter that is typed: the list follows when the typing pauses, and at once for Enter and Escape. */
export const TextFilter = ({
  label,
  value,
  onChange,
  placeholder,
  maxLength = 200,
}: FilterProps & { placeholder: string; maxLength?: number }) => {
  const [text, setText] = useState({ typed: value, applied: value });
  // Something else changed the address: the field takes the new value.
  if (text.applied !== value) setText({ typed: value, applied: value });

  const apply = useCallback(
    (typed: string) => {
      setText({ typed, applied: typed.trim() });
      onChange(typed.trim());
    },
    [onChange],
  );
  useEffect(() => {
    if (text.typed.trim() === value) return;
    const timer = setTimeout(() => apply(text.typed), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text.typed, value, apply]);

  return (
    <label className={`${styles.filter} ${styles.text}`}>
      <span className={styles.label}>{label}</span>
      <input
        type="search"
        value={text.typed}
        maxLength={maxLength}
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target }) => setText({ ...text, typed: target.value })}
        onKeyDown={(event) => {
          // While an input method composes a word, both keys are the input method's.
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') apply(text.typed);
          if (event.key !== 'Escape' || !text.typed) return;
          event.preventDefault();
          apply('');
        }}
      />
    </label>
  );
};

/** A filter that is chosen from a list. */
export const ChoiceFilter = ({
  label,
  value,
  onChange,
  choices,
}: FilterProps & { choices: Readonly<Record<string, string>> }) => (
  <label className={styles.filter}>
    <span className={styles.label}>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      {Object.entries(choices).map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** The first and the last day of a range. Either may be empty. */
export const DayFilters = ({
  filters,
  change,
  error,
}: {
  filters: { from: string; to: string };
  change: (changes: { from?: string; to?: string }) => void;
  /** Of the query. */
  error: Error | null;
}) => (
  <>
    {dayNames.map((name) => (
      <label key={name} className={`${styles.filter} ${styles.day}`}>
        <span className={styles.label}>{dayFilters[name]}</span>
        <input
          type="date"
          value={filters[name]}
          {...(wrongDay(error)?.name === name && { 'aria-invalid': true, 'aria-describedby': problemId })}
          // A day that is half typed is empty, and no other day.
          onChange={({ target }) => change({ [name]: target.value })}
        />
      </label>
    ))}
  </>
);
