import { createContext } from 'react';
import type { Filters } from '../../contract/paths.ts';

type OpenList = {
  filters: Filters;
  open: (id: string) => void;
  chosen: ReadonlySet<string>;
  toggle: (id: string, isRange: boolean) => void;
  /** From the open panel to the rows before and after; one is undefined at an end of the list. */
  steps: Readonly<Record<string, (() => void) | undefined>>;
};

export const ListContext = createContext<OpenList>({
  filters: {},
  open: () => undefined,
  chosen: new Set(),
  toggle: () => undefined,
  steps: {},
});

/** The panel's id for a record that is not saved yet. No record has it: ids have letters, digits, `-` and `_` alone. */
export const newId = '+';
