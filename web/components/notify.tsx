/** The notice about the last act, at the edge of the window. It stays when the view changes. */
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { retryTransient } from '../api/client.ts';
import { Button } from './button.tsx';
import styles from './notify.module.css';
import { pressedKey } from './pressed-key.ts';
import { focusHeading } from './screen-heading.tsx';
import { withReason } from './with-reason.ts';

type Notification = {
  text: ReactNode;
  /** Undoes the act. @returns what to say about it; without words the notice closes. */
  undo?: (() => Promise<ReactNode> | Promise<void>) | undefined;
  /**
   * Given if the act removes the focused element: Undo gets the focus, and Tab and Escape lead from it to this element, or to the heading
   * if it is null.
   */
  beside?: HTMLElement | null;
};

let shown: Notification | undefined;
/** The places for a notice on the page, the front one last: the frame's, and that of a dialog, which hides the frame's. */
const places: ((notification: Notification | undefined) => void)[] = [];

/** Shows a notice in place of the last one; undefined for none. */
export const notify = (notification: Notification | undefined): void => {
  const front = places.at(-1);
  shown = front && notification;
  for (const place of places) place(place === front ? shown : undefined);
};

/** The place of the notice, in a frame around all views and in a dialog. The status element exists before its text, which is then read out. */
export const Notices = () => {
  const [notice, setNotice] = useState<Notification>();
  const position = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const undoing = useMutation({
    mutationFn: async ({ undo }: Notification) => undo?.(),
    retry: retryTransient,
    onSuccess: (text, undone) => {
      if (document.activeElement === button.current) focusHeading();
      if (shown === undone) notify(text ? { text } : undefined);
    },
  });
  useLayoutEffect(() => {
    // A dialog that the address opens is shown before its frame.
    if (position.current?.closest('dialog')) places.push(setNotice);
    else places.unshift(setNotice);
    return () => {
      places.splice(places.indexOf(setNotice), 1);
      // When a dialog closes, the frame shows its notice.
      notify(shown);
    };
  }, []);
  useLayoutEffect(() => {
    if (notice?.beside !== undefined) button.current?.focus({ preventScroll: true });
  }, [notice]);

  const dismiss = () => {
    notify(undefined);
    if (notice?.beside?.isConnected) notice.beside.focus({ preventScroll: true });
    else focusHeading();
  };
  /** The button is at the end of the page, so Tab would leave the page: it goes on where the removed row was. */
  const leave = (event: KeyboardEvent) => {
    const key = pressedKey(event);
    if (key === 'Escape') dismiss();
    else if (key === 'Tab' && notice?.beside?.isConnected) {
      event.preventDefault();
      notice.beside.focus();
    }
  };
  const { text, undo } = notice ?? {};
  const isOfThis = undoing.variables === notice;
  return (
    <div ref={position} className={styles.position} role="status" data-no-print>
      {notice && (
        <div className={`raised cluster whole ${styles.notice}`}>
          <p className="clamp">
            {isOfThis && undoing.isError ? withReason('It was not taken back.', undoing.error) : text}
          </p>
          {undo && (
            <Button
              variant="subtle"
              ref={button}
              isBusy={isOfThis && undoing.isPending}
              onKeyDown={leave}
              onClick={() => undoing.mutate(notice)}
            >
              Undo
            </Button>
          )}
          {/* Only pointers need this button beside Undo: the keyboard has Escape. */}
          <Button variant="subtle" aria-label="Dismiss" tabIndex={undo && -1} onClick={dismiss}>
            ×
          </Button>
        </div>
      )}
    </div>
  );
};
