import { listActivity } from '../../server/activity/activity.ts';
import { day, flag, readOptions, wholeNumber } from '../options.ts';
import { printable } from './printable.ts';
import { withDatabase } from './with-database.ts';

/** `shop activity`: the audit trail, newest first. */
export async function showActivity(args: readonly string[]): Promise<void> {
  const { json, limit, since } = readOptions(
    'npm run shop -- activity',
    'Lists who signed in as an admin, and what admins and scripts did, newest first.',
    {
      json: flag('print one JSON array'),
      limit: wholeNumber('how many entries at most', 1_000, 1),
      since: day('entries of this day (UTC) and later'),
    },
    args,
  );
  const { entries } = await withDatabase(({ db }) => listActivity(db, { limit, since: since?.getTime() }));
  if (json) {
    process.stdout.write(`${JSON.stringify(entries)}\n`);
    return;
  }
  for (const { at, action, email, token, address, bookId, bookTitle, subject } of entries) {
    const columns = [at, action.padEnd(15), email ?? token, address, bookId ?? subject, bookTitle];
    process.stdout.write(`${columns.map((column) => printable(column ?? '-')).join('  ')}\n`);
  }
}
