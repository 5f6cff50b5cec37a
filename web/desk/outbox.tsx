/** The common parts of mail and events: a state, a failure, and another attempt. */
import { counted } from '../../contract/counted.ts';
import type { DeskWebhook } from '../../contract/desk/webhooks.ts';
import { send } from '../api/calls.ts';
import { ActButton } from './acts.tsx';
import { SecondLine } from './columns.tsx';
import { Time } from './time.tsx';

type OutboxStateProps = Pick<DeskWebhook, 'attempts' | 'error' | 'nextAttemptAt'> & {
  state: string;
  /** The name of the state. */
  name: string | undefined;
  sentAt: string | null;
  note?: string | false;
};

/** The state of a message, with the time when it was sent, or what came in between. */
export const OutboxState = (props: OutboxStateProps) => {
  const { state, name, sentAt, note, attempts, error, nextAttemptAt } = props;
  return (
    <>
      <span className={state === 'given-up' ? 'tag calling' : 'tag'}>{name}</span>
      <SecondLine>
        {sentAt !== null ? <Time iso={sentAt} /> : error === null && note}
        {sentAt === null && error !== null && `After ${counted(attempts, 'attempt')}: ${error} `}
        {error !== null && nextAttemptAt !== null && (
          <>
            Next one <Time iso={nextAttemptAt} />.
          </>
        )}
      </SecondLine>
    </>
  );
};

/** A button that sends the message again. @param what names the message for screen readers. */
export const SendAgain = ({ name, what, path }: { name: string; what: string; path: string }) => (
  <ActButton name={name} what={what} run={() => send<void>('POST', path)} problem="It was not sent." />
);
