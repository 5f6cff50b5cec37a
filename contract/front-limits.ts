/** The limits of the home screen's front, which the browser knows too. */

/** How many books the front table has at most. */
export const maxOnFrontTable = 6;
/** In characters. */
export const maxFrontWords = { heading: 80, words: 300 } as const;
