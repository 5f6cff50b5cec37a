import { type Static, Type } from 'typebox';
import { Day, Term } from './field-formats.ts';
import { maxPageSize } from './next-page.ts';
import { NullableTime, Time } from './nullable.ts';
import { Order } from './order.ts';

/** An order as the owner sees it. */
export const DeskOrder = Type.Object(
  {
    ...Order.properties,
    placedAt: Time('When the order was placed.'),
    sentAt: NullableTime('When it was marked as sent.'),
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
  state: Type.Optional(Type.Enum(['all', 'new', 'sent'], { default: 'all' })),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      format: 'term',
      description:
        'Words, in any order, in the buyer’s name or e-mail, the title or the author; or the id of an order. Format term: without control characters.',
    }),
  ),
  from: Type.Optional(Day('Placed on this day (UTC) or later.')),
  to: Type.Optional(Day('Placed on this day (UTC) or earlier.')),
};

/** The query parameters of `GET /desk/api/orders`. */
export const DeskOrdersQuery = Type.Object({
  ...filter,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: maxPageSize })),
  cursor: Type.Optional(Term({ maxLength: 64, description: 'From the Link header of the previous page.' })),
});
export type DeskOrdersQuery = Static<typeof DeskOrdersQuery>;

/** The query parameters of `GET /desk/api/orders/export`. */
export const OrdersExportQuery = Type.Object({
  ...filter,
  format: Type.Optional(Type.Enum(['csv', 'jsonl'], { default: 'csv' })),
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
  { _id: Type.String(), sentAt: DeskOrder.properties.sentAt },
  { title: 'MarkedOrder' },
);
export type MarkedOrder = Static<typeof MarkedOrder>;
