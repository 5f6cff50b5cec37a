/** The entries of the audit trail in words, for the activity and for the history of an order. */

import { bookFields } from '../../contract/book-fields.ts';
import { counted } from '../../contract/counted.ts';
import type { Action, ActivityEntry } from '../../contract/desk/activity.ts';
import { type DeskView, deskViewAddress } from '../../contract/desk/paths.ts';
import { isUuid } from '../../contract/uuid.ts';
import { money } from '../store-config.ts';

/** The name of each kind of action, for the filter, and for an entry that has no more to tell. */
export const actionNames: Record<Action, string> = {
  'admin-signed-in': 'Signed in as an admin',
  'book-added': 'Added a book',
  'book-edited': 'Changed a book',
  'book-deleted': 'Deleted a book',
  'book-restored': 'Restored a book',
  'front-table-book-added': 'Put a book on the front table',
  'front-table-book-removed': 'Took a book off the front table',
  'front-table-edited': 'Changed the front table',
  'books-imported': 'Imported books',
  'books-exported': 'Exported the books',
  'way-set': 'Set a way to get a book',
  'way-removed': 'Removed a way to get a book',
  'orders-marked': 'Marked orders',
  'order-address-set': 'Changed where an order is sent',
  'order-noted': 'Added a note to an order',
  'order-withdrawn': 'Withdrew an order',
  'order-settled': 'Refunded an order, or noted its return',
  'page-set': 'Changed a page of the shop',
  'page-removed': 'Removed a page of the shop',
  'orders-exported': 'Exported orders',
  'payments-imported': 'Imported payments',
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

/** The sentence for each action, with its details; undefined if the name of the action says it all. */
const sentences: Partial<Record<Action, (details: Details, subject: string | null) => string | undefined>> = {
  'books-imported': ({ added, changed, restored, errors, state, line }) => {
    const counts = [
      `${numberText(added)} added`,
      `${numberText(Number(changed) - Number(restored ?? 0))} changed`,
      ...(restored ? [`${numberText(restored)} restored`] : []),
      ...(errors ? [counted(Number(errors), 'wrong row')] : []),
    ];
    // An import that is still `running` may have lost its process.
    const ends: Details = { running: 'not finished, at line', stopped: 'stopped at line' };
    const end = ends[String(state)];
    return `Imported books: ${counts.join(', ')}${end ? `; ${end} ${numberText(line)}` : ''}`;
  },
  'way-set': ({ name, price }) => `Set the way “${name}” at ${money.format(Number(price))}`,
  'way-removed': ({ name }) => `Removed the way “${name}”`,
  'orders-marked': ({ isSent, isPaid, isTracking, orders }) => {
    if (isTracking) return `Changed the tracking of ${counted(Number(orders), 'order')}`;
    const state = isPaid === undefined ? (isSent ? 'sent' : 'new') : isPaid ? 'paid' : 'not paid';
    return `Marked ${counted(Number(orders), 'order')} as ${state}`;
  },
  'order-noted': ({ isNoted }) => (isNoted ? undefined : 'Removed a note'),
  'order-withdrawn': ({ isSent }) => (isSent ? undefined : 'Cancelled an order'),
  'order-settled': ({ isRefunded, isAsked, isReturned }) => {
    const refund = isAsked ? 'to be refunded' : 'refunded';
    const notes = Object.entries({ [refund]: isRefunded, returned: isReturned }).flatMap(([state, is]) =>
      is === undefined ? [] : is ? state : `not ${state}`,
    );
    return `Marked an order as ${notes.join(' and ')}`;
  },
  'page-set': ({ title }) => `Changed the page “${title}”`,
  'page-removed': ({ title }) => `Removed the page “${title}”`,
  'orders-exported': ({ format, state, isSearch }) => {
    const which = state && state !== 'all' ? `the ${state} orders` : 'the orders';
    return `Exported ${which}${isSearch ? ' of a search' : ''} as ${format === 'csv' ? 'CSV' : 'JSON Lines'}`;
  },
  'payments-imported': ({ marked, left }) =>
    `Imported payments: ${counted(Number(marked), 'order')} paid, ${numberText(left)} left`,
  'customer-signed-out': ({ sessions }) => `Signed a customer out of ${counted(Number(sessions), 'browser')}`,
  'token-created': ({ may }, name) => `Created the token ${name}${may ? ` for the ${may}` : ''}`,
};

/** @returns the sentence of an entry; for an unknown action of a newer version, the action's own name. */
export function sentenceOf({ action, details, subject }: ActivityEntry): string {
  if (!Object.hasOwn(actionNames, action)) return action;
  if (action === 'token-revoked') return `Revoked the token ${subject}`;
  const known = action as Action;
  // Versions before 0.1.0 recorded no details.
  return (details && sentences[known]?.(details, subject)) ?? actionNames[known];
}

/** @returns who did it. For `npm run shop`, the trail has `command` in place of an address. */
export function whoOf({ email, token, address }: Partial<ActivityEntry>): string {
  if (token) return `token ${token}`;
  return email ?? (address === 'command' ? 'a command' : 'not known');
}

/** @returns what an edit has changed, such as `Price $12.99 → $10.99`. */
export function changesOf({ action, details }: ActivityEntry): string[] {
  if (action !== 'book-edited' || !details) return [];
  const changes = bookFields.flatMap(({ label, kind, inTrail }) => {
    const [before, after] = [details[inTrail.old], details[inTrail.new]];
    if (before === undefined || after === undefined) return [];
    const textOf = (value: Value) =>
      kind === 'count' && value === '' ? 'unlimited' : valueText(value, kind === 'price');
    return `${label} ${textOf(before)} → ${textOf(after)}`;
  });
  // Older versions recorded only the names of the changed fields.
  return changes.length === 0 && details['fields'] ? [String(details['fields'])] : changes;
}

/** How many characters of a description are shown. */
const maxShown = 200;

type Value = string | number | boolean;

const valueText = (value: Value, isPrice: boolean): string => {
  if (typeof value === 'number') return isPrice ? money.format(value) : String(value);
  const text = String(value);
  if (text.length > maxShown) return `“${text.slice(0, maxShown).toWellFormed()}…”`;
  return text === '' ? 'nothing' : `“${text}”`;
};

/** @returns the address of the entry's book, order or customer, and the text of a link to it; undefined for none. */
export function subjectOf({ action, bookId, bookTitle, subject }: ActivityEntry) {
  const at = (view: DeskView, q: string, state = '') => deskViewAddress(view, { q, state });
  if (bookId !== null && bookTitle !== null) {
    const state = action === 'book-deleted' ? 'deleted' : '';
    return { words: bookTitle, address: at('books', isUuid(bookId) ? bookId : bookTitle, state) };
  }
  if (subject === null || !isUuid(subject)) return undefined;
  if (action.startsWith('order')) return { words: 'See the order', address: at('orders', subject) };
  if (!action.startsWith('customer-') || action === 'customer-erased') return undefined;
  return { words: 'See the customer', address: at('customers', subject) };
}
