import { type Static, Type } from 'typebox';
import { Amount, Term } from './field-formats.ts';
import { maxPageSize } from './next-page.ts';

/** An order as it is read: a snapshot of the bought book (spec, section 3). The quantity is always 1. */
export const Order = Type.Object(
  {
    _id: Type.String(),
    title: Type.String(),
    author: Type.String(),
    price: Type.Number({ description: 'The price that was paid, two decimals.' }),
    time: Type.String({ description: 'The checkout day, as Date.prototype.toDateString() writes it.' }),
  },
  { title: 'Order' },
);
export type Order = Static<typeof Order>;

/**
 * The body of `POST /addOrder`. The spec's browser app sends its whole shared state, so other fields are ignored. The
 * buyer is the customer of the session.
 */
export const NewOrder = Type.Object(
  {
    userName: Type.Optional(Type.Unknown()),
    email: Type.Optional(Term({ description: 'When it is sent, it must be the e-mail of the session.' })),
    photo: Type.Optional(Type.Unknown()),
    title: Term(),
    author: Term(),
    price: Amount('the price that the customer saw, at most two decimals'),
    time: Term({
      description: 'Today as Date.prototype.toDateString() writes it, within a day of the store’s clock.',
    }),
  },
  { title: 'NewOrder' },
);
export type NewOrder = Static<typeof NewOrder>;

/** The customer's e-mail in the path of their orders. */
export const OrdersParams = Type.Object({ email: Term({ maxLength: 320 }) });

/** The query parameters of `GET /allOrder/{email}`. */
export const OrdersQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: maxPageSize })),
});
