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
