import { type Static, Type } from 'typebox';
import * as Part from './schema-parts.ts';

export const SignedIn = Part.Named(
  'SignedIn',
  {
    userName: Part.Text('The name that the identity provider knows.'),
    email: Type.String({ minLength: 1, description: 'As the identity provider has it.' }),
    photo: Part.Text('An https: address, or empty.'),
    hasNoReceipts: Part.TrueOrMissing(
      'There when the shop sends receipts, but none to this e-mail, which the identity provider has not verified.',
    ),
  },
  { userName: 'A Reader', email: 'reader@example.com', photo: '' },
);
export type SignedIn = Static<typeof SignedIn>;

export const Session = Type.Union([SignedIn, Type.Null()]);
export type Session = Static<typeof Session>;

export const SignOut = Part.Named(
  'SignOut',
  {
    everywhere: Type.Optional(Part.Flag('Whether every session of the customer ends, in all browsers.')),
  },
  { everywhere: true },
);
export type SignOut = Static<typeof SignOut>;
