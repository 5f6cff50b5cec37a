import { useRef, useState } from 'react';

export const idOf = (row: object): string => ('_id' in row ? String(row._id) : '');

/**
 * The chosen rows of a list: `chosen` has their keys, `selected` the rows. One that is not listed any more is not selected. With
 * Shift, `toggle` chooses all from the one that was toggled last, or takes them all out.
 */
export const useSelection = <Row extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => string = idOf,
) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const toggle = (key: string, isRange = false) => {
    const keys = rows.map(keyOf);
    const ends = isRange ? [keys.indexOf(last.current ?? ''), keys.indexOf(key)] : [-1];
    const range = ends.includes(-1) ? [key] : keys.slice(Math.min(...ends), Math.max(...ends) + 1);
    last.current = key;
    setChosen((before) => {
      const next = new Set(before);
      for (const one of range) {
        if (before.has(key)) next.delete(one);
        else next.add(one);
      }
      return next;
    });
  };
  const choose = (some: readonly Row[]) => setChosen(new Set(some.map(keyOf)));
  return { chosen, selected: rows.filter((row) => chosen.has(keyOf(row))), toggle, choose };
};
