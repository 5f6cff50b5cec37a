import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';

const eventTypes = ['order.placed', 'order.sent', 'order.withdrawn'] as const;
export type EventType = (typeof eventTypes)[number];

const webhookStates = ['waiting', 'delivered', 'given-up'] as const;
export type WebhookState = (typeof webhookStates)[number];

export const DeskWebhook = Part.Named('DeskWebhook', {
  _id: Part.Text('Its `webhook-id`, the same in each attempt.'),
  type: Type.Enum([...eventTypes]),
  orderId: Part.Text('The id of the order.'),
  title: Part.Text('The title of the book that was bought.'),
  state: Type.Enum([...webhookStates]),
  createdAt: Part.Time('When it happened.'),
  attempts: Part.Count('How often the store has tried to send it.'),
  nextAttemptAt: Part.NullableTime('While it waits.'),
  deliveredAt: Part.NullableTime('When the receiver took it.'),
  error: Part.Nullable('Why the last attempt failed.'),
});
export type DeskWebhook = Static<typeof DeskWebhook>;

/** `off`: the shop has no `WEBHOOK_URL`. */
export const DeskWebhooks = Part.Named('DeskWebhooks', {
  mode: Type.Enum(['sent', 'off']),
  events: Type.Array(DeskWebhook),
});
export type DeskWebhooks = Static<typeof DeskWebhooks>;

export const DeskWebhooksQuery = Type.Object({
  state: Part.Choice(['all', ...webhookStates], 'What became of the event.'),
  limit: Part.PageLimit(),
  cursor: Part.PageCursor(64),
});
