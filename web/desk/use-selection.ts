import { useRef, useState } from 'react';
import { maxAtOnce } from '../../contract/desk/limits.ts';
import { idOf } from '../components/responsive-table.tsx';

/** The selected rows of a list, at most as many as an act takes: `chosen` has their ids, `selected` the rows that are still listed. */
export const useSelection = <Row extends object>(rows: readonly Row[]) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const lastId = useRef('');
  /** @param isRange true to do the same to all rows from the last one on. */
  const toggle = (id: string, isRange = false) => {
    const ids = rows.map(idOf);
    const from = isRange ? ids.indexOf(lastId.current) : -1;
    const [first = -1, last = -1] = [from, ids.indexOf(id)].sort((one, other) => one - other);
    const some = first < 0 ? [id] : ids.slice(first, last + 1);
    lastId.current = id;
    setChosen((before) => {
      if (before.has(id)) return new Set([...before].filter((one) => !some.includes(one)));
      return new Set([...before, ...some].slice(0, maxAtOnce));
    });
  };
  const choose = (some: readonly Row[]) => setChosen(new Set(some.slice(0, maxAtOnce).map(idOf)));
  return { chosen, selected: rows.filter((row) => chosen.has(idOf(row))), toggle, choose };
};
