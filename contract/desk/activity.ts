import { type Static, Type } from 'typebox';
import { Day } from '../field-formats.ts';
import { Nullable } from '../nullable.ts';
import { PageLimit } from '../page-parameters.ts';

/** A closed list: rows are stored with these names, so a name never changes. */
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
  'orders-marked',
  'order-address-set',
  'order-noted',
  'order-withdrawn',
  'order-settled',
  'orders-exported',
  'customer-exported',
  'customer-signed-out',
  'customer-blocked',
  'customer-unblocked',
  'customer-erased',
  'token-created',
  'token-revoked',
] as const;
export type Action = (typeof actions)[number];

/** An entry of the audit trail; null where there is nothing to tell, or an older version of the store did not record it. */
export const ActivityEntry = Type.Object(
  {
    at: Type.String({ description: 'ISO 8601, UTC.' }),
    action: Type.String({ description: 'Such as `book-deleted`.' }),
    email: Nullable('The admin’s e-mail at that time.'),
    customerId: Nullable('The admin’s id.'),
    address: Nullable('The IP address that the request came from, or `command`.'),
    bookId: Nullable('The book that was changed.'),
    bookTitle: Nullable('Its title at that time.'),
    token: Nullable('The name of the script’s token.'),
    subject: Nullable(
      'What was changed, if it is no book: the id of an order or a customer, the name of a token.',
    ),
    details: Type.Union([
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
      Type.Null(),
    ]),
  },
  { title: 'ActivityEntry' },
);
export type ActivityEntry = Static<typeof ActivityEntry>;

/** The query parameters of `GET /desk/api/activity`. */
export const ActivityQuery = Type.Object({
  action: Type.Optional(
    Type.String({ maxLength: 64, format: 'term', description: 'Such as `book-deleted`.' }),
  ),
  who: Type.Optional(
    Type.String({
      maxLength: 320,
      format: 'term',
      description: 'A part of an e-mail or of the name of a token.',
    }),
  ),
  from: Type.Optional(Day('This day and later, by the clocks of the shop’s zone.')),
  to: Type.Optional(Day('This day and earlier.')),
  limit: PageLimit(),
  cursor: Type.Optional(
    Type.Integer({ minimum: 1, description: 'From the Link header of the previous page.' }),
  ),
});
export type ActivityQuery = Static<typeof ActivityQuery>;
