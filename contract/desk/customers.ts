import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';

export const DeskCustomer = Part.Named('DeskCustomer', {
  _id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  photo: Part.Text('An https: address, or empty.'),
  createdAt: Part.Text('When they signed in first. ISO 8601, UTC.'),
  lastSeenAt: Type.Union([
    Part.Text('When a session was used last, to about an hour. ISO 8601, UTC.'),
    Type.Null({ description: 'Without a session.' }),
  ]),
  isBlocked: Type.Boolean(),
  orders: Type.Integer(),
  unsentOrders: Part.Count('Those that are to be sent.'),
  revenue: Part.Money('What they paid in all, without withdrawn orders'),
});
export type DeskCustomer = Static<typeof DeskCustomer>;

const Sought = (description: string) =>
  Type.Optional(Type.String({ format: 'term', minLength: 3, maxLength: 320, description }));

/** One of these is there, or `sort`. */
export const CustomersQuery = Type.Object({
  q: Sought(
    'The beginning of an e-mail, of a name or of its last word, at least three characters, or an id. The case of ASCII letters is ignored.',
  ),
  email: Sought('Another name of `q`.'),
  spelling: Part.SimilarSpelling('of names alone, among the 20,000 customers who came last'),
  sort: Type.Optional(
    Type.Enum(['newest', 'best'], {
      description: 'In place of a search: the ten customers who came last, or who paid most.',
    }),
  ),
});

export const CustomerParams = Type.Object({
  id: Part.Id('The customer’s `_id`.'),
});

export const CustomerOrdersQuery = Type.Object({ limit: Part.PageLimit(), cursor: Part.PageCursor(64) });

export const EndedSessions = Part.Named('EndedSessions', { sessions: Part.Count('How many ended.') });

export const ErasedCustomer = Part.Named('ErasedCustomer', {
  erased: Type.Literal(true),
  orders: Part.Count('How many orders lost the person; 0 when it is repeated.'),
});
export type ErasedCustomer = Static<typeof ErasedCustomer>;
