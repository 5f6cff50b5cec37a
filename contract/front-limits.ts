/** The limits of the home screen's front, which the browser knows too. */

export const maxOnFrontTable = 6;
export const maxFrontWords = { heading: 80, words: 300 } as const;
