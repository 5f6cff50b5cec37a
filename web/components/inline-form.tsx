import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { ApiProblem, retryTransient } from '../api/client.ts';
import { Button } from './button.tsx';
import { pressedKey } from './pressed-key.ts';
import { withReason } from './with-reason.ts';

type InlineFormProps = {
  /** The words of the button that opens it. */
  opener: string;
  /** For screen readers: what the button is about. */
  about: string;
  isOpen: boolean;
  setIsOpen: (isOpen: boolean) => void;
  confirm: string;
  isPrimary?: boolean;
  cancel: string;
  /** Sends the form, which closes when it was taken. */
  send: () => Promise<unknown>;
  /** The message for a failure; by the code of a refusal, where that says more. */
  failure: string;
  refusals: Readonly<Record<string, string>>;
  /** The fields, with the message of the last failure. */
  children: (error: string | undefined) => ReactNode;
};

/** A button that a form takes the place of. Escape closes it, and the button has the focus again. */
export const InlineForm = (props: InlineFormProps) => {
  const { opener, about, isOpen, setIsOpen, confirm, isPrimary, cancel, failure, refusals, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  // Set at once: two presses may come before React renders.
  const isSent = useRef(false);
  const close = () => {
    sending.reset();
    flushSync(() => setIsOpen(false));
    button.current?.focus();
  };
  const sending = useMutation({
    mutationFn: props.send,
    retry: retryTransient,
    onSuccess: close,
    onSettled: () => {
      isSent.current = false;
    },
  });
  /** What is sent cannot be called back: its response is awaited. */
  const cancelForm = () => {
    if (!isSent.current) close();
  };
  if (!isOpen) {
    return (
      <button
        ref={button}
        type="button"
        className="linkish soft"
        data-no-print
        aria-label={`${opener}: ${about}`}
        onClick={() => setIsOpen(true)}
      >
        {opener}
      </button>
    );
  }
  return (
    <form
      className="stack tight"
      data-no-print
      onSubmit={(event) => {
        event.preventDefault();
        if (isSent.current) return;
        isSent.current = true;
        sending.mutate();
      }}
      onKeyDown={(event) => {
        if (pressedKey(event) === 'Escape') cancelForm();
      }}
    >
      {children(sending.error ? messageOf(sending.error, failure, refusals) : undefined)}
      <p className="cluster tight">
        <Button type="submit" variant={isPrimary ? 'primary' : 'secondary'} isBusy={sending.isPending}>
          {confirm}
        </Button>
        <Button variant="subtle" onClick={cancelForm}>
          {cancel}
        </Button>
      </p>
    </form>
  );
};

const messageOf = (error: Error, failure: string, refusals: InlineFormProps['refusals']): string => {
  const { code = '', errors = [] } = error instanceof ApiProblem ? error : {};
  return refusals[code] ?? errors[0]?.message ?? withReason(failure, error);
};
