import { type Static, Type } from 'typebox';
import { Day } from '../field-formats.ts';
import { PageLimit } from '../page-parameters.ts';

const revenue = Type.Number({ description: 'What buyers paid, two decimals.' });
const orders = Type.Integer({ description: 'How many orders.' });

const salesPeriods = ['day', 'week', 'month'] as const;
export type SalesPeriod = (typeof salesPeriods)[number];

/** The sales of a day, a week or a month. */
export const Sales = Type.Object(
  {
    from: Type.String({
      description: 'The first day, such as 2026-11-21, in the zone of the shop. A week begins on Monday.',
    }),
    to: Type.String({
      description: 'The last day. The first and the last row are cut at the days of the query.',
    }),
    orders,
    revenue,
  },
  { title: 'Sales' },
);
export type Sales = Static<typeof Sales>;

/** A book by what was sold of it. */
export const BestSeller = Type.Object(
  {
    _id: Type.String({ description: 'The book’s id.' }),
    title: Type.String({ description: 'As it is now, also of a deleted book.' }),
    author: Type.String(),
    orders,
    revenue,
  },
  { title: 'BestSeller' },
);
export type BestSeller = Static<typeof BestSeller>;

/** The query parameters of `GET /desk/api/sales`. */
export const SalesQuery = Type.Object({
  by: Type.Optional(Type.Enum([...salesPeriods], { default: 'day', description: 'What a row stands for.' })),
  from: Type.Optional(Day('The first day. By default there are 30 days, 26 weeks or 24 months.')),
  to: Type.Optional(Day('The last day, by default today.')),
});
export type SalesQuery = Static<typeof SalesQuery>;

/** The query parameters of `GET /desk/api/sales/best-sellers`. */
export const BestSellersQuery = Type.Object({
  from: Type.Optional(
    Day('The first day, by default 29 days before the last one; at most ten years before it.'),
  ),
  to: Type.Optional(Day('The last day, by default today.')),
  limit: PageLimit(20),
});
export type BestSellersQuery = Static<typeof BestSellersQuery>;
