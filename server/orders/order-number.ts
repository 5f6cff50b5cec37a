import { randomInt } from 'node:crypto';

/** Letters and digits that are not mistaken for each other, such as 0 for O and 8 for B. */
const letters = 'ACDEFGHJKMNPQRTUWXY34679';
const length = 8;

/** @returns a random number for an order. A number that is used already is refused by the table. */
export const newOrderNumber = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

export const isOrderNumber = (text: string): boolean =>
  text.length === length && [...text].every((letter) => letters.includes(letter));
