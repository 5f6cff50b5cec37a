import { deskPaths } from '../../../contract/desk/paths.ts';
import type { DeskWebhook, DeskWebhooks } from '../../../contract/desk/webhooks.ts';
import { listOf } from '../../api/calls.ts';
import { action, SecondLine, text, time, title } from '../columns.tsx';
import { listView } from '../list-view.tsx';
import { Failure, SendAgain } from '../outbox.tsx';
import { Time } from '../time.tsx';

const explanations = {
  sent: 'Another program is told what happens to each order. Events are kept for 30 days.',
  off: 'This shop tells no other program of its orders. With WEBHOOK_URL and WEBHOOK_SECRET it does.',
};
const stateNames = { waiting: 'Waiting', delivered: 'Delivered', 'given-up': 'Given up' };

export const Webhooks = listView<DeskWebhook>({
  name: 'Webhooks',
  about: (page) => page && explanations[page.mode === 'off' ? 'off' : 'sent'],
  one: 'event',
  query: (filters) =>
    listOf('desk', deskPaths.webhooks, filters, ({ events, mode }: DeskWebhooks) => ({ body: events, mode })),
  choices: [{ by: 'state', label: 'Show', names: { '': 'All', ...stateNames } }],
  columns: [
    title('Event', ({ title, type }) => ({ title, below: [type] })),
    text(
      'State',
      ({ state, deliveredAt, ...event }) => (
        <>
          <span className={state === 'given-up' ? 'tag calling' : 'tag'}>{stateNames[state]}</span>
          <SecondLine>
            {deliveredAt === null ? <Failure {...event} /> : <Time iso={deliveredAt} />}
          </SecondLine>
        </>
      ),
      { width: '30%' },
    ),
    time('Time', ({ createdAt }) => createdAt),
    action(
      ({ _id, state, type, title }) =>
        state === 'given-up' && (
          <SendAgain name="Send again" what={`${type}, ${title}`} path={deskPaths.webhookRetry(_id)} />
        ),
      '10rem',
    ),
  ],
  empty: { none: 'No events yet.', matching: 'No event is in this state.', all: 'Show all events' },
});
