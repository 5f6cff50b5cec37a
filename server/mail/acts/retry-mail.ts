import { DeskMailContent, DeskMailParams } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import { sendAgain } from '../../outbox/due.ts';
import { contentOf } from './read-mail.ts';

export const retryMail = act({
  method: 'POST',
  path: deskPaths.mailRetry,
  operationId: 'retryMail',
  summary: 'Sends the mail of an order that failed, or that was not sent to an unverified address, now',
  description: 'A message that was sent is not sent again.',
  input: { params: DeskMailParams },
  output: DeskMailContent,
  problems: ['ORDER_NOT_FOUND'],
  async run(shop, { params: { id } }) {
    if (shop.mail.mode === 'sent' && (await sendAgain(shop.db, 'mail', 'order_id', id))) shop.outbox.wake();
    return await contentOf(shop, id);
  },
  commands: {
    'mail send-again': {
      json: ({ receipt: _, notice: _n, acknowledgement: _a, withdrawalNotice: _w, ...mail }) => mail,
      missing: ({ state }) => (state === 'waiting' ? undefined : `Nothing was changed: ${reasons[state]}`),
      report: ({ subject }) => `The store will send: ${subject}`,
    },
  },
});

const reasons: Readonly<Record<Exclude<DeskMailContent['state'], 'waiting'>, string>> = {
  sent: 'this mail was sent.',
  none: 'this order has no mail.',
  shown: 'the demo sends no mail.',
  // In these two states mail was due when the command began, and is not any more.
  'given-up': 'this mail has just failed again.',
  unverified: 'the store has just decided to send no receipt to this unverified address.',
};
