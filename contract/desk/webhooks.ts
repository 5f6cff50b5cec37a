import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';

export const DeskWebhook = Part.Named('DeskWebhook', {
  _id: Part.Text('Its `webhook-id`, the same in each attempt.'),
  type: Type.Enum([
    ...(['order.placed', 'order.paid', 'order.sent', 'order.withdrawn'] as const),
    ...(['order.refunded', 'order.cancelled'] as const),
  ]),
  orderId: Part.Text('The id of the order.'),
  title: Part.Text('The title of the book that was bought.'),
  state: Type.Enum(['waiting', 'delivered', 'given-up']),
  createdAt: Part.Time('When it happened.'),
  attempts: Part.Count('How often the store has tried to send it.'),
  nextAttemptAt: Part.NullableTime('While it waits.'),
  deliveredAt: Part.NullableTime('When the receiver took it.'),
  error: Part.Nullable('Why the last attempt failed.'),
});
export type DeskWebhook = Static<typeof DeskWebhook>;
export type EventType = DeskWebhook['type'];
export type WebhookState = DeskWebhook['state'];

/** `off`: the shop has no `WEBHOOK_URL`. */
export const DeskWebhooks = Part.Named('DeskWebhooks', {
  mode: Type.Enum(['sent', 'off']),
  events: Type.Array(DeskWebhook),
});
export type DeskWebhooks = Static<typeof DeskWebhooks>;
