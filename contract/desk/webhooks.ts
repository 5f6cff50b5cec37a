import { type Static, Type } from 'typebox';
import { Term } from '../field-formats.ts';
import { NullableTime, Time } from '../nullable.ts';
import { PageCursor, PageLimit } from '../page-parameters.ts';

/** The types of events, as Standard Webhooks writes them. */
const eventTypes = ['order.placed', 'order.sent', 'order.withdrawn'] as const;
export type EventType = (typeof eventTypes)[number];

const webhookStates = ['waiting', 'delivered', 'given-up'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** An event of an order, as it is sent to the receiver of webhooks. */
export const DeskWebhook = Type.Object(
  {
    _id: Type.String({ description: 'Its `webhook-id`, the same in each attempt.' }),
    type: Type.Enum([...eventTypes]),
    orderId: Type.String({ description: 'The id of the order.' }),
    title: Type.String({ description: 'The title of the book that was bought.' }),
    state: Type.Enum([...webhookStates]),
    createdAt: Time('When it happened.'),
    attempts: Type.Integer({ description: 'How often the store has tried to send it.' }),
    nextAttemptAt: NullableTime('While it waits.'),
    deliveredAt: NullableTime('When the receiver took it.'),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed.' }),
  },
  { title: 'DeskWebhook' },
);
export type DeskWebhook = Static<typeof DeskWebhook>;

/** `off`: the shop has no `WEBHOOK_URL`. */
export const DeskWebhooks = Type.Object(
  { mode: Type.Enum(['sent', 'off']), events: Type.Array(DeskWebhook) },
  { title: 'DeskWebhooks' },
);
export type DeskWebhooks = Static<typeof DeskWebhooks>;

/** The id of an event. */
export const DeskWebhookParams = Type.Object({
  id: Term({ maxLength: 64, description: 'The event’s `_id`.' }),
});

/** The query parameters of `GET /desk/api/webhooks`. */
export const DeskWebhooksQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['all', ...webhookStates], { default: 'all', description: 'What became of the event.' }),
  ),
  limit: PageLimit(),
  cursor: PageCursor(64),
});
