import { type Static, Type } from 'typebox';
import { screens } from './paths.ts';
import * as Part from './schema-parts.ts';

const Milliseconds = (description: string) =>
  Type.Optional(
    Type.Number({ minimum: 0, maximum: 60_000, description: `${description}, in milliseconds.` }),
  );

/** How fast a visitor's page was (https://web.dev/articles/vitals). What their browser did not measure is missing. */
export const Vitals = Part.Named(
  'Vitals',
  {
    screen: Type.Enum([...Object.keys(screens), 'other'], {
      description: 'The screen that the page was opened for.',
    }),
    lcp: Milliseconds('Largest Contentful Paint'),
    inp: Milliseconds('Interaction to Next Paint'),
    cls: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Cumulative Layout Shift.' })),
  },
  { screen: 'home', lcp: 812, inp: 48, cls: 0.01 },
);
export type Vitals = Static<typeof Vitals>;
