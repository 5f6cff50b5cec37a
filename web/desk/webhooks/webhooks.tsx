import { deskPaths } from '../../../contract/desk/paths.ts';
import type { DeskWebhook, DeskWebhooks } from '../../../contract/desk/webhooks.ts';
import { listOf } from '../../api/calls.ts';
import { storeConfig } from '../../store-config.ts';
import { action, text, time, title } from '../columns.tsx';
import { listView } from '../list-view.tsx';
import { OutboxState, SendAgain } from '../outbox.tsx';

const stateNames = { waiting: 'Waiting', delivered: 'Delivered', 'given-up': 'Given up' };

export const Webhooks = listView<DeskWebhook>({
  name: 'Webhooks',
  about: storeConfig.hasWebhooks
    ? 'Another program is told what happens to each order. Events are kept for 30 days.'
    : 'This shop tells no other program of its orders. With WEBHOOK_URL and WEBHOOK_SECRET it does.',
  one: 'event',
  query: (filters) => listOf('desk', deskPaths.webhooks, filters, ({ events }: DeskWebhooks) => events),
  choices: [{ by: 'state', label: 'Show', names: { '': 'All', ...stateNames } }],
  columns: [
    title('Event', ({ title, type }) => ({ title, below: [type] })),
    text(
      'State',
      (event) => <OutboxState {...event} name={stateNames[event.state]} sentAt={event.deliveredAt} />,
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
});
