import { useMutation, useQueryClient } from '@tanstack/react-query';
import { counted } from '../../contract/counted.ts';
import { retryTransient } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { withReason } from '../components/with-reason.ts';
import { Time } from './time.tsx';

type FailureProps = { attempts: number; error: string | null; nextAttemptAt: string | null };

/** The reason of a failure, and the time of the next attempt. */
export const Failure = ({ attempts, error, nextAttemptAt }: FailureProps) =>
  error !== null && (
    <>
      {`After ${counted(attempts, 'attempt')}: ${error}`}
      {nextAttemptAt !== null && (
        <>
          {' '}
          Next one <Time iso={nextAttemptAt} />.
        </>
      )}
    </>
  );

type SendAgainProps = {
  act: string;
  /** Names the message for screen readers. */
  what: string;
  send: () => Promise<void>;
  /** The key of the lists that show it. */
  listKey: readonly string[];
};

/** A button that sends again what was given up. */
export const SendAgain = ({ act, what, send, listKey }: SendAgainProps) => {
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: send,
    retry: retryTransient,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey }),
  });
  return (
    <>
      <Button
        variant="subtle"
        aria-label={`${act}: ${what}`}
        isBusy={retry.isPending}
        onClick={() => retry.mutate()}
      >
        {act}
      </Button>
      <span role="status">{retry.isError && withReason('It was not sent.', retry.error)}</span>
    </>
  );
};
