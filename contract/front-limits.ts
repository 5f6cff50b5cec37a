/** The limits of the home screen's front, which the browser knows too. */

export const maxOnFrontTable = 6;
/** A row with fewer books is left out. */
export const minInRow = 6;
export const maxFrontWords = { heading: 80, words: 300 } as const;
