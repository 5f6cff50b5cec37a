/** The common parts of mail and events: a state, a failure, and another attempt. */
import { counted } from '../../contract/counted.ts';
import { send } from '../api/calls.ts';
import { ActButton } from './acts.tsx';
import { Time } from './time.tsx';

type FailureProps = { attempts: number; error: string | null; nextAttemptAt: string | null };

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

/** A button that sends the message again. @param what names the message for screen readers. */
export const SendAgain = ({ name, what, path }: { name: string; what: string; path: string }) => (
  <ActButton name={name} what={what} run={() => send<void>('POST', path)} problem="It was not sent." />
);
