/** The one notice about the last act, at the edge of the window: it stays when the view changes. */
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
  /** Takes the act back. @returns what to say about it; without words the notice goes. */
  undo?: (() => Promise<ReactNode> | Promise<void>) | undefined;
  /** The message for an act that was not taken back. */
  problemOf?: (error: Error) => string;
  /**
   * Given when the element with the focus has gone: Undo takes the focus, and Tab and Escape lead from it to this element, or to the
   * heading for null.
   */
  beside?: HTMLElement | null;
};

let shown: Notification | undefined;
/** The places on the page, the front one last: that of the frame, and that of a dialog, which hides the frame's. */
const places: ((notification: Notification | undefined) => void)[] = [];

/** Shows a notice in place of the last one; undefined for none. */
export const notify = (notification: Notification | undefined): void => {
  const front = places.at(-1);
  shown = front && notification;
  for (const place of places) place(place === front ? shown : undefined);
};

/** The place of the notice: in a frame, around all of its views, and in a dialog. The status is there before its text. */
export const Notices = () => {
  const [notice, setNotice] = useState<Notification>();
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
    places.push(setNotice);
    return () => {
      places.splice(places.indexOf(setNotice), 1);
      // A dialog that closes leaves its notice to the frame.
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
  /** The button is at the end of the page: Tab goes on where the row was that is gone. */
  const leave = (event: KeyboardEvent) => {
    const key = pressedKey(event);
    if (key === 'Escape') dismiss();
    else if (key === 'Tab' && notice?.beside?.isConnected) {
      event.preventDefault();
      notice.beside.focus();
    }
  };
  const { text, undo, problemOf = notTakenBack } = notice ?? {};
  const isOfThis = undoing.variables === notice;
  return (
    <div className={styles.position} role="status" data-no-print>
      {notice && (
        <div className={styles.notice}>
          <p className="clamp">{isOfThis && undoing.isError ? problemOf(undoing.error) : text}</p>
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
          {/* Beside Undo it is for pointers: the keyboard has Escape. */}
          <Button variant="subtle" aria-label="Dismiss" tabIndex={undo && -1} onClick={dismiss}>
            ×
          </Button>
        </div>
      )}
    </div>
  );
};

const notTakenBack = (error: Error) => withReason('It was not taken back.', error);
