/** The limits of the home screen's front, which the browser knows too. */

/** The most books that the front table has. */
export const maxOnFrontTable = 6;
/** The longest words of the owner, in characters. */
export const maxFrontWords = { heading: 80, words: 300 } as const;
