import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { DeskWebhook, DeskWebhooks } from '../../../contract/desk/webhooks.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { Answer, act } from '../../access/act.ts';
import { sendAgain } from '../../outbox/due.ts';
import { findEvent, listEvents } from '../desk-webhooks.ts';

export const listWebhooks = act({
  method: 'GET',
  path: deskPaths.webhooks,
  operationId: 'listWebhooks',
  summary: 'Lists the events that another program is told, newest first',
  description: 'They stay for 30 days. When more follow, `Link` names the next page.',
  input: {
    query: Type.Object({
      state: Part.Choice(['all', 'waiting', 'delivered', 'given-up'], 'What became of the event.'),
      limit: Part.PageLimit(),
      cursor: Part.PageCursor(64),
    }),
  },
  output: DeskWebhooks,
  async run({ listDb, outbox }, { query: { state = 'all', limit = maxPageSize, cursor } }) {
    const { events, nextCursor } = await listEvents(listDb, { state, cursor, limit });
    const mode = outbox.senders.webhooks ? ('sent' as const) : ('off' as const);
    return new Answer({ mode, events }, { nextCursor });
  },
  commands: {
    'webhooks list': {
      items: ({ events }) => events,
      line: ({ _id, createdAt, state, type, orderId, title, error }) => [
        ...[_id, createdAt, state.padEnd(9), type, orderId, title],
        ...(error === null ? [] : [error]),
      ],
      whenEmpty: 'No event is listed. A store without WEBHOOK_URL records none.',
    },
  },
});

export const retryWebhook = act({
  method: 'POST',
  path: deskPaths.webhookRetry,
  operationId: 'retryWebhook',
  summary: 'Sends an event now that was given up',
  description: 'One that waits or was delivered stays as it is.',
  input: {
    params: Type.Object({
      id: Part.Id('The event’s `_id`.'),
    }),
  },
  output: DeskWebhook,
  problems: ['NOT_FOUND'],
  async run({ db, outbox }, { params: { id } }) {
    if (await sendAgain(db, 'webhooks', 'id', id)) outbox.wake();
    return await findEvent(db, id);
  },
  commands: {
    'webhooks send-again': {
      missing: ({ state }) =>
        state === 'waiting' ? undefined : `Nothing was changed: the state of this event is ${state}.`,
      report: ({ type, orderId }) => `The store will send: ${type} of the order ${orderId}`,
    },
  },
});
