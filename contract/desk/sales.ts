import { type Static, Type } from 'typebox';
import { Day } from '../field-formats.ts';
import * as Part from '../schema-parts.ts';

const revenue = Part.Money('The prices of the books that were ordered');
const orders = Part.Count('How many orders.');

export const Sales = Part.Named('Sales', {
  from: Part.Text('The first day, such as 2026-11-21, in the zone of the shop. A week begins on Monday.'),
  to: Part.Text('The last day. The first and the last row are cut at the days of the query.'),
  orders,
  revenue,
  delivery: Part.Money('What their delivery costs'),
});
export type Sales = Static<typeof Sales>;

export const BestSeller = Part.Named('BestSeller', {
  _id: Part.Text('The book’s id.'),
  title: Part.Text('As it is now, also of a deleted book.'),
  author: Type.String(),
  orders,
  revenue,
});
export type BestSeller = Static<typeof BestSeller>;

export const SalesQuery = Type.Object({
  by: Part.Choice(['day', 'week', 'month'], 'What a row stands for.'),
  from: Type.Optional(Day('The first day. By default there are 30 days, 26 weeks or 24 months.')),
  to: Type.Optional(Day('The last day, by default today.')),
});
export type SalesQuery = Static<typeof SalesQuery>;
export type SalesPeriod = NonNullable<SalesQuery['by']>;
