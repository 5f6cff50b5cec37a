import type { DeskWebhook } from '../../../contract/desk/webhooks.ts';
import { deskWebhooksKey, deskWebhooksQuery, retryWebhook } from '../../api/desk-queries.ts';
import type { Column } from '../../components/responsive-table.tsx';
import { DeskList, SecondLine, useDeskList } from '../desk-list.tsx';
import { ChoiceFilter, FilterBar } from '../filters.tsx';
import { Failure, SendAgain } from '../send-again.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';
import { useFilters } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';

const filterNames = ['state'] as const;
const stateNames: Record<DeskWebhook['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  'given-up': 'Given up',
};

const explanations = {
  sent: 'Another program is told when an order is placed, sent or withdrawn. Events are kept for 30 days.',
  off: 'This shop tells no other program of its orders. With WEBHOOK_URL and WEBHOOK_SECRET it does.',
};

/** The events of orders that another program is told, and what became of them. */
export const Webhooks = () => {
  const { filters, change } = useFilters(filterNames);
  const found = useDeskList(deskWebhooksQuery(filters));
  const mode = found.list.data?.pages[0]?.mode;
  return (
    <>
      <ViewHead name="Webhooks" about={mode && explanations[mode === 'off' ? 'off' : 'sent']} />
      <FilterBar
        label="Filter the events"
        main={
          <ChoiceFilter
            label="Show"
            value={filters.state}
            onChange={(state) => change({ state })}
            choices={{ '': 'All', ...stateNames }}
          />
        }
      />
      <DeskList
        found={found}
        problem="The events could not be fetched."
        label="Events"
        columns={columns}
        whenEmpty={
          filters.state
            ? {
                text: 'No event is in this state.',
                button: 'Show all events',
                onClick: () => change({ state: '' }),
              }
            : { text: 'No events yet.' }
        }
      />
    </>
  );
};

const columns: readonly Column<DeskWebhook>[] = [
  {
    heading: 'Event',
    kind: 'title',
    cell: ({ type, title }) => (
      <>
        {title}
        <SecondLine>{type}</SecondLine>
      </>
    ),
  },
  {
    heading: 'Time',
    kind: 'label',
    width: '11rem',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    isLabelledWhenCompact: true,
  },
  {
    heading: 'State',
    kind: 'text',
    width: '30%',
    cell: ({ state, deliveredAt, ...event }) => (
      <>
        <Tag isCalling={state === 'given-up'}>{stateNames[state]}</Tag>
        <SecondLine>{deliveredAt === null ? <Failure {...event} /> : <Time iso={deliveredAt} />}</SecondLine>
      </>
    ),
  },
  {
    heading: '',
    kind: 'action',
    width: '10rem',
    cell: ({ _id, state, type, title }) =>
      state === 'given-up' && (
        <SendAgain
          act="Send again"
          what={`${type}, ${title}`}
          send={() => retryWebhook(_id)}
          listKey={deskWebhooksKey}
        />
      ),
  },
];
