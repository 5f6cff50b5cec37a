import { useCallback, useState } from 'react';

/** The chosen orders of a list: `chosen` has their ids, `selected` the orders. One that is not listed any more is not selected. */
export const useSelection = <Order extends { _id: string }>(orders: readonly Order[]) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const choose = (some: readonly Order[]) => setChosen(new Set(some.map(({ _id }) => _id)));
  return { chosen, selected: orders.filter(({ _id }) => chosen.has(_id)), toggle, choose };
};
