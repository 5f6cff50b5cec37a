/** @returns a number with its noun, such as `1 order` or `1,000 orders`. */
export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
