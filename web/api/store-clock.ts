/** The store's clock, read from its responses, because the clock of a device may be days off. */

/** How many milliseconds the store's clock is ahead of the device's. */
let aheadMs = 0;

/** A response from a cache has the time at which it was made, so such a response does not set the clock. */
export const readStoreClock = (headers: Headers): void => {
  const at = Date.parse(headers.get('date') ?? '');
  if (at && headers.get('cache-control')?.includes('no-store')) aheadMs = at - Date.now();
};

/** @returns the time on the store's clock, in milliseconds since 1970; before the first response, the device's time. */
export const storeNow = (): number => Date.now() + aheadMs;
