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
  '’': "'",
  '‘': "'",
  ʼ: "'",
};
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Text as search and sorting compare it: without case, accents and surplus space. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(plainLetter, (letter) => plainLetters[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();

/** What search finds a book by. */
export const searchTextOf = (book: { title: string; author: string }): string =>
  foldText(`${book.title} ${book.author}`);

/** The words of a query, each of which must be in the search text. */
export const searchWords = (query: string): string[] =>
  [...new Set(foldText(query).split(' '))].filter(Boolean);
