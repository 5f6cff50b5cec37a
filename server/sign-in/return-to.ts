/** Stands in for the store's own origin, which a safe address cannot leave. */
const here = 'https://store.invalid';

/**
 * The place to go back to after sign-in: a path on the store, or `/` for anything that could lead elsewhere
 * (`//evil`, `/\evil`, `https:evil`, `javascript:`).
 */
export function safeReturnTo(address: string | undefined): string {
  if (!address?.startsWith('/') || address.length > 2000 || !URL.canParse(address, here)) return '/';
  const url = new URL(address, here);
  // The parser drops tabs and newlines and reads \ as /, as browsers do: what it says is what they would follow.
  const isOurs = url.origin === here && !url.pathname.startsWith('//');
  return isOurs && !url.pathname.startsWith('/auth/') ? url.pathname + url.search + url.hash : '/';
}
