import { use, useRef, useState } from 'react';
import { counted } from '../../contract/counted.ts';
import { maxAtOnce } from '../../contract/desk/limits.ts';
import { idOf } from '../components/responsive-table.tsx';
import { ActButtons, type ActOnRows } from './acts.tsx';
import { ListContext } from './columns.tsx';
import styles from './desk.module.css';

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

type BarProps<Row> = {
  /** The word for one row. */
  one: string;
  rows: readonly Row[];
  selected: readonly Row[];
  choose: (some: readonly Row[]) => void;
  /** `rows` are all rows of the list. */
  isComplete: boolean;
  acts: readonly ActOnRows<Row>[];
};

export const SelectionBar = <Row,>({ one, rows, selected, choose, isComplete, acts }: BarProps<Row>) => (
  <div className={`cluster ends sticky ${styles.selection}`} data-no-print="">
    <label className="choice">
      <input
        type="checkbox"
        checked={selected.length === Math.min(rows.length, maxAtOnce)}
        ref={(box) => {
          if (box) box.indeterminate = selected.length > 0 && selected.length < rows.length;
        }}
        onChange={({ target }) => choose(target.checked ? rows : [])}
      />
      {selected.length > 0
        ? `${counted(selected.length, one)} selected`
        : `Select all ${rows.length.toLocaleString('en')}${isComplete ? '' : ' shown'}`}
    </label>
    <div className="cluster">
      <ActButtons acts={acts} rows={selected} onDone={() => choose([])} />
    </div>
  </div>
);

/** The checkbox at the start of a row. With Shift it does the same to the rows between. @param label names it for screen readers. */
export const SelectRow = ({ id, label }: { id: string; label: string }) => {
  const { chosen, toggle } = use(ListContext);
  return (
    <label className={`choice ${styles.select}`}>
      <input
        type="checkbox"
        checked={chosen?.has(id)}
        onChange={({ nativeEvent }) =>
          toggle?.(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        aria-label={`Select: ${label}`}
      />
    </label>
  );
};
