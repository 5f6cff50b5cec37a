/** The browser loads this file, so it has no schemas. */

/** The limit of a count, because an exact count would read every order. */
export const maxCounted = 1_000;

/** @returns a count of the store in words, such as `999` or `1,000+`. */
export const countText = (count: number): string =>
  count >= maxCounted ? `${maxCounted.toLocaleString('en')}+` : count.toLocaleString('en');

export const maxNoteLength = 1000;

/** The most orders or books of an act, which is one call. */
export const maxAtOnce = 1_000;

/** The fewest characters by which the store finds customers. */
export const minCustomerSearch = 3;

export const maxWayName = 60;
export const maxWayLine = 200;

export const maxBankFileBytes = 10 * 1024 * 1024;
