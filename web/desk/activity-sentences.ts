/** The entries of the audit trail as sentences, for the activity and for the history of an order. */

import { counted } from '../../contract/counted.ts';
import type { Action, ActivityEntry } from '../../contract/desk/activity.ts';

/** The name of each kind of action, for the filter, and for an entry that has no more to tell. */
export const actionNames: Record<Action, string> = {
  'admin-signed-in': 'Signed in as an admin',
  'book-added': 'Added a book',
  'book-edited': 'Changed a book',
  'book-deleted': 'Deleted a book',
  'book-restored': 'Restored a book',
  'front-table-book-added': 'Put a book on the front table',
  'front-table-book-removed': 'Took a book off the front table',
  'front-table-edited': 'Changed the words of the front table',
  'books-imported': 'Imported books',
  'books-exported': 'Exported the books',
  'orders-marked': 'Marked orders',
  'order-address-set': 'Changed where an order is sent',
  'order-noted': 'Added a note to an order',
  'order-withdrawn': 'Withdrew an order',
  'order-settled': 'Noted what became of a withdrawn order',
  'orders-exported': 'Exported orders',
  'customer-exported': 'Exported a customer',
  'customer-signed-out': 'Signed a customer out',
  'customer-blocked': 'Blocked a customer',
  'customer-unblocked': 'Unblocked a customer',
  'customer-erased': 'Erased a customer',
  'token-created': 'Created a token',
  'token-revoked': 'Revoked a token',
};

type Details = NonNullable<ActivityEntry['details']>;

const numberText = (number: unknown): string => Number(number ?? 0).toLocaleString('en');

/** By action, a sentence with the details; undefined where an older version has not recorded them. */
const sentences: Partial<Record<Action, (details: Details, subject: string | null) => string | undefined>> = {
  'books-imported': ({ added, changed, restored, errors, state, line }) => {
    if (added === undefined) return undefined;
    const counts = [
      `${numberText(added)} added`,
      `${numberText(Number(changed) - Number(restored ?? 0))} changed`,
      ...(restored ? [`${numberText(restored)} restored`] : []),
      ...(errors ? [counted(Number(errors), 'wrong row')] : []),
    ];
    // The process of one that is `running` may have ended.
    const isFinished = state !== 'running' && state !== 'stopped';
    const end = state === 'stopped' ? '; stopped at line' : '; not finished, at line';
    return `Imported books: ${counts.join(', ')}${isFinished ? '' : `${end} ${numberText(line)}`}`;
  },
  'orders-marked': ({ isSent, orders }) =>
    orders === undefined
      ? undefined
      : `Marked ${counted(Number(orders), 'order')} as ${isSent ? 'sent' : 'new'}`,
  'order-noted': ({ isNoted }) => (isNoted ? undefined : 'Removed a note'),
  'order-withdrawn': ({ isSent }) => (isSent ? undefined : 'Cancelled an order'),
  'order-settled': ({ isRefunded, isReturned }) => {
    const notes = [
      ...(isRefunded === undefined ? [] : [isRefunded ? 'refunded' : 'not refunded']),
      ...(isReturned === undefined ? [] : [isReturned ? 'returned' : 'not returned']),
    ];
    return `Marked a withdrawn order as ${notes.join(' and ')}`;
  },
  'orders-exported': ({ format, state, isSearch }) => {
    if (format === undefined) return undefined;
    const which = state && state !== 'all' ? `the ${state} orders` : 'the orders';
    return `Exported ${which}${isSearch ? ' of a search' : ''} as ${format === 'csv' ? 'CSV' : 'JSON Lines'}`;
  },
  'customer-signed-out': ({ sessions }) =>
    sessions === undefined ? undefined : `Signed a customer out of ${counted(Number(sessions), 'browser')}`,
  'token-created': ({ may }, name) => `Created the token ${name}${may ? ` for the ${may}` : ''}`,
  'token-revoked': (_details, name) => `Revoked the token ${name}`,
};

/** @returns the sentence of an entry. */
export function sentenceOf({ action, details, subject }: ActivityEntry): string {
  if (!Object.hasOwn(actionNames, action)) return action;
  const known = action as Action;
  return sentences[known]?.(details ?? {}, subject) ?? actionNames[known];
}
