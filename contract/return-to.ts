import { paths, screens } from './paths.ts';

/** Placeholder for the store's own origin, which a safe address cannot leave. */
const here = 'https://store.invalid';

const maxLength = 2000;

/** The folder of the sign-in's own pages. */
const signInFolder = paths.signIn.slice(0, paths.signIn.lastIndexOf('/') + 1);

/**
 * The place to go back to after sign-in: a path on the store, or `/` for anything that could lead elsewhere
 * (`//evil`, `/\evil`, `https:evil`, `javascript:`), and for the sign-in itself.
 */
export const safeReturnTo = (address: string | undefined): string => {
  if (!address?.startsWith('/') || !URL.canParse(address, here)) return '/';
  const url = new URL(address, here);
  // The parser drops tabs and newlines and reads \ as /, as browsers do: what it says is what they would follow.
  const isOurs = url.origin === here && !url.pathname.startsWith('//');
  const isSignIn =
    url.pathname.startsWith(signInFolder) || url.pathname.toLowerCase().replace(/\/$/, '') === screens.login;
  const place = url.pathname + url.search + url.hash;
  return isOurs && !isSignIn && place.length <= maxLength ? place : '/';
};
