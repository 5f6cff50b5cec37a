import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { confirmLoss } from '../books/drafts.ts';
import { Button } from '../components/button.tsx';
import { Notices } from '../components/notify.tsx';
import { focusHeading } from '../components/screen-heading.tsx';
import styles from './panel.module.css';

type PanelProps = {
  heading: string;
  /** Asks the person before typed text is lost. @returns true if the panel may close. By default it looks at the fields. */
  mayClose?: () => boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog at the side of the window; in a small window it fills all of it. When it closes, the focus returns to where it was. */
export const Panel = ({ heading, mayClose, onClose, children }: PanelProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const leave = () => {
    if (mayClose?.() ?? (!hasTyped(dialog.current) || confirmLoss())) onClose();
  };
  const headingId = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => {
      current?.close();
      // The row from which the panel was opened may be gone.
      const { activeElement } = document;
      if (activeElement === document.body || current?.contains(activeElement)) focusHeading();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.panel}
      aria-labelledby={headingId}
      onCancel={(event) => {
        // A file input inside the dialog fires this event too, when no file was picked.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
      // In development React mounts the dialog twice, and this event of the first mount comes when the dialog is open again.
      onClose={() => !dialog.current?.open && onClose()}
    >
      <div>
        <Notices />
        <div className={`stack ${styles.content}`}>
          <h2 id={headingId}>{heading}</h2>
          {children}
          {/* The button comes after the content: a dialog gives the focus to its first field. */}
          <div className={styles.close}>
            <Button variant="subtle" onClick={leave}>
              Close
            </Button>
          </div>
        </div>
      </div>
    </dialog>
  );
};

/** @returns whether a field has another text than it began with. React gives a field whose text is a state the same default text. */
const hasTyped = (dialog: HTMLDialogElement | null): boolean =>
  [...(dialog?.querySelectorAll<HTMLInputElement>('input, textarea') ?? [])].some(
    ({ value, defaultValue }) => value !== defaultValue,
  );
