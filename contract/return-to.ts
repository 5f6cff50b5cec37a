import { paths, screens } from './paths.ts';

/** Stands for the store's origin while an address is resolved. */
const placeholderOrigin = 'https://store.invalid';

const maxLength = 2000;

/** The folder of the sign-in's pages. */
const signInFolder = paths.signIn.slice(0, paths.signIn.lastIndexOf('/') + 1);

/**
 * @param address the requested place to return to after a sign-in; not trusted.
 * @returns the same place as a path on the store. The home screen for an address that could leave the store (`//evil`,
 * `/\evil`, `https:evil`, `javascript:`), for one that is too long, and for the sign-in itself.
 */
export const safeReturnTo = (address: string | undefined): string => {
  if (!address?.startsWith('/') || !URL.canParse(address, placeholderOrigin)) return screens.home;
  const url = new URL(address, placeholderOrigin);
  // The parser drops tabs and newlines and reads \ as /, as browsers do, so its result is the address they would open.
  const isOnStore = url.origin === placeholderOrigin && !url.pathname.startsWith('//');
  const isSignIn =
    url.pathname.startsWith(signInFolder) || url.pathname.toLowerCase().replace(/\/$/, '') === screens.login;
  const path = url.pathname + url.search + url.hash;
  return isOnStore && !isSignIn && path.length <= maxLength ? path : screens.home;
};
