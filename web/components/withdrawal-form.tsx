import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { maxReasonLength } from '../../contract/withdrawal.ts';
import { ApiProblem, retryTransient } from '../api/client.ts';
import { Button } from './button.tsx';
import { LinesField } from './field.tsx';
import styles from './inline-form.module.css';
import { pressedKey } from './pressed-key.ts';
import { withReason } from './with-reason.ts';

type WithdrawalFormProps = {
  /** The words of the first step, and of the second one. */
  opener: string;
  confirm: string;
  /** Names the order for screen readers. */
  title: string;
  withdraw: (reason: string) => Promise<void>;
  /** Names what is withdrawn. */
  children: ReactNode;
};

/** Takes an order back in two steps. The second one shows what is taken back. */
export const WithdrawalForm = ({ opener, confirm, title, withdraw, children }: WithdrawalFormProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const openerButton = useRef<HTMLButtonElement>(null);
  // Set at once: two presses may come before React renders.
  const isSent = useRef(false);
  const withdrawing = useMutation({
    mutationFn: () => withdraw(reason),
    retry: retryTransient,
    onError: () => {
      isSent.current = false;
    },
  });
  const close = () => {
    withdrawing.reset();
    isSent.current = false;
    flushSync(() => setIsOpen(false));
    openerButton.current?.focus();
  };

  if (!isOpen) {
    return (
      <button
        ref={openerButton}
        type="button"
        className={styles.opener}
        // The style sheet shows it: the text of the cell is that of the order alone (spec, section 2).
        data-text={opener}
        aria-label={`${opener}: ${title}`}
        onClick={() => setIsOpen(true)}
      />
    );
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isSent.current) return;
        isSent.current = true;
        withdrawing.mutate();
      }}
      onKeyDown={(event) => {
        if (pressedKey(event) === 'Escape') close();
      }}
    >
      <p>{children}</p>
      <LinesField
        label="Reason (optional)"
        text={reason}
        onType={setReason}
        maxLength={maxReasonLength}
        error={withdrawing.error ? errorMessage(withdrawing.error) : undefined}
        hasFocus
      />
      <span className={styles.buttons}>
        <Button type="submit" variant="primary" isBusy={withdrawing.isPending}>
          {confirm}
        </Button>
        <Button variant="subtle" onClick={close}>
          Keep the order
        </Button>
      </span>
    </form>
  );
};

const errorMessage = (error: Error): string => {
  if (error instanceof ApiProblem && error.code === 'TOO_LATE')
    return 'It is too late: the days for it are over.';
  const [wrong] = error instanceof ApiProblem ? error.errors : [];
  return wrong?.message ?? withReason('The order was not withdrawn. Please try again.', error);
};
