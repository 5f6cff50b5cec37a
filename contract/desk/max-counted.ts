/** A count goes no further: an exact one would read every order. The browser loads this file, so it has no schemas. */
export const maxCounted = 1_000;
