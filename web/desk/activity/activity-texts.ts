/** What an entry of the audit trail tells beside its sentence: what an edit changed, and where its book, order or customer is. */

import { bookFields, capitalized } from '../../../contract/book-fields.ts';
import type { ActivityEntry } from '../../../contract/desk/activity.ts';
import { type DeskView, deskViewAddress } from '../../../contract/desk/paths.ts';
import { formatPrice } from '../../../contract/price.ts';
import { isUuid } from '../../../contract/uuid.ts';
import { withFilters } from '../../api/calls.ts';

/** @returns what an edit has changed, such as `Price $12.99 → $10.99`. */
export function changesOf({ action, details }: ActivityEntry): string[] {
  if (action !== 'book-edited' || !details) return [];
  const changes = bookFields.flatMap(({ name, kind, inTrail }) => {
    const [before, after] = [details[inTrail.old], details[inTrail.new]];
    if (before === undefined || after === undefined) return [];
    const textOf = kind === 'count' ? copiesText : valueText;
    return `${capitalized(name)} ${textOf(before)} → ${textOf(after)}`;
  });
  // Older versions have recorded the names alone.
  return changes.length === 0 && details['fields'] ? [String(details['fields'])] : changes;
}

/** The length of a description's beginning, in characters. */
const maxShown = 200;

const valueText = (value: string | number | boolean): string => {
  if (typeof value === 'number') return formatPrice(value);
  const text = String(value);
  if (text.length > maxShown) return `“${text.slice(0, maxShown).toWellFormed()}…”`;
  return text === '' ? 'nothing' : `“${text}”`;
};

const copiesText = (value: string | number | boolean): string => (value === '' ? 'unlimited' : String(value));

/** @returns the address of the book of an entry; undefined for none. */
export function bookAddressOf({ action, bookId, bookTitle }: ActivityEntry): string | undefined {
  if (bookId === null || bookTitle === null) return undefined;
  const state = action === 'book-deleted' ? 'deleted' : '';
  return withFilters(deskViewAddress('books'), { q: isUuid(bookId) ? bookId : bookTitle, state });
}

/** @returns the address of the order or the customer of an entry, and the words of a link to it. */
export function subjectOf({ action, subject }: ActivityEntry) {
  if (subject === null || !isUuid(subject)) return undefined;
  const at = (view: DeskView) => withFilters(deskViewAddress(view), { q: subject });
  if (action.startsWith('order')) return { words: 'See the order', address: at('orders') };
  if (!action.startsWith('customer-') || action === 'customer-erased') return undefined;
  return { words: 'See the customer', address: at('customers') };
}
