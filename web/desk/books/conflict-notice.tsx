import { useLayoutEffect, useRef } from 'react';
import type { BookTexts } from '../../../contract/book-fields.ts';
import { differences } from '../../books/book-texts.ts';
import type { Conflict } from '../../books/use-typing.ts';
import styles from './conflict-notice.module.css';

type ConflictNoticeProps = { conflict: Conflict; typed: BookTexts };

/** The fields that somebody else has changed meanwhile. It takes the focus, because Save does something else than it would have done. */
export const ConflictNotice = ({ conflict: { before, now }, typed }: ConflictNoticeProps) => {
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} className={styles.conflict} role="alert" tabIndex={-1}>
      <p>Somebody else has changed this book meanwhile. What you typed is still here.</p>
      <ul>
        {differences(now, before).map(({ name, label }) => (
          <li key={name}>
            <b>{label}</b>: was <Text>{before[name]}</Text>, is now <Text>{now[name]}</Text>
            {differences(typed, now).some((field) => field.name === name) && (
              <>
                ; you typed <Text>{typed[name]}</Text>
              </>
            )}
          </li>
        ))}
      </ul>
      <p>Save again to keep what is in the fields below.</p>
    </div>
  );
};

const Text = ({ children }: { children: string }) =>
  children === '' ? <>empty</> : <q dir="auto">{children}</q>;
