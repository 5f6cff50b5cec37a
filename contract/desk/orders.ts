import { type Static, Type } from 'typebox';
import { Day, Term } from '../field-formats.ts';
import { maxPageSize } from '../next-page.ts';
import { Nullable, NullableTime, Time } from '../nullable.ts';
import { Order } from '../order.ts';
import { maxNoteLength } from '../order-note.ts';
import { PageCursor, PageLimit, SimilarSpelling } from '../page-parameters.ts';
import { ActivityEntry } from './activity.ts';

const { image: _image, withdrawUntil: _withdrawUntil, ...properties } = Order.properties;

/** An order as the owner sees it. */
export const DeskOrder = Type.Object(
  {
    ...properties,
    placedAt: Time('When the order was placed.'),
    sentAt: NullableTime('When it was marked as sent.'),
    deliveryAddress: Nullable('Where to send it; null where the buyer gave none, or was erased.'),
    addressCorrectedAt: NullableTime('When the address was changed after the order.'),
    withdrawnAt: NullableTime('When it was withdrawn.'),
    withdrawnBy: Type.Union([Type.Enum(['customer', 'shop']), Type.Null()], {
      description: 'Who withdrew it.',
    }),
    withdrawalReason: Nullable('Why; null where no reason was given, or the customer was erased.'),
    refundedAt: NullableTime('When the owner noted that the buyer has the money back.'),
    returnedAt: NullableTime('When the owner noted that the book came back.'),
    note: Nullable('The owner’s own words about it; null for none, and once the customer was erased.'),
    buyer: Type.Object({
      _id: Type.String({ description: 'The customer’s id.' }),
      name: Type.String({ description: 'At the time of the order; empty once the customer was erased.' }),
      email: Type.String({ description: 'At the time of the order; empty once the customer was erased.' }),
    }),
  },
  { title: 'DeskOrder' },
);
export type DeskOrder = Static<typeof DeskOrder>;

const filter = {
  state: Type.Optional(
    Type.Enum(['all', 'new', 'sent', 'withdrawn'], {
      default: 'all',
      description: '`new`: not marked as sent. `new` and `sent` are without those that were withdrawn.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      format: 'term',
      description:
        'Words, in any order, in the buyer’s name or e-mail, the title or the author; or the id of an order. Format term: without control characters.',
    }),
  ),
  spelling: SimilarSpelling('an e-mail or an id has to be as it is'),
  from: Type.Optional(Day('Placed on this day or later, by the clocks of the shop’s zone.')),
  to: Type.Optional(Day('Placed on this day or earlier.')),
};

/** The query parameters of `GET /desk/api/orders`. */
export const DeskOrdersQuery = Type.Object({
  ...filter,
  limit: PageLimit(),
  cursor: PageCursor(64),
});
export type DeskOrdersQuery = Static<typeof DeskOrdersQuery>;

/** The query parameters of `GET /desk/api/orders/counts`. */
export const OrderCountsQuery = Type.Object({ from: filter.from, to: filter.to });

/** The response of `GET /desk/api/orders/{id}`. */
export const OrderWithHistory = Type.Object(
  {
    order: DeskOrder,
    history: Type.Array(ActivityEntry, {
      description: 'What admins and scripts did with it, newest first: at most 100 acts.',
    }),
  },
  { title: 'OrderWithHistory' },
);
export type OrderWithHistory = Static<typeof OrderWithHistory>;

/** The body of `POST /desk/api/orders/{id}/note`. */
export const OrderNote = Type.Object(
  {
    note: Type.String({
      maxLength: maxNoteLength,
      format: 'lines',
      description: 'In lines; an empty text takes the note away.',
    }),
  },
  { title: 'OrderNote' },
);
export type OrderNote = Static<typeof OrderNote>;

/** The query parameters of `GET /desk/api/orders/export`. */
export const OrdersExportQuery = Type.Object({
  ...filter,
  format: Type.Optional(
    Type.Enum(['csv', 'jsonl'], { default: 'csv', description: 'The format of the file.' }),
  ),
});
export type OrdersExportQuery = Static<typeof OrdersExportQuery>;

/** The body of `POST /desk/api/orders/sent`. */
export const MarkOrders = Type.Object(
  {
    ids: Type.Array(Term({ maxLength: 64 }), { minItems: 1, maxItems: maxPageSize }),
    isSent: Type.Boolean({ description: 'False takes the mark back.' }),
  },
  { title: 'MarkOrders' },
);
export type MarkOrders = Static<typeof MarkOrders>;

/** An order in the response of `POST /desk/api/orders/sent`. */
export const MarkedOrder = Type.Object(
  {
    _id: Type.String(),
    sentAt: DeskOrder.properties.sentAt,
    addressCorrectedAt: DeskOrder.properties.addressCorrectedAt,
  },
  { title: 'MarkedOrder' },
);
export type MarkedOrder = Static<typeof MarkedOrder>;

/** The body of `POST /desk/api/orders/{id}/settle`: what became of a withdrawn order. */
export const Settlement = Type.Object(
  {
    isRefunded: Type.Optional(
      Type.Boolean({ description: 'The buyer has the money back. False takes the mark back.' }),
    ),
    isReturned: Type.Optional(
      Type.Boolean({ description: 'The book came back. False takes the mark back.' }),
    ),
  },
  { title: 'Settlement', minProperties: 1 },
);
export type Settlement = Static<typeof Settlement>;
