import { useState } from 'react';
import { idOf } from '../components/responsive-table.tsx';

/** The chosen rows of a list: `chosen` has their ids, `selected` the rows. One that is not listed any more is not selected. */
export const useSelection = <Row extends object>(rows: readonly Row[]) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const choose = (some: readonly Row[]) => setChosen(new Set(some.map(idOf)));
  return { chosen, selected: rows.filter((row) => chosen.has(idOf(row))), toggle, choose };
};
