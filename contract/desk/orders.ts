import { type Static, Type } from 'typebox';
import { maxTrackingLength } from '../delivery-address.ts';
import { Day, OptionalText, Term } from '../field-formats.ts';
import { Order, PaymentState } from '../order.ts';
import * as Part from '../schema-parts.ts';
import { ActivityEntry } from './activity.ts';
import { maxAtOnce, maxNoteLength } from './limits.ts';

const { withdrawUntil: _withdrawUntil, ...properties } = Order.properties;

export const DeskOrder = Part.Named('DeskOrder', {
  ...properties,
  sentAt: Part.NullableTime('When it was marked as sent.'),
  tracking: Part.Nullable('How to follow the parcel; null for nothing, and once the customer was erased.'),
  deliveryAddress: Part.Nullable('Where to send it; null where the buyer gave none, or was erased.'),
  addressCorrectedAt: Part.NullableTime('When the address was changed after the order.'),
  withdrawnAt: Part.NullableTime('When it was withdrawn.'),
  withdrawnBy: Type.Union([Type.Enum(['customer', 'shop']), Type.Null()], {
    description: 'Who withdrew it.',
  }),
  withdrawalReason: Part.Nullable('Why; null where no reason was given, or the customer was erased.'),
  refundedAt: Part.NullableTime('When the owner noted that the buyer has the money back.'),
  returnedAt: Part.NullableTime('When the owner noted that the book came back.'),
  currency: Part.Text('The currency of its price: a code of ISO 4217.'),
  cancelledAt: Part.NullableTime('When it was cancelled, because it was not paid in time.'),
  note: Part.Nullable('The owner’s own words about it; null for none, and once the customer was erased.'),
  buyer: Type.Object({
    _id: Part.Text('The customer’s id.'),
    name: Part.Text('At the time of the order; empty once the customer was erased.'),
    email: Part.Text('At the time of the order; empty once the customer was erased.'),
  }),
  payment: Type.Optional(
    Type.Object(
      {
        state: PaymentState,
        until: Part.Time('Until when it can be paid.'),
        way: Part.Nullable(
          'How it was paid, such as `stripe` or `transfer`; `hand`: the shop has marked it.',
        ),
        paidAt: Part.NullableTime('When it was paid.'),
        paid: Part.Money('What came for it, with what was paid twice'),
        refunded: Part.Money('What of that went back'),
      },
      { description: 'Missing when it needs no payment.' },
    ),
  ),
});
export type DeskOrder = Static<typeof DeskOrder>;

const days = {
  from: Type.Optional(Day('Placed on this day or later, by the clocks of the shop’s zone.')),
  to: Type.Optional(Day('Placed on this day or earlier.')),
};
const filter = {
  state: Part.Choice(
    ['all', 'new', 'sent', 'due', 'withdrawn', 'cancelled', 'surplus', 'no-address'],
    'Which orders. `new`: the shop can send them now. `due`: the buyer has to pay first. `new` and `sent` have no withdrawn and no cancelled orders. `surplus`: money came twice or too late, and has not gone back. `no-address`: those of `new` whose way asks for an address, and that have none.',
  ),
  q: Part.MaybeWords(
    200,
    'Words, in any order, in the buyer’s name or e-mail, the title or the author; or the id or the number of an order. Format term: without control characters.',
    'term',
  ),
  spelling: Part.SimilarSpelling('an e-mail or an id has to be as it is'),
  ...days,
};

export const DeskOrdersQuery = Type.Object({
  ...filter,
  limit: Part.PageLimit(),
  cursor: Part.PageCursor(64),
});

export const OrderCountsQuery = Type.Object(days);

export const OrdersExportQuery = Type.Object({
  ...filter,
  format: Part.Choice(['csv', 'jsonl'], 'The format of the file.'),
});
export type OrdersExportQuery = Static<typeof OrdersExportQuery>;

export const OrderWithHistory = Part.Named('OrderWithHistory', {
  order: DeskOrder,
  history: Type.Array(ActivityEntry, {
    description: 'What admins and scripts did with it, newest first: at most 100 acts.',
  }),
});
export type OrderWithHistory = Static<typeof OrderWithHistory>;

export const OrderNote = Part.Named('OrderNote', {
  note: Type.String({
    maxLength: maxNoteLength,
    format: 'lines',
    description: 'In lines; an empty text takes the note away.',
  }),
});
export type OrderNote = Static<typeof OrderNote>;

export const MarkOrders = Part.Named('MarkOrders', {
  ids: Type.Array(Term({ maxLength: 64 }), { minItems: 1, maxItems: maxAtOnce }),
  isSent: Part.Flag('False takes the mark back.'),
  tracking: Type.Optional(
    OptionalText('line', {
      maxLength: maxTrackingLength,
      description:
        'How to follow the parcel: an https address, or a carrier and its number. It replaces that of orders that are sent already.',
    }),
  ),
});

const { sentAt, addressCorrectedAt } = DeskOrder.properties;
export const MarkedOrder = Part.Named('MarkedOrder', {
  _id: Type.String(),
  sentAt,
  addressCorrectedAt,
  isChanged: Part.Flag('This call has marked it, or taken its mark back: it was not so already.'),
});
export type MarkedOrder = Static<typeof MarkedOrder>;

export const Settlement = Type.Object(
  {
    isRefunded: Type.Optional(Part.Flag('The buyer has the money back. False takes the mark back.')),
    isReturned: Type.Optional(Part.Flag('The book came back. False takes the mark back.')),
  },
  { title: 'Settlement', minProperties: 1 },
);
export type Settlement = Static<typeof Settlement>;
