import { deskScreens } from './desk/paths.ts';
import { parsePattern, screenPatterns, screens } from './paths.ts';

const placeholderOrigin = 'https://store.invalid';

const maxLength = 2000;

const screenPaths = [...screenPatterns, ...deskScreens]
  .filter((pattern) => pattern !== screens.login)
  .map((pattern) => parsePattern(pattern).pattern);

/** The list of screens is closed: another address could leave the store (`//evil`, `/\evil`) or run code there (`/auth/sign-in`, in any encoding). */
export const safeReturnTo = (address: string | undefined): string => {
  if (!address?.startsWith('/') || !URL.canParse(address, placeholderOrigin)) return screens.home;
  // The parser drops tabs and newlines and reads \ as /, as browsers do, so its result is the address they would open.
  const { origin, pathname, search, hash } = new URL(address, placeholderOrigin);
  const isScreen = origin === placeholderOrigin && screenPaths.some((path) => path.test(pathname));
  const place = pathname + search + hash;
  return isScreen && place.length <= maxLength ? place : screens.home;
};

export const isOnDesk = (place: string): boolean => deskScreens.includes(pathOf(place));

export const bookToReturnTo = (place: string): string | undefined => {
  const path = pathOf(place);
  const [start = ''] = screens.checkout.pattern.split(':', 1);
  try {
    return path.startsWith(start) ? decodeURIComponent(path.slice(start.length)) : undefined;
  } catch {
    // This path is not percent-encoded like an id, so the store has no such book.
    return undefined;
  }
};

const pathOf = (place: string): string => place.split(/[?#]/, 1)[0] ?? '';
