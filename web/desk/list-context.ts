import { createContext, use } from 'react';
import type { Filters } from '../../contract/paths.ts';

type OpenList = {
  filters: Filters;
  open: (id: string) => void;
  chosen: ReadonlySet<string>;
  toggle: (id: string, isRange: boolean) => void;
};

export const ListContext = createContext<OpenList>({
  filters: {},
  open: () => undefined,
  chosen: new Set(),
  toggle: () => undefined,
});

export const useOpenList = (): OpenList => use(ListContext);

/** The steps from the open panel to the rows before and after; one is undefined at an end of the list. */
export const PanelSteps = createContext<Readonly<Record<string, (() => void) | undefined>>>({});

/** The panel's id for a record that is not saved yet. No record has it: ids have letters, digits, `-` and `_` alone. */
export const newId = '+';
