/** The filters of a list of the desk. They are part of the address, so that Back, a reload and a sign-in return to them. */
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { Filters } from '../api/calls.ts';
import { ApiProblem } from '../api/client.ts';
import { inPlace } from '../list/places.ts';

export const dayNames = ['from', 'to'] as const;

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
          // Other parameters of the address stay, such as the panel that is open.
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
