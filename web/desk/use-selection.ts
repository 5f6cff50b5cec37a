import { useCallback, useRef, useState } from 'react';

/**
 * The chosen items of a list: `chosen` has their ids, `selected` the items. One that is not listed any more is not selected. With Shift,
 * `toggle` chooses all from the one that was toggled last, or takes them all out.
 */
export const useSelection = <Item extends { _id: string }>(items: readonly Item[]) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const lastId = useRef<string>(undefined);
  const listed = useRef(items);
  listed.current = items;
  const toggle = useCallback((id: string, isRange = false) => {
    const ids = listed.current.map(({ _id }) => _id);
    const from = isRange && lastId.current !== undefined ? ids.indexOf(lastId.current) : -1;
    const to = ids.indexOf(id);
    const range = from === -1 || to === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    lastId.current = id;
    setChosen((before) => {
      const next = new Set(before);
      for (const one of range) {
        if (before.has(id)) next.delete(one);
        else next.add(one);
      }
      return next;
    });
  }, []);
  const choose = (some: readonly Item[]) => setChosen(new Set(some.map(({ _id }) => _id)));
  return { chosen, selected: items.filter(({ _id }) => chosen.has(_id)), toggle, choose };
};
