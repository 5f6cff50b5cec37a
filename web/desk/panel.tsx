import { type ReactNode, use, useId, useLayoutEffect, useRef } from 'react';
import { confirmLoss } from '../books/drafts.ts';
import { Button } from '../components/button.tsx';
import { Notices } from '../components/notify.tsx';
import { focusHeading } from '../components/screen-heading.tsx';
import { ListContext } from './columns.tsx';
import styles from './panel.module.css';

type PanelProps = {
  heading: string;
  /** `middle`: a small dialog in the middle of the window; `wide`: as wide as a screen of the shop. */
  shape?: 'middle' | 'wide';
  /** Asks the person before typed text is lost. @returns true if the panel may close. By default it looks at the fields. */
  mayClose?: () => boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The step by which the next panel is opened: its button there gets the focus. */
let taken = '';

/**
 * A dialog at the side of the window; in a small window it fills all of it. When it closes, the focus returns to where it was. In a list of
 * the desk it leads to the rows before and after.
 */
export const Panel = ({ heading, shape, mayClose, onClose, children }: PanelProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const { steps = {} } = use(ListContext);
  const leave = (to: () => void, step = '') => {
    if (!(mayClose?.() ?? (!hasTyped(dialog.current) || confirmLoss()))) return;
    taken = step;
    to();
  };
  const headingId = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    if (taken) current?.querySelector<HTMLElement>(`[aria-label="${taken}"]`)?.focus();
    taken = '';
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
      className={`${styles.panel} ${shape ? styles[shape] : ''}`}
      aria-labelledby={headingId}
      onCancel={(event) => {
        // A file input inside the dialog fires this event too, when no file was picked.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave(onClose);
      }}
      // In development React mounts the dialog twice, and this event of the first mount comes when the dialog is open again.
      onClose={() => !dialog.current?.open && onClose()}
    >
      <div>
        <Notices />
        <div className={`stack ${styles.content}`}>
          <h2 id={headingId}>{heading}</h2>
          {children}
          {/* The buttons come after the content: a dialog gives the focus to its first field. */}
          <div className={styles.head}>
            {Object.entries(steps).map(([name, step]) => (
              <Button
                key={name}
                variant="subtle"
                aria-label={name}
                isBusy={!step}
                onClick={() => step && leave(step, name)}
              >
                {name === 'Next' ? '›' : '‹'}
              </Button>
            ))}
            <Button variant="subtle" aria-label="Close" onClick={() => leave(onClose)}>
              ×
            </Button>
          </div>
        </div>
      </div>
    </dialog>
  );
};

/** @returns whether a field has another text than it began with. React gives a field whose text is a state the same default text. */
const hasTyped = (dialog: HTMLDialogElement | null): boolean =>
  [...(dialog?.querySelectorAll<HTMLInputElement>(':read-write') ?? [])].some(
    ({ value, defaultValue }) => value !== defaultValue,
  );
