import { type Static, Type } from 'typebox';
import { attemptNamePattern } from './sign-in.ts';

/** The signed-in customer (spec, section 3). */
export const SignedIn = Type.Object(
  {
    userName: Type.String({ description: 'The name that the identity provider knows.' }),
    email: Type.String({ minLength: 1, description: 'As the identity provider has it.' }),
    photo: Type.String({ description: 'An https: address, or empty.' }),
    hasNoReceipts: Type.Optional(
      Type.Literal(true, {
        description:
          'There when the shop sends receipts, but none to this e-mail, which the identity provider has not verified.',
      }),
    ),
  },
  {
    title: 'SignedIn',
    examples: [{ userName: 'A Reader', email: 'reader@example.com', photo: '' }],
  },
);
export type SignedIn = Static<typeof SignedIn>;

/** The response of `GET /auth/session`: null when there is no session. */
export const Session = Type.Union([SignedIn, Type.Null()]);
export type Session = Static<typeof Session>;

/** The body of `POST /auth/sign-out`, which may be absent. */
export const SignOut = Type.Object(
  {
    everywhere: Type.Optional(
      Type.Boolean({ description: 'Whether every session of the customer ends, in all browsers.' }),
    ),
  },
  { title: 'SignOut', examples: [{ everywhere: true }] },
);
export type SignOut = Static<typeof SignOut>;

/** The body of `POST /auth/backchannel-logout` (OpenID Connect Back-Channel Logout 1.0, section 2.5), as a form. */
export const BackchannelLogout = Type.Object(
  { logout_token: Type.String({ minLength: 1, description: 'Signed by the provider.' }) },
  { title: 'BackchannelLogout', examples: [{ logout_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' }] },
);

/** The query of `GET /auth/sign-in`. */
export const SignInQuery = Type.Object(
  {
    attempt: Type.Optional(
      Type.String({
        pattern: attemptNamePattern,
        description: 'Names the channel of a popup. Without it the sign-in takes place in the same tab.',
      }),
    ),
    returnTo: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'The path on the store that the browser comes back to. Any other address counts as `/`.',
      }),
    ),
  },
  { examples: [{ attempt: '5a3f9c1e-0000-4000-8000-000000000000', returnTo: '/orders' }] },
);

/** The parameter of the callback that the store reads; the code exchange checks the others. */
export const SignInCallbackQuery = Type.Object(
  {
    state: Type.Optional(
      Type.String({ maxLength: 500, description: 'As the store sent it to the provider (RFC 6749).' }),
    ),
  },
  { examples: [{ state: 'Zk3xQm1vT0a8' }] },
);
