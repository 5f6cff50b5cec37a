import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { counted } from '../../../contract/counted.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { Button } from '../../components/button.tsx';
import type { useMarkOrders } from './mark-orders.tsx';
import styles from './orders.module.css';
import type { useSelection } from './use-selection.ts';

type SelectionBarProps = {
  orders: readonly DeskOrder[];
  selection: ReturnType<typeof useSelection<DeskOrder>>;
  marking: Pick<ReturnType<typeof useMarkOrders>, 'mark' | 'isMarking'>;
  /** `orders` are all that there are. */
  isComplete: boolean;
};

/** Selects all orders of the list, and marks those that are selected. */
export const SelectionBar = ({ orders, selection, marking, isComplete }: SelectionBarProps) => {
  const { selected, choose } = selection;
  const { mark, isMarking } = marking;
  const selectAll = useRef<HTMLInputElement>(null);
  const markSelected = (isSent: boolean) => {
    const onMarked = () => {
      flushSync(() => choose([]));
      // The button is gone with the selection.
      if (document.activeElement === document.body) selectAll.current?.focus();
    };
    mark(selected, isSent, { onMarked });
  };
  return (
    <div className={styles.selection}>
      <label className={styles.selectAll}>
        <input
          type="checkbox"
          checked={selected.length === orders.length}
          ref={(box) => {
            selectAll.current = box;
            if (box) box.indeterminate = selected.length > 0 && selected.length < orders.length;
          }}
          onChange={({ target }) => choose(target.checked ? orders : [])}
        />
        {selected.length > 0
          ? `${counted(selected.length, 'order')} selected`
          : `Select all ${orders.length.toLocaleString('en')}${isComplete ? '' : ' listed'}`}
      </label>
      {selected.length > 0 && (
        <div className={styles.marks}>
          {selected.some(({ state }) => state === 'new') && (
            <Button variant="primary" isBusy={isMarking} onClick={() => markSelected(true)}>
              Mark as sent
            </Button>
          )}
          {selected.some(({ state }) => state === 'sent') && (
            <Button isBusy={isMarking} onClick={() => markSelected(false)}>
              Mark as new
            </Button>
          )}
        </div>
      )}
    </div>
  );
};
