/** @returns a number with its noun, such as `1 book`, `1,200 books` or `2 indexes`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : noun.endsWith('x') ? 'es' : 's'}`;
