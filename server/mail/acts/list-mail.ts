import { Type } from 'typebox';
import { DeskMails } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { Answer, act } from '../../access/act.ts';
import { listMail as list } from '../desk-mail.ts';

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
