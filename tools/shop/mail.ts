/** `shop mail`: the mail of each order, and what became of it. */

import type { DeskMail } from '../../contract/desk-mail.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { presentMail } from '../../server/mail/desk-mail.ts';
import { findMail, listMail, type MailState, retryMail, stateOf } from '../../server/mail/outbox.ts';
import { StartError } from '../../server/start-error.ts';
import { flag, oneOf, readCommand, readOptions, wholeNumber } from '../options.ts';
import { printable } from './printable.ts';
import { reportList } from './report-list.ts';
import { withDatabase } from './with-database.ts';

async function list(args: readonly string[]): Promise<void> {
  const { json, limit, state } = readOptions(
    'npm run shop -- mail list',
    'Lists the mail of the orders, newest first; only what waits or was given up reaches back more than 30 days.',
    {
      state: oneOf('which mail', ['all', 'waiting', 'given-up', 'unverified', 'sent']),
      limit: wholeNumber('how many orders at most', 50, 1),
      json: flag('print one JSON array'),
    },
    args,
  );
  const { mails, isCut } = await withDatabase(async ({ deskDb }) => {
    const mails: DeskMail[] = [];
    let cursor: string | undefined;
    do {
      const pageLimit = Math.min(limit - mails.length, maxPageSize);
      const page = await listMail(deskDb, { state, cursor, limit: pageLimit });
      mails.push(...page.mails.map((order) => presentMail(order, 'sent')));
      cursor = page.nextCursor;
    } while (cursor && mails.length < limit);
    return { mails, isCut: cursor !== undefined };
  });
  process.stdout.write(json ? `${JSON.stringify(mails)}\n` : mails.map(lineOf).join(''));
  if (!json) reportList(mails.length, isCut, noMail);
}

const noMail = 'No mail is listed. A store without MAIL_URL sends none; in demo mode the desk shows it.';

const lineOf = ({ _id, placedAt, state, to, subject, error }: DeskMail): string => {
  const columns = [_id, placedAt, state.padEnd(10), to || '-', subject, ...(error === null ? [] : [error])];
  return `${columns.map(printable).join('  ')}\n`;
};

async function sendAgain(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- mail send-again',
    'Lets the store send mail that was given up, or a receipt to an unverified address.',
    { options: { json: flag('print the mail as one JSON object') }, operands: ['ID'] },
    args,
  );
  const [id = ''] = operands;
  const mail = await withDatabase(async ({ db }) => {
    const isDue = await retryMail(db, id);
    const order = await findMail(db, id);
    if (!order) throw new StartError(`There is no order ${printable(id)}.`);
    if (!isDue) throw new StartError(`Nothing was changed: ${reasons[stateOf(order) ?? 'none']}`);
    return presentMail(order, 'sent');
  });
  if (values.json) process.stdout.write(`${JSON.stringify(mail)}\n`);
  else process.stderr.write(`The store will send: ${printable(mail.subject)}\n`);
}

/** Why mail is not sent again. */
const reasons: Readonly<Record<MailState | 'none', string>> = {
  waiting: 'this mail waits, and will be tried again.',
  sent: 'this mail was sent.',
  none: 'this order has no mail.',
  // They were due, and are not any more.
  'given-up': 'this mail has just failed again.',
  unverified: 'the store has just decided to send no receipt to this unverified address.',
};

export const mailCommands = { 'mail list': list, 'mail send-again': sendAgain };
