import { type ActivityEntry, actions } from '../../contract/desk-activity.ts';
import { listActivity } from '../../server/activity/activity.ts';
import { day, flag, type Option, OptionError, readOptions, text, wholeNumber } from '../options.ts';
import { inDays } from './days.ts';
import { printable } from './printable.ts';
import { reportList } from './report-list.ts';
import { withDatabase } from './with-database.ts';

const action: Option<string | undefined> = {
  help: 'entries of this action, such as book-deleted',
  valueName: 'name',
  read(texts) {
    const given = texts.at(-1);
    if (given === undefined) return undefined;
    const known = actions.find((one) => one === given);
    if (!known) throw new OptionError(`"${given}" is none of ${actions.join(', ')}`);
    return known;
  },
};

/** `shop activity`: the audit trail, newest first. */
export async function showActivity(args: readonly string[]): Promise<void> {
  const { json, limit, since, until, ...filter } = readOptions(
    'npm run shop -- activity',
    'Lists who signed in as an admin, and what admins and scripts did, newest first.',
    {
      json: flag('print one JSON array'),
      limit: wholeNumber('how many entries at most', 1_000, 1),
      since: day('entries of this day (UTC) and later'),
      until: day('entries of this day (UTC) and earlier'),
      who: text('entries of e-mails and tokens that have this in their name', 'name'),
      action,
    },
    args,
  );
  const { entries, nextCursor } = await inDays({ since, until }, (_days, times) =>
    withDatabase(({ db }) => listActivity(db, { ...filter, ...times, limit })),
  );
  if (json) {
    process.stdout.write(`${JSON.stringify(entries)}\n`);
    return;
  }
  for (const { at, action, email, token, address, bookId, bookTitle, subject, details } of entries) {
    const columns = [at, action.padEnd(width), email ?? token, address, bookId ?? subject, bookTitle];
    if (details) columns.push(detailsIn(details));
    process.stdout.write(`${columns.map((column) => printable(column ?? '-')).join('  ')}\n`);
  }
  reportList(entries.length, nextCursor !== undefined, 'No entry is listed.');
}

const width = Math.max(...actions.map(({ length }) => length));

/** @returns such as `added 12, changed 3, state finished`. */
const detailsIn = (details: NonNullable<ActivityEntry['details']>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${value === '' ? 'nothing' : value}`)
    .join(', ');
