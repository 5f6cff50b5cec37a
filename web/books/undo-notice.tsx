import type { KeyboardEventHandler, ReactNode, Ref } from 'react';
import { Button } from '../components/button.tsx';
import styles from '../components/notify.module.css';

type UndoNoticeProps = {
  /** A text about the deed. Without it there is nothing to undo. */
  children: ReactNode;
  onUndo?: (() => void) | undefined;
  undoName?: string;
  isBusy?: boolean;
  undoButton?: Ref<HTMLButtonElement>;
  /** The handler of the button. */
  onKeyDown?: KeyboardEventHandler;
  onDismiss?: () => void;
};

/** A notice at the lower edge of the window about the last deed, with a button that undoes it. The status is there before its text. */
export const UndoNotice = ({
  children,
  onUndo,
  undoName = 'Undo',
  isBusy = false,
  undoButton,
  onKeyDown,
  onDismiss,
}: UndoNoticeProps) => (
  <div className={styles.position} role="status">
    {children && (
      <div className={styles.notice}>
        <p>{children}</p>
        {onUndo && (
          <Button variant="subtle" ref={undoButton} isBusy={isBusy} onKeyDown={onKeyDown} onClick={onUndo}>
            {undoName}
          </Button>
        )}
        {/* For pointers: the keyboard has Escape, and Tab leads back to the rows. */}
        {onDismiss && (
          <Button variant="subtle" aria-label="Dismiss" tabIndex={-1} onClick={onDismiss}>
            ×
          </Button>
        )}
      </div>
    )}
  </div>
);
