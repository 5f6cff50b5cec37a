import { type Static, Type } from 'typebox';
import * as Part from './schema-parts.ts';

/** A way to get a book. */
export const Way = Part.Named(
  'Way',
  {
    id: Part.Text('The id of the way, which the owner chose.'),
    name: Part.Text('What the buyer reads.'),
    price: Type.Object({ value: Part.Money('What it costs') }),
    asksAddress: Part.Flag('The checkout asks where to send the book.'),
    payOnCollection: Part.Flag('The buyer pays when they collect the book.'),
    line: Part.Text('A line for the buyer; empty for none.'),
  },
  {
    ...{ id: 'post', name: 'Post', price: { value: 4.9 }, asksAddress: true, payOnCollection: false },
    line: 'Two to three working days.',
  },
);
export type Way = Static<typeof Way>;
