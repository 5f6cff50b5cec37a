/** The browser loads this file, so it has no schemas. */

/** A count goes no further: an exact one would read every order. */
export const maxCounted = 1_000;

/** @returns a count of the store in words, such as `999` or `1,000+`. */
export const countText = (count: number): string =>
  count >= maxCounted ? `${maxCounted.toLocaleString('en')}+` : count.toLocaleString('en');

/** In characters. */
export const maxNoteLength = 1000;

/** An act takes so many orders or books at once, all in one call. */
export const maxAtOnce = 1_000;

/** The store finds no customer by fewer characters. */
export const minCustomerSearch = 3;
