import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';

/** The list is closed: rows contain these names, so a name never changes. */
export const actions = [
  'admin-signed-in',
  'book-added',
  'book-edited',
  'book-deleted',
  'book-restored',
  'front-table-book-added',
  'front-table-book-removed',
  'front-table-edited',
  'books-imported',
  'books-exported',
  'way-set',
  'way-removed',
  'orders-marked',
  'order-address-set',
  'order-noted',
  'order-withdrawn',
  'order-settled',
  'page-set',
  'page-removed',
  'orders-exported',
  'payments-imported',
  'customer-exported',
  'customer-signed-out',
  'customer-blocked',
  'customer-unblocked',
  'customer-erased',
  'token-created',
  'token-revoked',
] as const;
export type Action = (typeof actions)[number];

/** An entry of the audit trail. A member is null if there is nothing to tell, or if an older version did not record it. */
export const ActivityEntry = Part.Named('ActivityEntry', {
  at: Part.Text('ISO 8601, UTC.'),
  action: Part.Text('Such as `book-deleted`.'),
  email: Part.Nullable('The admin’s e-mail at that time.'),
  customerId: Part.Nullable('The admin’s id.'),
  address: Part.Nullable('The IP address that the request came from, or `command`.'),
  bookId: Part.Nullable('The book that was changed.'),
  bookTitle: Part.Nullable('Its title at that time.'),
  token: Part.Nullable('The name of the script’s token.'),
  subject: Part.Nullable(
    'What was changed, if it is no book: the id of an order or a customer, the name of a token.',
  ),
  details: Type.Union([
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    Type.Null(),
  ]),
});
export type ActivityEntry = Static<typeof ActivityEntry>;
