import { DeskMailContent } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderParams } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { sendAgain } from '../../outbox/due.ts';
import { readMail as read } from '../desk-mail.ts';

export const readMail = act({
  method: 'GET',
  path: deskPaths.mailOf,
  operationId: 'readMail',
  summary: 'Shows the messages of an order',
  description: 'The messages are shown as they are sent, or would be.',
  input: { params: OrderParams },
  output: DeskMailContent,
  problems: ['ORDER_NOT_FOUND'],
  run: (shop, { params }) => read(shop, params.id),
});

export const retryMail = act({
  method: 'POST',
  path: deskPaths.mailRetry,
  operationId: 'retryMail',
  summary: 'Sends the mail of an order that failed, or that was not sent to an unverified address, now',
  description: 'A message that was sent is not sent again.',
  input: { params: OrderParams },
  output: DeskMailContent,
  problems: ['ORDER_NOT_FOUND'],
  async run(shop, { params: { id } }) {
    if (shop.mail.mode === 'sent' && (await sendAgain(shop.db, 'mail', 'order_id', id))) shop.outbox.wake();
    return await read(shop, id);
  },
  commands: {
    'mail send-again': {
      // The messages are the members that are objects.
      json: (mail) => Object.fromEntries(Object.entries(mail).filter(([, part]) => Object(part) !== part)),
      missing: ({ state }) =>
        state === 'waiting'
          ? undefined
          : `Nothing was changed: ${state === 'none' ? 'this order has no mail' : `this mail is ${state}`}.`,
      report: ({ subject }) => `The store will send: ${subject}`,
    },
  },
});
