import type { ReactNode, Ref } from 'react';
import { Button } from '../../components/button.tsx';
import styles from '../admin/undo-notice.module.css';

type UndoNoticeProps = {
  /** What was done. Nothing: there is nothing to undo. */
  children: ReactNode;
  onUndo?: (() => void) | undefined;
  undoName?: string;
  isBusy?: boolean;
  undoButton?: Ref<HTMLButtonElement>;
};

/** What was just done, at the lower edge of the window, with a button that undoes it. The status is there before its text. */
export const UndoNotice = ({
  children,
  onUndo,
  undoName = 'Undo',
  isBusy = false,
  undoButton,
}: UndoNoticeProps) => (
  <div className={styles.position} role="status">
    {children && (
      <div className={styles.notice}>
        <p>{children}</p>
        {onUndo && (
          <Button variant="subtle" ref={undoButton} isBusy={isBusy} onClick={onUndo}>
            {undoName}
          </Button>
        )}
      </div>
    )}
  </div>
);
