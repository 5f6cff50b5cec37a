import { type Static, Type } from 'typebox';

/** The signed-in customer (spec, section 3). */
export const SignedIn = Type.Object(
  {
    userName: Type.String(),
    email: Type.String({ minLength: 1 }),
    photo: Type.String({ description: 'An https: address, or empty.' }),
  },
  { title: 'SignedIn' },
);
export type SignedIn = Static<typeof SignedIn>;

/** The response of `GET /auth/session`: null when there is no session. */
export const Session = Type.Union([SignedIn, Type.Null()]);
export type Session = Static<typeof Session>;

/** How the browser begins a sign-in. */
export const SignInQuery = Type.Object({
  attempt: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9-]{8,64}$',
      description: 'Names the channel of a popup. Without it the sign-in takes place in the same tab.',
    }),
  ),
  returnTo: Type.Optional(Type.String({ maxLength: 2000 })),
});

/** What the provider adds to the callback's address. The rest of it is checked when the code is exchanged. */
export const SignInCallbackQuery = Type.Object({ state: Type.Optional(Type.String({ maxLength: 500 })) });
