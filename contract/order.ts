import { type Static, Type } from 'typebox';
import { maxAddressLength, maxGiftLength } from './delivery-address.ts';
import { Amount, Term } from './field-formats.ts';
import { centsToAmount, maxCents } from './money.ts';
import * as Part from './schema-parts.ts';
import { Way } from './ways.ts';
import { maxReasonLength } from './withdrawal.ts';

const { name, asksAddress, payOnCollection } = Way.properties;

const DeliveryAddress = Type.String({
  format: 'lines',
  maxLength: maxAddressLength,
  description:
    'Where to send the book: a text whose lines are kept. Blank: none. Format lines: without control characters other than line breaks.',
});

const example = {
  title: 'Emma',
  author: 'Jane Austen',
  price: 12.99,
  time: 'Sat Nov 21 2026',
  bookId: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  deliveryAddress: '1 Hartfield Lane\nHighbury',
};
const exampleId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

export const PaymentState = Type.Enum(['due', 'paid', 'refunded', 'expired'], {
  description:
    '`refunded`: the whole total went back. `expired`: it was not paid in time, or withdrawn before.',
});

/** An order as it is read: a snapshot of the bought book (spec, section 3). The quantity is always 1. */
export const Order = Part.Named(
  'Order',
  {
    _id: Part.Text('The order’s id.'),
    number: Part.Text('Its short name, for people: 8 letters and digits.'),
    title: Part.Text('The book’s title when it was bought.'),
    author: Part.Text('The book’s author when it was bought.'),
    price: Part.Money('The price that was paid'),
    time: Part.Text('The checkout day, as Date.prototype.toDateString() writes it.'),
    placedAt: Part.Time('When it was placed.'),
    bookId: Part.Text('The book’s id. It may be for sale no longer.'),
    image: Type.Optional(Part.Text('The book’s cover, as it is now; only where orders are read.')),
    coverColour: Type.Optional(
      Part.Text('The colour that most of this cover has, if known; only where orders are read.'),
    ),
    bookGone: Part.TrueOrMissing('The shop no longer has a page of the book; only where orders are read.'),
    state: Type.Enum(['new', 'sent', 'withdrawn', 'cancelled'], {
      description: '`new`: not sent yet. `cancelled`: it was not paid in time.',
    }),
    sentAt: Type.Optional(Part.Time('When it was marked as sent; missing before.')),
    tracking: Type.Optional(
      Part.Text('How to follow the parcel: an https address, or a carrier and its number.'),
    ),
    withdrawUntil: Type.Optional(
      Part.Time(
        'The time until which its buyer may withdraw. An order that is not sent yet counts as sent today. Missing when they may not.',
      ),
    ),
    withdrawnAt: Type.Optional(Part.Time('When it was withdrawn.')),
    withdrawnBy: Type.Optional(
      Type.Enum(['customer', 'shop'], { description: 'Who withdrew it; missing unless it is withdrawn.' }),
    ),
    deliveryAddress: Type.Optional(Part.Text('Where it is sent; missing where none was given.')),
    delivery: Type.Optional(
      Type.Object(
        { name, price: Type.Number(), asksAddress, payOnCollection },
        { description: 'The way to get the book, as it was then; missing where the shop had none.' },
      ),
    ),
    total: Part.Money('The price and what the delivery costs'),
    gift: Type.Optional(
      Type.Object(
        { text: Part.Text('The buyer’s words for it, in lines; they may be empty.') },
        { description: 'It is a gift; missing where it is none.' },
      ),
    ),
    payment: Type.Optional(
      Type.Object(
        {
          state: PaymentState,
          until: Part.Time('Until when it can be paid. Then it is cancelled.'),
          ways: Type.Array(Type.String(), {
            description: 'How it can be paid, such as `stripe`; empty when it cannot.',
          }),
          refunded: Type.Optional(Part.Money('What went back; missing while nothing did')),
        },
        { description: 'Missing when it needs no payment, such as one that is paid when it is collected.' },
      ),
    ),
  },
  {
    ...{ _id: exampleId, number: 'K7M3PQRT', ...example, placedAt: '2026-11-21T14:05:09.120Z', state: 'new' },
    delivery: { name: 'Post', price: 4.9, asksAddress: true, payOnCollection: false },
    total: 17.89,
  },
);
export type Order = Static<typeof Order>;

/** The spec's browser app sends its whole shared state. The buyer is the customer of the session. */
export const NewOrder = Part.Named(
  'NewOrder',
  {
    userName: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
    email: Type.Optional(Term({ description: 'When it is sent, it must be the e-mail of the session.' })),
    photo: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
    title: Term({ description: 'The book’s title, as the catalogue has it.' }),
    author: Term({ description: 'The book’s author, as the catalogue has it.' }),
    price: Amount('the price that the customer saw, at most two decimals'),
    time: Term({
      description: 'Today as Date.prototype.toDateString() writes it, within a day of the store’s clock.',
    }),
    deliveryAddress: Type.Optional(DeliveryAddress),
    bookId: Type.Optional(
      Part.Id(
        'The id of the book that the customer saw: this one is sold, or none. Without it, the newest of that title, author and price.',
      ),
    ),
    way: Type.Optional(
      Part.Id('The id of the way to get the book. Where the shop has ways, it must be one of them.'),
    ),
    total: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: centsToAmount(2 * maxCents),
        description: 'What the customer saw: the price and what the delivery costs.',
      }),
    ),
    gift: Type.Optional(
      Type.Object(
        {
          text: Part.MaybeWords(
            maxGiftLength,
            'Words for the person who gets it. Format lines, as an address.',
            'lines',
          ),
        },
        { description: 'It is a gift.' },
      ),
    ),
  },
  { email: 'reader@example.com', ...example, way: 'post', total: 17.89 },
);
export type NewOrder = Static<typeof NewOrder>;

export const AddressCorrection = Part.Named(
  'AddressCorrection',
  { deliveryAddress: DeliveryAddress },
  { deliveryAddress: example.deliveryAddress },
);

export const KnownAddress = Type.Union([
  Part.Named('KnownAddress', { deliveryAddress: Part.Text('The address that a checkout begins with.') }),
  Type.Null(),
]);
export type KnownAddress = Static<typeof KnownAddress>;

export const Withdrawal = Part.Named(
  'Withdrawal',
  {
    reason: Part.MaybeWords(
      maxReasonLength,
      'Why; optional, for the shop and the mail to the buyer. Format lines, as an address.',
      'lines',
    ),
  },
  { reason: 'I have it already.' },
);

export const WithdrawnOrder = Part.Named('WithdrawnOrder', {
  _id: Part.Text('The order’s id.'),
  state: Type.Literal('withdrawn'),
  withdrawnAt: Part.Time('When the withdrawal arrived.'),
});
export type WithdrawnOrder = Static<typeof WithdrawnOrder>;

export const OrderParams = Type.Object({ id: Part.Id('The order’s id.') });

export const OrdersParams = Type.Object({
  email: Term({ maxLength: 320, description: 'The customer’s e-mail.' }),
});

export const OrdersQuery = Type.Object({
  cursor: Part.LongCursor(200),
  limit: Part.PageLimit(),
  book: Type.Optional(Part.Id('Only orders of the book with this id.')),
  order: Type.Optional(Part.Id('Only the order with this id.')),
});
export type OrdersQuery = Static<typeof OrdersQuery>;
