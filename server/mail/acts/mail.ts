import { Type } from 'typebox';
import { DeskMailContent, DeskMails } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import { OrderParams } from '../../../contract/order.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { Answer, act } from '../../access/act.ts';
import { sendAgain } from '../../outbox/due.ts';
import { listMail as list, readMail as read } from '../desk-mail.ts';

export const listMail = act({
  method: 'GET',
  path: deskPaths.mail,
  operationId: 'listMail',
  summary: 'Lists the mail of the orders, newest first',
  description: 'When more may follow, `Link` names the next page.',
  input: {
    query: Type.Object({
      state: Part.Choice(
        ['all', 'waiting', 'sent', 'given-up', 'unverified'],
        '`all`, `sent` and `unverified` reach back 30 days.',
      ),
      limit: Part.PageLimit(),
      cursor: Part.PageCursor(64),
    }),
  },
  output: DeskMails,
  async run({ listDb, mail: { mode } }, { query: { state = 'all', limit = maxPageSize, cursor } }) {
    if (mode === 'off') return { mode, messages: [] };
    const { messages, nextCursor } = await list(listDb, mode, { state, cursor, limit });
    return new Answer({ mode, messages }, { nextCursor });
  },
  commands: {
    'mail list': {
      purpose:
        'Lists the mail of the orders, newest first; only what waits or was given up reaches back more than 30 days.',
      items: ({ messages }) => messages,
      line: ({ _id, placedAt, state, to, subject, error }) => [
        ...[_id, placedAt, state.padEnd(10), to || '-', subject],
        ...(error === null ? [] : [error]),
      ],
      whenEmpty: 'No mail is listed. A store without MAIL_URL sends none; in demo mode the desk shows it.',
    },
  },
});

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
