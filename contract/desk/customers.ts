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
  revenue: Part.Money('What their orders cost in all, without withdrawn and cancelled orders'),
});
export type DeskCustomer = Static<typeof DeskCustomer>;

export const CustomerParams = Type.Object({
  id: Part.Id('The customer’s `_id`.'),
});

export const ErasedCustomer = Part.Named('ErasedCustomer', {
  erased: Type.Literal(true),
  orders: Part.Count('How many orders lost the person; 0 when it is repeated.'),
});
export type ErasedCustomer = Static<typeof ErasedCustomer>;
