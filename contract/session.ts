import { type Static, Type } from 'typebox';
import * as Part from './schema-parts.ts';
import { attemptNamePattern } from './sign-in.ts';

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

/** OpenID Connect Back-Channel Logout 1.0, section 2.5. */
export const BackchannelLogout = Part.Named('BackchannelLogout', {
  logout_token: Type.String({ minLength: 1, description: 'Signed by the provider.' }),
});

export const SignInQuery = Type.Object({
  attempt: Type.Optional(
    Type.String({
      pattern: attemptNamePattern,
      description: 'Names the channel of a popup. Without it the sign-in takes place in the same tab.',
    }),
  ),
  returnTo: Part.MaybeWords(
    2000,
    'The path on the store that the browser comes back to. Any other address counts as `/`.',
  ),
});

/** The parameter of the callback that the store reads; the code exchange checks the others. */
export const SignInCallbackQuery = Type.Object({
  state: Part.MaybeWords(500, 'As the store sent it to the provider (RFC 6749).'),
});
