import type { DeskMail } from '../../../contract/desk/mail.ts';
import { deskMailKey, retryMail } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/responsive-table.tsx';
import { OneLine, SecondLine } from '../desk-list.tsx';
import { Failure, SendAgain } from '../send-again.tsx';
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
    cell: ({ to }) => <OneLine>{to || 'an erased customer'}</OneLine>,
    isLabelledWhenCompact: true,
  },
  {
    heading: 'Order placed',
    kind: 'label',
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
          <SendAgain
            act={mail.state === 'unverified' ? 'Send anyway' : 'Send again'}
            what={`${mail.subject}, to ${mail.to}`}
            send={() => retryMail(mail._id)}
            listKey={deskMailKey}
          />
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
        {state !== 'sent' && <Failure attempts={attempts} error={error} nextAttemptAt={nextAttemptAt} />}
      </SecondLine>
    </>
  );
};
