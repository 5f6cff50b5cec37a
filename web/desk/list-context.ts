import { createContext, use } from 'react';
import type { Filters } from '../../contract/paths.ts';

/** The parts of a view of the desk that its cells and actions use. */
type OpenList = {
  /** The filters in the address. */
  filters: Filters;
  /** Opens the panel of an id. */
  open: (id: string) => void;
  /** The ids of the rows that are selected. */
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
};

export const ListContext = createContext<OpenList>({
  filters: {},
  open: () => undefined,
  chosen: new Set(),
  toggle: () => undefined,
});

export const useOpenList = (): OpenList => use(ListContext);
