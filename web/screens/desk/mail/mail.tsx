import { useState } from 'react';
import type { DeskMail, DeskMails } from '../../../../contract/desk-mail.ts';
import { deskMailQuery } from '../../../api/desk-queries.ts';
import { Button } from '../../../components/button.tsx';
import type { Column } from '../../../components/responsive-table.tsx';
import { DeskList, useDeskList } from '../desk-list.tsx';
import { DeskTable, SecondLine } from '../desk-table.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../filters.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';
import { ViewHead } from '../view-head.tsx';
import styles from './mail.module.css';
import { MailPreview } from './mail-preview.tsx';
import { RetryMail } from './retry-mail.tsx';

const filterNames = ['state'] as const;
const stateChoices = {
  '': 'All, of 30 days',
  waiting: 'Waiting',
  'given-up': 'Given up',
  unverified: 'No receipt',
  sent: 'Sent',
};

const stateNames: Record<DeskMail['state'], string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  'given-up': 'Given up',
  unverified: 'No receipt',
  shown: 'Shown here only',
  none: 'No mail',
};

const explanations: Record<DeskMails['mode'], string> = {
  sent: 'Each order sends a receipt to the buyer, and a notice to the shop.',
  shown: 'This is the demo: mail is shown here, and sent to nobody.',
  off: 'This shop sends no mail. With MAIL_URL and MAIL_FROM, each order sends a receipt to the buyer, and a notice to the shop.',
};

/** The outbox: the mail of each order, and what became of it. */
export const Mail = () => {
  const { filters, change } = useFilters(filterNames);
  const found = useDeskList(deskMailQuery(filters));
  const [opened, setOpened] = useState<DeskMail>();
  const mode = found.list.data?.pages[0]?.mode;
  return (
    <>
      <ViewHead name="Mail" about={mode && explanations[mode]} />
      {mode !== 'off' && (
        <FilterBar
          label="Filter the mail"
          main={
            <ChoiceFilter
              label="Show"
              value={filters.state}
              onChange={(state) => change({ state })}
              choices={stateChoices}
            />
          }
        />
      )}
      <DeskList
        found={found}
        problem="The mail could not be fetched."
        whenEmpty={
          filters.state ? (
            <>
              <p>No mail is in this state.</p>
              <Button onClick={() => change({ state: '' })}>Show all mail</Button>
            </>
          ) : (
            <p>No mail yet.</p>
          )
        }
      >
        {(mails) => (
          <DeskTable
            label="Mail"
            columns={columnsWith(setOpened)}
            rows={mails}
            keyOf={idOf}
            found={found}
            className={styles.table}
          />
        )}
      </DeskList>
      {opened && <MailPreview mail={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
};

const idOf = (mail: DeskMail): string => mail._id;

const columnsWith = (onOpen: (mail: DeskMail) => void): Column<DeskMail>[] => [
  { heading: 'Receipt', kind: 'title', cell: ({ subject }) => subject },
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
  const { state, receiptSentAt, nextAttemptAt, attempts, error } = mail;
  return (
    <>
      <Tag isCalling={state === 'given-up'}>{stateNames[state]}</Tag>
      <SecondLine>
        {state === 'sent' && receiptSentAt !== null && <Time iso={receiptSentAt} />}
        {state === 'unverified' && 'The sign-in provider has not verified this address.'}
        {error !== null &&
          state !== 'sent' &&
          `After ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${error}`}
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
