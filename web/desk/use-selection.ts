import { useState } from 'react';

export const idOf = (row: object): string => ('_id' in row ? String(row._id) : '');

/** The chosen rows of a list: `chosen` has their keys, `selected` the rows. One that is not listed any more is not selected. */
export const useSelection = <Row extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => string = idOf,
) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const choose = (some: readonly Row[]) => setChosen(new Set(some.map(keyOf)));
  return { chosen, selected: rows.filter((row) => chosen.has(keyOf(row))), toggle, choose };
};
