import { type Static, Type } from 'typebox';
import { Amount } from './formats.ts';

/** An order as read back: a snapshot of what was bought (spec section 3). The quantity is always 1. */
export const Order = Type.Object(
  {
    _id: Type.String(),
    title: Type.String(),
    author: Type.String(),
    price: Type.Number({ description: 'What was paid, two decimals.' }),
    time: Type.String({ description: 'The checkout day, as Date.prototype.toDateString() writes it.' }),
  },
  { title: 'Order' },
);
export type Order = Static<typeof Order>;

/**
 * What the checkout posts: the spec's browser sends its whole shared state, so fields that are not named here are
 * ignored, and the buyer is taken from the session.
 */
export const NewOrder = Type.Object(
  {
    userName: Type.Optional(Type.Unknown()),
    email: Type.Optional(Type.String({ description: 'Must be the signed-in e-mail when it is sent.' })),
    photo: Type.Optional(Type.Unknown()),
    title: Type.String({ minLength: 1 }),
    author: Type.String({ minLength: 1 }),
    price: Amount('the price of the book as it was shown, at most two decimals'),
    time: Type.String({
      minLength: 1,
      description: 'Today as Date.prototype.toDateString() writes it, within a day of the store’s clock.',
    }),
  },
  { title: 'NewOrder' },
);
export type NewOrder = Static<typeof NewOrder>;

export const OrderHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The same key again answers the same order, once.',
    }),
  ),
});

export const OrdersParams = Type.Object({ email: Type.String({ minLength: 1, maxLength: 320 }) });

export const OrdersQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
});
