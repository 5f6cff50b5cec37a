import { type Static, Type } from 'typebox';
import { maxWayLine, maxWayName } from './desk/limits.ts';
import { GivenPrice, Line, OptionalText } from './field-formats.ts';
import * as Part from './schema-parts.ts';

const asksAddress = Part.Flag('The checkout asks where to send the book.');
const payOnCollection = Part.Flag('The buyer pays when they collect the book.');
const example = {
  ...{ name: 'Post', price: { value: 4.9 }, asksAddress: true, payOnCollection: false },
  line: 'Two to three working days.',
};

export const Way = Part.Named(
  'Way',
  {
    id: Part.Text('The id that the owner gave it.'),
    name: Part.Text('What the buyer reads.'),
    price: Type.Object({ value: Part.Money('What it costs') }),
    ...{ asksAddress, payOnCollection },
    line: Part.Text('A line for the buyer; empty for none.'),
  },
  { id: 'post', ...example },
);
export type Way = Static<typeof Way>;

export const WaySettings = Part.Named(
  'WaySettings',
  {
    name: Line(maxWayName, 'What the buyer chooses.'),
    price: GivenPrice(),
    asksAddress: Type.Optional(asksAddress),
    payOnCollection: Type.Optional(payOnCollection),
    line: Type.Optional(
      OptionalText('line', { maxLength: maxWayLine, description: 'A line for the buyer.' }),
    ),
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Its place in the list. By default it keeps its place, or is the last.',
      }),
    ),
  },
  example,
);
export type WaySettings = Static<typeof WaySettings>;
