import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { DeskWebhook } from '../../../contract/desk/webhooks.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import { Problem } from '../../http/problems.ts';
import { sendAgain } from '../../outbox/due.ts';
import { findEvent } from '../desk-webhooks.ts';

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
    const event = await findEvent(db, id);
    if (!event) throw new Problem('NOT_FOUND');
    return event;
  },
  commands: {
    'webhooks send-again': {
      missing: ({ state }) =>
        state === 'waiting' ? undefined : `Nothing was changed: the state of this event is ${state}.`,
      report: ({ type, orderId }) => `The store will send: ${type} of the order ${orderId}`,
    },
  },
});
