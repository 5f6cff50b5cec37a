/** The store's clock, as its responses tell it: that of a device may be days off. */

/** By how much the store's clock is ahead of that of the device. */
let aheadMs = 0;

/** A response that a cache may have kept tells the time at which it was made, so it is not asked. */
export const readStoreClock = (headers: Headers): void => {
  const at = Date.parse(headers.get('date') ?? '');
  if (at && headers.get('cache-control')?.includes('no-store')) aheadMs = at - Date.now();
};

/** @returns the time on the store's clock, in milliseconds since 1970; before the first response that on the device's. */
export const storeNow = (): number => Date.now() + aheadMs;
