import { type Static, Type } from 'typebox';
import { maxAddressLength } from './delivery-address.ts';
import { Amount, Term } from './field-formats.ts';
import { Time } from './nullable.ts';
import { PageLimit } from './page-parameters.ts';
import { maxReasonLength } from './withdrawal.ts';

/** The address that an order is sent to, as a text of several lines. */
const DeliveryAddress = Type.String({
  format: 'lines',
  maxLength: maxAddressLength,
  description:
    'Where to send the book: a text whose lines are kept. Blank: none. Format lines: without control characters other than line breaks.',
});

/** An order as it is read: a snapshot of the bought book (spec, section 3). The quantity is always 1. */
export const Order = Type.Object(
  {
    _id: Type.String({ description: 'The order’s id.' }),
    title: Type.String({ description: 'Of the book, when it was bought.' }),
    author: Type.String({ description: 'Of the book, when it was bought.' }),
    price: Type.Number({ description: 'The price that was paid, two decimals.' }),
    time: Type.String({ description: 'The checkout day, as Date.prototype.toDateString() writes it.' }),
    placedAt: Time('When it was placed.'),
    bookId: Type.String({ description: 'The book’s id. It may be for sale no longer.' }),
    image: Type.Optional(Type.String({ description: 'The book’s cover, as it is now; only in the list.' })),
    coverColour: Type.Optional(
      Type.String({
        description: 'The colour that most of this cover has, where the store knows it; only in the list.',
      }),
    ),
    bookGone: Type.Optional(
      Type.Literal(true, { description: 'The shop no longer has a page of the book; only in the list.' }),
    ),
    state: Type.Enum(['new', 'sent', 'withdrawn'], { description: '`new`: not sent yet.' }),
    sentAt: Type.Optional(Time('When it was marked as sent; missing before.')),
    withdrawUntil: Type.Optional(
      Time(
        'Until when its buyer may withdraw. An order that is not sent yet counts as sent today. Missing when they may not.',
      ),
    ),
    withdrawnAt: Type.Optional(Time('When it was withdrawn.')),
    withdrawnBy: Type.Optional(
      Type.Enum(['customer', 'shop'], { description: 'Who withdrew it; missing unless it is withdrawn.' }),
    ),
    deliveryAddress: Type.Optional(
      Type.String({ description: 'Where it is sent; missing where none was given.' }),
    ),
  },
  {
    title: 'Order',
    examples: [
      {
        _id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
        title: 'Emma',
        author: 'Jane Austen',
        price: 12.99,
        time: 'Sat Nov 21 2026',
        placedAt: '2026-11-21T14:05:09.120Z',
        bookId: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
        state: 'new',
        deliveryAddress: '1 Hartfield Lane\nHighbury',
      },
    ],
  },
);
export type Order = Static<typeof Order>;

/**
 * The body of `POST /addOrder`. The spec's browser app sends its whole shared state, so other fields are ignored. The
 * buyer is the customer of the session.
 */
export const NewOrder = Type.Object(
  {
    userName: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
    email: Type.Optional(Term({ description: 'When it is sent, it must be the e-mail of the session.' })),
    photo: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
    title: Term({ description: 'Of the book, as the catalogue has it.' }),
    author: Term({ description: 'Of the book, as the catalogue has it.' }),
    price: Amount('the price that the customer saw, at most two decimals'),
    time: Term({
      description: 'Today as Date.prototype.toDateString() writes it, within a day of the store’s clock.',
    }),
    deliveryAddress: Type.Optional(DeliveryAddress),
    bookId: Type.Optional(
      Term({
        maxLength: 64,
        description:
          'The id of the book that the customer saw: this one is sold, or none. Without it, the newest of that title, author and price.',
      }),
    ),
  },
  {
    title: 'NewOrder',
    examples: [
      {
        email: 'reader@example.com',
        title: 'Emma',
        author: 'Jane Austen',
        price: 12.99,
        time: 'Sat Nov 21 2026',
        bookId: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
      },
    ],
  },
);
export type NewOrder = Static<typeof NewOrder>;

/** The body of `PATCH /order/{id}`. */
export const AddressCorrection = Type.Object(
  { deliveryAddress: DeliveryAddress },
  { title: 'AddressCorrection', examples: [{ deliveryAddress: '1 Hartfield Lane\nHighbury' }] },
);

/** The response of `GET /auth/address`: null where nothing is known. */
export const KnownAddress = Type.Union([
  Type.Object(
    { deliveryAddress: Type.String({ description: 'With which a checkout begins.' }) },
    { title: 'KnownAddress', examples: [{ deliveryAddress: '1 Hartfield Lane\nHighbury' }] },
  ),
  Type.Null(),
]);
export type KnownAddress = Static<typeof KnownAddress>;

/** The body of `POST /withdrawOrder/{id}`, which may be absent, and of the same call of the desk. */
export const Withdrawal = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        format: 'lines',
        maxLength: maxReasonLength,
        description: 'For the shop, and optional. Format lines, as an address.',
      }),
    ),
  },
  { title: 'Withdrawal', examples: [{ reason: 'I have it already.' }] },
);

/** The response of `POST /withdrawOrder/{id}`, the same again and again. */
export const WithdrawnOrder = Type.Object(
  {
    _id: Type.String({ description: 'The order’s id.' }),
    state: Type.Literal('withdrawn'),
    withdrawnAt: Time('When the withdrawal arrived.'),
  },
  {
    title: 'WithdrawnOrder',
    examples: [
      {
        _id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
        state: 'withdrawn',
        withdrawnAt: '2026-11-23T08:21:05.120Z',
      },
    ],
  },
);
export type WithdrawnOrder = Static<typeof WithdrawnOrder>;

/** The id in the path of an order. */
export const OrderParams = Type.Object(
  { id: Term({ maxLength: 64, description: 'The order’s id.' }) },
  { examples: [{ id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }] },
);

/** The customer's e-mail in the path of their orders. */
export const OrdersParams = Type.Object(
  { email: Term({ maxLength: 320, description: 'The customer’s e-mail.' }) },
  { examples: [{ email: 'reader@example.com' }] },
);

/** The query parameters of `GET /allOrder/{email}`. */
export const OrdersQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: 'From the Link header of the previous page.' }),
    ),
    limit: PageLimit(),
    book: Type.Optional(Term({ maxLength: 64, description: 'Only orders of the book with this id.' })),
    order: Type.Optional(Term({ maxLength: 64, description: 'Only the order with this id.' })),
  },
  {
    examples: [
      {
        cursor: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
        book: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
        order: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      },
    ],
  },
);
