/** `shop mail`: the mail of each order, and what became of it. */

import type { DeskMail } from '../contract/desk/mail.ts';
import { presentMail } from '../server/mail/desk-mail.ts';
import { findMail, listMail, type MailState, mailState, retryMail } from '../server/mail/outbox.ts';
import { StartError } from '../server/start-error.ts';
import { flag, oneOf, wholeNumber } from '../tools/options.ts';
import { command } from './command.ts';
import { lineOf, printable, printJson, printPages } from './print.ts';
import { withDatabase } from './with-database.ts';

const list = command({
  purpose:
    'Lists the mail of the orders, newest first; only what waits or was given up reaches back more than 30 days.',
  options: {
    state: oneOf('which mail', ['all', 'waiting', 'given-up', 'unverified', 'sent']),
    limit: wholeNumber('how many orders at most', 50, 1),
    json: flag('print one JSON array'),
  },
  async run({ json, limit, state }, io) {
    await withDatabase(io, ({ deskDb }) =>
      printPages<DeskMail>(io, {
        json,
        limit,
        whenEmpty: 'No mail is listed. A store without MAIL_URL sends none; in demo mode the desk shows it.',
        lineOf: ({ _id, placedAt, state, to, subject, error }) =>
          lineOf([_id, placedAt, state.padEnd(10), to || '-', subject, ...(error === null ? [] : [error])]),
        async fetch(page) {
          const { mails, nextCursor } = await listMail(deskDb, { state, ...page });
          return { items: mails.map((order) => presentMail(order, 'sent')), nextCursor };
        },
      }),
    );
  },
});

const sendAgain = command({
  purpose: 'Lets the store send mail that was given up, or a receipt to an unverified address.',
  options: { json: flag('print the mail as one JSON object') },
  operands: ['ID'],
  async run({ json }, io, [id = '']) {
    const mail = await withDatabase(io, async ({ db }) => {
      const isDue = await retryMail(db, id);
      const order = await findMail(db, id);
      if (!order) throw new StartError(`There is no order ${printable(id)}.`);
      if (!isDue) throw new StartError(`Nothing was changed: ${reasons[mailState(order) ?? 'none']}`);
      return presentMail(order, 'sent');
    });
    if (json) printJson(io, mail);
    else io.stderr.write(`The store will send: ${printable(mail.subject)}\n`);
  },
});

/** Why mail is not sent again. */
const reasons: Readonly<Record<MailState | 'none', string>> = {
  waiting: 'this mail waits, and will be tried again.',
  sent: 'this mail was sent.',
  none: 'this order has no mail.',
  // In these two states mail was due when the command began, and is not any more.
  'given-up': 'this mail has just failed again.',
  unverified: 'the store has just decided to send no receipt to this unverified address.',
};

export const mailCommands = { 'mail list': list, 'mail send-again': sendAgain };
