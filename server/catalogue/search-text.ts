/**
 * The text that search compares: words without case and accents, in any script. A query word of three letters or more
 * matches any part of a word, one of two letters the start of a word, one of one letter a whole word. The reason: the
 * indexes of both engines consist of three characters in a row, and the spaces around a word count as characters.
 */

/** Letters that Unicode does not decompose, and how a visitor without them on the keyboard types them. */
const plainLetters = new Map(
  Object.entries({ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ß: 'ss', ı: 'i', ς: 'σ' }),
);
const plainLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'g');

/** @returns the text in lower case and without accents, with single spaces; titles are sorted by it. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(plainLetter, (letter) => plainLetters.get(letter) ?? letter)
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

/** @returns the words of title and author, normalized, each between spaces: {@link searchPatterns} match this text. */
export const searchTextOf = (book: { title: string; author: string }): string =>
  ` ${wordsOf(`${book.title} ${book.author}`).join(' ')} `;

/**
 * @param query what the visitor typed.
 * @returns the texts that a book's search text must all contain; empty when the query has no words. Each has at least
 * three characters, and only letters, digits and spaces, so that `like` and `match` need no escaping.
 */
export const searchPatterns = (query: string): string[] =>
  [...new Set(wordsOf(query))].map((word) => {
    const { length } = [...word];
    if (length === 1) return ` ${word} `;
    return length === 2 ? ` ${word}` : word;
  });
