import { useState } from 'react';
import type { DeskMail, DeskMails } from '../../../contract/desk/mail.ts';
import { deskMailQuery } from '../../api/desk-queries.ts';
import { DeskList, useDeskList } from '../desk-list.tsx';
import { ChoiceFilter, FilterBar } from '../filters.tsx';
import { useFilters } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';
import { columnsWith } from './mail-columns.tsx';
import { MailPreview } from './mail-preview.tsx';

const filterNames = ['state'] as const;
const stateChoices = {
  '': 'Last 30 days',
  waiting: 'Waiting',
  'given-up': 'Given up',
  unverified: 'No receipt',
  sent: 'Sent',
};

const explanations: Record<DeskMails['mode'], string> = {
  sent: 'Each order and each withdrawal sends a message to the buyer, and a notice to the shop.',
  shown: 'This is the demo: mail is shown here, and sent to nobody.',
  off: 'This shop sends no mail. With MAIL_URL and MAIL_FROM, each order and each withdrawal sends a message to the buyer, and a notice to the shop.',
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
        label="Mail"
        columns={columnsWith(setOpened)}
        whenEmpty={
          filters.state
            ? {
                text: 'No mail is in this state.',
                button: 'Show all mail',
                onClick: () => change({ state: '' }),
              }
            : { text: 'No mail yet.' }
        }
      />
      {opened && <MailPreview mail={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
};
