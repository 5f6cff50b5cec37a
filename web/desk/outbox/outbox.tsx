/** Mail to buyers, and events to another program: what the shop sends, with its state, a failure and another attempt. */
import { useQuery } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import type { DeskMail, DeskMailContent, DeskMails } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { DeskWebhook, DeskWebhooks } from '../../../contract/desk/webhooks.ts';
import { listOf, read, send } from '../../api/calls.ts';
import { Fetched } from '../../components/fetched.tsx';
import { storeConfig } from '../../store-config.ts';
import { ActButton } from '../acts.tsx';
import { action, OneLine, SecondLine, text, time, title } from '../columns.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { buyerName } from '../order-columns.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';

const explanations: Record<DeskMails['mode'], string> = {
  sent: 'Buyers have mail about each order, parcel and withdrawal, and the shop a notice of each order and withdrawal.',
  shown: 'This is the demo: mail is shown here, and sent to nobody.',
  off: 'This shop sends no mail. With MAIL_URL and MAIL_FROM, buyers have mail about each order, parcel and withdrawal, and the shop a notice of each order and withdrawal.',
};

const mailStates: Record<DeskMail['state'], string> = {
  waiting: 'Waiting',
  'given-up': 'Given up',
  unverified: 'No receipt',
  sent: 'Sent',
  shown: 'Shown here only',
  none: 'No mail',
};
const { shown, none, ...filterable } = mailStates;
const eventStates = { waiting: 'Waiting', delivered: 'Delivered', 'given-up': 'Given up' };

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
        messages.map(
          ([kind, name]) =>
            content[kind] && (
              <section key={kind} className="stack tight" aria-label={name}>
                <h3>{name}</h3>
                <p className="soft" dir="auto">
                  To {content[kind].to}: {content[kind].subject}
                </p>
                <p className="lines">{content[kind].text}</p>
              </section>
            ),
        )
      }
    </Fetched>
  </Panel>
);

export const Mail = listView<DeskMail>({
  name: 'Mail',
  about: explanations[storeConfig.mail],
  one: 'mail',
  query: (filters) => listOf('desk', deskPaths.mail, filters, ({ messages }: DeskMails) => messages),
  choices: [{ by: 'state', label: 'Show', names: () => ({ '': 'Last 30 days', ...filterable }) }],
  columns: () => [
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
  return <OutboxState {...mail} sentAt={state === 'sent' ? sentAt : null} note={note} />;
};

const Retry = ({ mail: { _id, subject, to, state, error } }: { mail: DeskMail }) => {
  const isUnverified = state === 'unverified';
  if (!isUnverified && (error === null || state === 'sent')) return null;
  const name = isUnverified ? 'Send anyway' : 'Send again';
  return sendAgain(name, `${subject}, to ${to}`, deskPaths.mailRetry(_id));
};

export const Webhooks = listView<DeskWebhook>({
  name: 'Webhooks',
  about: storeConfig.hasWebhooks
    ? 'Another program is told what happens to each order. Events are kept for 30 days.'
    : 'This shop tells no other program of its orders. With WEBHOOK_URL and WEBHOOK_SECRET it does.',
  one: 'event',
  query: (filters) => listOf('desk', deskPaths.webhooks, filters, ({ events }: DeskWebhooks) => events),
  choices: [{ by: 'state', label: 'Show', names: () => ({ '': 'All', ...eventStates }) }],
  columns: () => [
    title('Event', ({ title, type }) => ({ title, below: [type] })),
    text('State', (event) => <OutboxState {...event} sentAt={event.deliveredAt} />, { width: '30%' }),
    time('Time', ({ createdAt }) => createdAt),
    action(
      ({ _id, state, type, title }) =>
        state === 'given-up' && sendAgain('Send again', `${type}, ${title}`, deskPaths.webhookRetry(_id)),
      '10rem',
    ),
  ],
});

type OutboxStateProps = Pick<DeskWebhook, 'attempts' | 'error' | 'nextAttemptAt'> & {
  state: DeskMail['state'] | DeskWebhook['state'];
  sentAt: string | null;
  note?: string | false;
};

/** The state of a message, with the time when it was sent, or what came in between. */
const OutboxState = ({ state, sentAt, note, attempts, error, nextAttemptAt }: OutboxStateProps) => (
  <>
    <span className={state === 'given-up' ? 'tag calling' : 'tag'}>
      {{ ...mailStates, ...eventStates }[state]}
    </span>
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

/** A button that sends the message again. @param what names the message for screen readers. */
const sendAgain = (name: string, what: string, path: string) => (
  <ActButton name={name} what={what} run={() => send<void>('POST', path)} problem="It was not sent." />
);
