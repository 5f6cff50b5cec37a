import { useState } from 'react';
import { maxAtOnce } from '../../contract/desk/limits.ts';
import { idOf } from '../components/responsive-table.tsx';

/** The selected rows of a list, at most as many as an act takes: `chosen` has their ids, `selected` the rows that are still listed. */
export const useSelection = <Row extends object>(rows: readonly Row[]) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id) && next.size < maxAtOnce) next.add(id);
      return next;
    });
  const choose = (some: readonly Row[]) => setChosen(new Set(some.slice(0, maxAtOnce).map(idOf)));
  return { chosen, selected: rows.filter((row) => chosen.has(idOf(row))), toggle, choose };
};
