import { useMutation, useQueryClient } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import type { DeskMail } from '../../../contract/desk/mail.ts';
import { retryTransient } from '../../api/client.ts';
import { deskMailKey, retryMail } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/responsive-table.tsx';
import { withReason } from '../../components/with-reason.ts';
import { SecondLine } from '../desk-list.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';

const stateNames: Record<DeskMail['state'], string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  'given-up': 'Given up',
  unverified: 'No receipt',
  shown: 'Shown here only',
  none: 'No mail',
};

/** The columns of the mail, each of which can be opened. */
export const columnsWith = (onOpen: (mail: DeskMail) => void): Column<DeskMail>[] => [
  { heading: 'Mail', kind: 'title', cell: ({ subject }) => subject },
  {
    heading: 'To',
    kind: 'text',
    width: '22%',
    cell: ({ to }) => to || 'an erased customer',
    isLabelledWhenCompact: true,
  },
  {
    heading: 'Order placed',
    kind: 'number',
    width: '11rem',
    cell: ({ placedAt }) => <Time iso={placedAt} />,
    isLabelledWhenCompact: true,
  },
  { heading: 'State', kind: 'text', width: '16%', cell: (mail) => <State mail={mail} /> },
  {
    heading: '',
    kind: 'action',
    width: '13.5rem',
    cell: (mail) => (
      <>
        {(mail.state === 'unverified' || mail.error !== null) && mail.state !== 'sent' && (
          <RetryMail mail={mail} />
        )}
        <Button
          variant="subtle"
          aria-label={`Read: ${mail.subject}, to ${mail.to}`}
          onClick={() => onOpen(mail)}
        >
          Read
        </Button>
      </>
    ),
  },
];

const State = ({ mail }: { mail: DeskMail }) => {
  const { state, nextAttemptAt, attempts, error } = mail;
  const sentAt = mail.acknowledgementSentAt ?? mail.receiptSentAt;
  return (
    <>
      <Tag isCalling={state === 'given-up'}>{stateNames[state]}</Tag>
      <SecondLine>
        {state === 'sent' && sentAt !== null && <Time iso={sentAt} />}
        {state === 'unverified' && 'The sign-in provider has not verified this address.'}
        {error !== null && state !== 'sent' && `After ${counted(attempts, 'attempt')}: ${error}`}
        {error !== null && state === 'waiting' && nextAttemptAt !== null && (
          <>
            {' '}
            Next one <Time iso={nextAttemptAt} />.
          </>
        )}
      </SecondLine>
    </>
  );
};

/** Sends the mail of an order again from now on, or its receipt although nothing verifies the address. */
const RetryMail = ({ mail }: { mail: DeskMail }) => {
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryMail(mail._id),
    retry: retryTransient,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deskMailKey }),
  });
  const act = mail.state === 'unverified' ? 'Send anyway' : 'Send again';
  return (
    <>
      <Button
        variant="subtle"
        aria-label={`${act}: ${mail.subject}, to ${mail.to}`}
        isBusy={retry.isPending}
        onClick={() => retry.mutate()}
      >
        {act}
      </Button>
      <span role="status">{retry.isError && withReason('It was not sent.', retry.error)}</span>
    </>
  );
};
