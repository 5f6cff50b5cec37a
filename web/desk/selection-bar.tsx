import type { ReactNode, Ref } from 'react';
import { counted } from '../../contract/counted.ts';
import { useOpenList } from './list-context.ts';
import styles from './selection.module.css';
import type { useSelection } from './use-selection.ts';

type SelectionBarProps<Item extends object> = {
  items: readonly Item[];
  /** The word for one item. */
  noun: string;
  selection: Pick<ReturnType<typeof useSelection<Item>>, 'selected' | 'choose'>;
  /** `items` are all that there are. */
  isComplete: boolean;
  selectAll?: Ref<HTMLInputElement>;
  /** The acts on those that are selected. */
  children: ReactNode;
};

/** Selects all items of the list, and has the actions for those that are selected. */
export const SelectionBar = <Item extends object>({
  items,
  noun,
  selection: { selected, choose },
  isComplete,
  selectAll,
  children,
}: SelectionBarProps<Item>) => (
  <div className={`cluster ends ${styles.selection}`} data-no-print>
    <label className="choice">
      <input
        type="checkbox"
        checked={selected.length === items.length}
        ref={(box) => {
          if (box) box.indeterminate = selected.length > 0 && selected.length < items.length;
          if (typeof selectAll === 'object' && selectAll) selectAll.current = box;
        }}
        onChange={({ target }) => choose(target.checked ? items : [])}
      />
      {selected.length > 0
        ? `${counted(selected.length, noun)} selected`
        : `Select all ${items.length.toLocaleString('en')}${isComplete ? '' : ' shown'}`}
    </label>
    {selected.length > 0 && <div className="cluster tight">{children}</div>}
  </div>
);

type SelectCellProps = {
  id: string;
  /** Names it for screen readers. */
  label: string;
  isChosen: boolean;
  onToggle: (id: string, isRange: boolean) => void;
};

/** The box at the beginning of a row. */
export const SelectCell = ({ id, label, isChosen, onToggle }: SelectCellProps) => (
  <label className={styles.select}>
    <input
      type="checkbox"
      checked={isChosen}
      // A change of a box is a click, with the mouse or a key.
      onChange={({ nativeEvent }) => onToggle(id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      aria-label={`Select: ${label}`}
    />
  </label>
);

/** The same of a list that is data. */
export const SelectRow = (row: Pick<SelectCellProps, 'id' | 'label'>) => {
  const { chosen, toggle } = useOpenList();
  return <SelectCell {...row} isChosen={chosen.has(row.id)} onToggle={toggle} />;
};
