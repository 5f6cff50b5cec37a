import { type ActivityEntry, actions } from '../contract/desk/activity.ts';
import { listActivity } from '../server/activity/activity.ts';
import { day, flag, type Option, text, wholeNumber, wordOf } from '../tools/options.ts';
import { command } from './command.ts';
import { inDays } from './days.ts';
import { lineOf, printJson, reportList } from './print.ts';
import { withDatabase } from './with-database.ts';

/** An option without a default: undefined unless it is given. */
const action: Option<string | undefined> = {
  help: 'entries of this action, such as book-deleted',
  valueName: 'name',
  read: (texts) => texts.map((name) => wordOf(name, actions)).at(-1),
};

/** `shop activity`: the audit trail, newest first. */
export const showActivity = command({
  purpose: 'Lists who signed in as an admin, and what admins and scripts did, newest first.',
  options: {
    json: flag('print one JSON array'),
    limit: wholeNumber('how many entries at most', 1_000, 1),
    since: day('entries of this day and later'),
    until: day('entries of this day and earlier'),
    who: text('entries of e-mails and tokens that have this in their name', 'name'),
    action,
  },
  async run({ json, limit, since, until, ...filter }, io) {
    const { entries, nextCursor } = await inDays(io, { since, until }, (_days, times) =>
      withDatabase(io, ({ db }) => listActivity(db, { ...filter, ...times, limit })),
    );
    if (json) {
      printJson(io, entries);
      return;
    }
    for (const { at, action, email, token, address, bookId, bookTitle, subject, details } of entries) {
      const columns = [at, action.padEnd(width), email ?? token, address, bookId ?? subject, bookTitle];
      if (details) columns.push(detailsIn(details));
      io.stdout.write(lineOf(columns.map((column) => column ?? '-')));
    }
    reportList(io, entries.length, nextCursor !== undefined, 'No entry is listed.');
  },
});

const width = Math.max(...actions.map(({ length }) => length));

/** @returns such as `added 12, changed 3, state finished`. */
const detailsIn = (details: NonNullable<ActivityEntry['details']>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${value === '' ? 'nothing' : value}`)
    .join(', ');
