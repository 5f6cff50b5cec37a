/**
 * What search compares: words without case and accents, in whatever script. Of a word of three letters or more any part
 * is found; one of two letters is found at the start of a word, one of one letter as a word of its own, since the indexes
 * of both engines know three characters in a row, of which the space before a word is one.
 */

/** Letters that Unicode does not decompose, as a reader without them on the keyboard would type them. */
const plainLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
  ς: 'σ',
};
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Text without case and accents, as the shelf sorts titles. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(plainLetter, (letter) => plainLetters[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();

/** Scripts that put no space between words: each letter counts as a word. */
const unspacedLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

const wordsOf = (text: string): string[] =>
  foldText(text)
    .replace(/['’‘ʼ]/g, '')
    .replace(unspacedLetter, ' $& ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** What search finds a book by: its words, each with a space on either side. */
export const searchTextOf = (book: { title: string; author: string }): string =>
  ` ${wordsOf(`${book.title} ${book.author}`).join(' ')} `;

/** What must all be somewhere in the search text, for a query: letters, digits and spaces, three characters at least. */
export const searchPatterns = (query: string): string[] =>
  [...new Set(wordsOf(query))].map((word) => {
    const { length } = [...word];
    if (length === 1) return ` ${word} `;
    return length === 2 ? ` ${word}` : word;
  });
