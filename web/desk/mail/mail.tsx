import { useQuery } from '@tanstack/react-query';
import type { DeskMail, DeskMailContent, DeskMails } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { listOf, read } from '../../api/calls.ts';
import { Button } from '../../components/button.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { action, OneLine, OpenButton, SecondLine, text, time, title } from '../columns.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { Failure, SendAgain } from '../outbox.tsx';
import { Panel } from '../panel.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';

const explanations: Record<DeskMails['mode'], string> = {
  sent: 'Each order and each withdrawal sends a message to the buyer, and a notice to the shop.',
  shown: 'This is the demo: mail is shown here, and sent to nobody.',
  off: 'This shop sends no mail. With MAIL_URL and MAIL_FROM, each order and each withdrawal sends a message to the buyer, and a notice to the shop.',
};

const stateNames: Record<DeskMail['state'], string> = {
  waiting: 'Waiting',
  'given-up': 'Given up',
  unverified: 'No receipt',
  sent: 'Sent',
  shown: 'Shown here only',
  none: 'No mail',
};
const { shown, none, ...filterable } = stateNames;

/**
 * The messages of an order as text. Their HTML has the same words. It would be shown without its styles: a frame inherits the
 * page's policy, which allows no inline ones.
 */
const MailPanel = ({ id, close }: PanelOf<DeskMail>) => (
  <Panel heading="Mail of the order" onClose={close}>
    <Fetched
      query={useQuery(read<DeskMailContent>('desk', deskPaths.mailOf(id)))}
      problem="The mail could not be fetched."
    >
      {({ receipt, notice, acknowledgement, withdrawalNotice }) => (
        <>
          <Message name="Receipt" message={receipt} />
          <Message name="Notice to the shop" message={notice} />
          <Message name="Acknowledgement of the withdrawal" message={acknowledgement} />
          <Message name="Notice of the withdrawal to the shop" message={withdrawalNotice} />
        </>
      )}
    </Fetched>
    <div>
      <Button onClick={close}>Close</Button>
    </div>
  </Panel>
);

type MessageProps = { name: string; message: DeskMailContent['receipt'] | undefined };

const Message = ({ name, message }: MessageProps) =>
  message && (
    <section className="stack tight" aria-label={name}>
      <h3>{name}</h3>
      <p className="soft" dir="auto">
        To {message.to}: {message.subject}
      </p>
      <p className="lines">{message.text}</p>
    </section>
  );

/** The outbox: the mail of each order, and what became of it. */
export const Mail = listView<DeskMail>({
  name: 'Mail',
  about: (page) => page?.mode && explanations[page.mode],
  one: 'mail',
  many: 'mail',
  query: (filters) =>
    listOf('desk', deskPaths.mail, filters, ({ messages, mode }: DeskMails) => ({ body: messages, mode })),
  choices: [{ by: 'state', label: 'Show', names: { '': 'Last 30 days', ...filterable } }],
  columns: [
    title('Mail', ({ subject }) => ({ title: subject })),
    text('To', ({ to }) => <OneLine>{to || 'an erased customer'}</OneLine>, { width: '22%' }),
    text('State', (mail) => <State mail={mail} />, { width: '16%' }),
    time('Order placed', ({ placedAt }) => placedAt),
    action((mail) => <Buttons mail={mail} />, '13.5rem'),
  ],
  panel: { by: 'mail', Panel: MailPanel },
  empty: { none: 'No mail yet.', matching: 'No mail is in this state.', all: 'Show all mail' },
});

const State = ({ mail }: { mail: DeskMail }) => {
  const { state } = mail;
  const sentAt = mail.acknowledgementSentAt ?? mail.receiptSentAt;
  return (
    <>
      <Tag isCalling={state === 'given-up'}>{stateNames[state]}</Tag>
      <SecondLine>
        {state === 'sent' && sentAt !== null && <Time iso={sentAt} />}
        {state === 'unverified' && 'The sign-in provider has not verified this address.'}
        {state !== 'sent' && <Failure {...mail} />}
      </SecondLine>
    </>
  );
};

const Buttons = ({ mail: { _id, subject, to, state, error } }: { mail: DeskMail }) => {
  const what = `${subject}, to ${to}`;
  const isUnverified = state === 'unverified';
  const name = isUnverified ? 'Send anyway' : 'Send again';
  return (
    <>
      {(isUnverified || (error !== null && state !== 'sent')) && (
        <SendAgain name={name} what={what} path={deskPaths.mailRetry(_id)} />
      )}
      <OpenButton name="Read" id={_id} what={what} />
    </>
  );
};
