/** The desk is a page of its own: an address that is not on it is loaded, not only shown. */
import type { AroundNavHandler } from 'wouter';
import { deskScreens } from '../../contract/desk/paths.ts';

let isLeaving = false;

// Back has brought the desk as it was when it was left.
window.addEventListener('pageshow', () => {
  isLeaving = false;
});

/**
 * Loads an address that is not on the desk. The first one counts: a sign-out leads home, and the session that it ends would lead to
 * the login.
 * @param next the handler that navigates on the desk.
 */
export const leavingTheDesk =
  (next: AroundNavHandler): AroundNavHandler =>
  (navigate, to, options) => {
    if (deskScreens.includes(new URL(to, window.location.href).pathname)) return next(navigate, to, options);
    if (isLeaving) return;
    isLeaving = true;
    const returnTo: unknown = options?.state?.returnTo;
    const address = typeof returnTo === 'string' ? `${to}?${new URLSearchParams({ returnTo })}` : to;
    if (options?.replace) window.location.replace(address);
    else window.location.assign(address);
  };
