/** A count goes no further than this: an exact one would read every order. Without schemas: the browser loads it. */
export const maxCounted = 1_000;
