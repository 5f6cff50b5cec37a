/** Forgiveness for texts that have no index of words: names of buyers, and titles as they were when they were ordered. */

import { mistakesBetween } from './mistakes.ts';
import { latinWords } from './search-text.ts';

const maxWords = 8;
/** Numbers must match exactly: a number with another digit is another number. */
const hasDigit = /\d/;

/** @param q an e-mail or a number finds nothing similar, because a similar one belongs to another customer. */
export function similarityTo(q: string): (text: string) => boolean {
  const words = q.includes('@') ? [] : latinWords(q).slice(0, maxWords);
  if (words.length === 0) return () => false;
  const typed = words.join('');
  return (text) => {
    const others = latinWords(text);
    const joined = others.join('');
    const isInText = (word: string) =>
      joined.includes(word) ||
      (!hasDigit.test(word) && others.some((other) => mistakesBetween(word, other) !== undefined));
    return joined.includes(typed) || words.every(isInText);
  };
}
