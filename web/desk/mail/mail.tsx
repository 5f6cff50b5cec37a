import { useQuery } from '@tanstack/react-query';
import type { DeskMail, DeskMailContent, DeskMails } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { listOf, read } from '../../api/calls.ts';
import { Fetched } from '../../components/fetched.tsx';
import { storeConfig } from '../../store-config.ts';
import { buyerName } from '../buyer-name.ts';
import { action, OneLine, text, time, title } from '../columns.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { OutboxState, SendAgain } from '../outbox.tsx';
import { Panel } from '../panel.tsx';

const explanations: Record<DeskMails['mode'], string> = {
  sent: 'Buyers have mail about each order, parcel and withdrawal, and the shop a notice of each order and withdrawal.',
  shown: 'This is the demo: mail is shown here, and sent to nobody.',
  off: 'This shop sends no mail. With MAIL_URL and MAIL_FROM, buyers have mail about each order, parcel and withdrawal, and the shop a notice of each order and withdrawal.',
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

/** In the order in which they are sent. */
const messages = [
  ['receipt', 'Receipt'],
  ['notice', 'Notice to the shop'],
  ['dispatch', 'Word that it was sent'],
  ['acknowledgement', 'Acknowledgement of the withdrawal'],
  ['withdrawalNotice', 'Notice of the withdrawal to the shop'],
  ['cancellation', 'Note that the order was not paid'],
] as const;

/**
 * The messages of an order as text; their HTML has the same words. The HTML would be shown without its styles: a frame inherits the page's
 * policy, which allows no inline styles.
 */
const MailPanel = ({ id, close }: PanelOf) => (
  <Panel heading="Mail of the order" onClose={close}>
    <Fetched
      query={useQuery(read<DeskMailContent>('desk', deskPaths.mailOf(id)))}
      problem="The mail could not be fetched."
    >
      {(content) =>
        messages.map(([kind, name]) => {
          const message = content[kind];
          return (
            message && (
              <section key={kind} className="stack tight" aria-label={name}>
                <h3>{name}</h3>
                <p className="soft" dir="auto">
                  To {message.to}: {message.subject}
                </p>
                <p className="lines">{message.text}</p>
              </section>
            )
          );
        })
      }
    </Fetched>
  </Panel>
);

export const Mail = listView<DeskMail>({
  name: 'Mail',
  about: explanations[storeConfig.mail],
  one: 'mail',
  query: (filters) => listOf('desk', deskPaths.mail, filters, ({ messages }: DeskMails) => messages),
  choices: [{ by: 'state', label: 'Show', names: { '': 'Last 30 days', ...filterable } }],
  columns: [
    title('Mail', ({ _id, subject }) => ({ title: subject, opens: _id })),
    text('To', ({ to }) => <OneLine>{buyerName({ name: to, email: to })}</OneLine>, { width: '22%' }),
    text('State', (mail) => <State mail={mail} />, { width: '16%' }),
    time('Order placed', ({ placedAt }) => placedAt),
    action((mail) => <Retry mail={mail} />, '10rem'),
  ],
  Panel: MailPanel,
});

const State = ({ mail }: { mail: DeskMail }) => {
  const { state, cancellationSentAt, acknowledgementSentAt, dispatchSentAt, receiptSentAt } = mail;
  const sentAt = cancellationSentAt ?? acknowledgementSentAt ?? dispatchSentAt ?? receiptSentAt;
  const note = state === 'unverified' && 'The sign-in provider has not verified this address.';
  return (
    <OutboxState {...mail} name={stateNames[state]} sentAt={state === 'sent' ? sentAt : null} note={note} />
  );
};

const Retry = ({ mail: { _id, subject, to, state, error } }: { mail: DeskMail }) => {
  const isUnverified = state === 'unverified';
  if (!isUnverified && (error === null || state === 'sent')) return null;
  return (
    <SendAgain
      name={isUnverified ? 'Send anyway' : 'Send again'}
      what={`${subject}, to ${to}`}
      path={deskPaths.mailRetry(_id)}
    />
  );
};
