import { paths } from '../../contract/paths.ts';
import type { Session, SignOut } from '../../contract/session.ts';
import { read, send } from './calls.ts';

/** The session of this browser: the customer, or null. Fetched once; a sign-in and a sign-out update it. */
export const sessionQuery = {
  ...read<Session>('session', paths.session),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
};

/** Ends the session on the server; with `everywhere`, all sessions of its customer. */
export const signOut = (options: SignOut): Promise<void> => send('POST', paths.signOut, options);
