import { Type } from 'typebox';
import { ActivityEntry, actions } from '../../../contract/desk/activity.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { Day } from '../../../contract/field-formats.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { Answer, act } from '../../access/act.ts';
import { timesOf } from '../../http/day-range.ts';
import { listActivity as list } from '../activity.ts';

export const listActivity = act({
  method: 'GET',
  path: deskPaths.activity,
  operationId: 'listActivity',
  summary: 'Lists what admins and scripts did, newest first',
  description: 'The audit trail. When more entries may follow, `Link` names the next page.',
  input: {
    query: Type.Object({
      action: Part.MaybeWords(64, 'Such as `book-deleted`.', 'term'),
      who: Part.MaybeWords(320, 'A part of an e-mail or of the name of a token.', 'term'),
      from: Type.Optional(Day('This day and later, by the clocks of the shop’s zone.')),
      to: Type.Optional(Day('This day and earlier.')),
      limit: Part.PageLimit(),
      cursor: Part.NumberCursor(),
    }),
  },
  output: Type.Array(ActivityEntry),
  async run({ listDb, zone }, { query: { limit = maxPageSize, from, to, ...filter } }) {
    const times = timesOf({ from, to }, zone);
    const { entries, nextCursor } = await list(listDb, { ...filter, ...times, limit });
    return new Answer(entries, { nextCursor });
  },
  commands: {
    activity: {
      purpose: 'Lists who signed in as an admin, and what admins and scripts did, newest first.',
      limit: 1_000,
      words: { action: actions },
      line: ({ at, action, email, token, address, bookId, bookTitle, subject, details }) =>
        [
          ...[at, action.padEnd(width), email ?? token, address, bookId ?? subject, bookTitle],
          ...(details ? [detailsIn(details)] : []),
        ].map((column) => column ?? '-'),
      whenEmpty: 'No entry is listed.',
    },
  },
});

const width = Math.max(...actions.map(({ length }) => length));

/** @returns details such as `added 12, changed 3, state finished`. */
const detailsIn = (details: NonNullable<ActivityEntry['details']>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${value === '' ? 'nothing' : value}`)
    .join(', ');
