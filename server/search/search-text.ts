/**
 * Search texts have words in Latin letters without case and accents, whatever the script of the book. A query word of three letters or more
 * matches any part of a word, a word of two letters the start of a word, and a single letter a whole word, or the start of a word at the
 * end of the query: both engines index groups of three characters, including the spaces around a word. any-ascii knows no language, but
 * titles and queries are treated alike.
 */

import anyAscii from 'any-ascii';
import {
  type BookDetails,
  type PropertyOf,
  type SearchedFieldName,
  searchedFields,
} from '../../contract/book-fields.ts';
import { maxSlugLength } from '../../contract/book-search.ts';
import { subjectsOf } from '../../contract/subjects.ts';

/** Letters that Unicode does not decompose, and how a visitor without them on the keyboard types them. */
const plainLetters = new Map(
  Object.entries({ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ß: 'ss', ı: 'i', ς: 'σ' }),
);
const plainLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'g');

const nonAscii = /\P{ASCII}/u;
const foldLetters = (text: string, marks: RegExp): string =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(plainLetter, (letter) => plainLetters.get(letter) ?? letter);

export const foldText = (text: string, marks = /\p{M}+/gu): string =>
  (nonAscii.test(text) ? foldLetters(text, marks) : text.toLowerCase()).replace(/\s+/g, ' ').trim();

/** The marks that search removes, except the one of й, which is another letter than и. */
const marksOfSearch = /(?<![иИ])\p{M}+|(?<=[иИ])(?!\u0306)\p{M}+/gu;
/** Invisible characters within words, such as the soft hyphens in text copied from a book. */
const invisible = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

const foldWords = (text: string): string => foldText(text.replace(invisible, ''), marksOfSearch);

/** Initials with dots, as in R.U.R. or J. R. R. Tolkien. */
const initials = /(?<![\p{L}\p{N}])(?:\p{L}\.\s?){2,}/gu;
const unspacedLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

const splitWords = (folded: string): string[] =>
  folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

const joinInitials = (text: string): string =>
  foldWords(text)
    .replace(/['’‘ʼ]/g, '')
    .replace(initials, (letters) => `${letters.replace(/[.\s]/g, '')} `);

/** Words contain ASCII only: for other letters PostgreSQL's index depends on the database's locale, and a search might read every book. */
const codeOf = (letter: string): string => `u${letter.codePointAt(0)?.toString(16)}`;

const toLatin = (word: string): string =>
  nonAscii.test(word)
    ? anyAscii(word)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '') || Array.from(word, codeOf).join('')
    : word;

export const latinWords = (text: string): string[] => splitWords(joinInitials(text)).map(toLatin);

/** Single letters that also count as words: initials, and letters of scripts without spaces. */
const singleLetters = (text: string): string[] => {
  const folded = foldWords(text);
  const initialLetters = [...folded.matchAll(initials)].flatMap(([letters]) => splitWords(letters));
  return [...initialLetters.map(toLatin), ...(folded.match(unspacedLetter) ?? []).map(codeOf)];
};

export type SearchedBook = Pick<BookDetails, PropertyOf<SearchedFieldName>>;

export const searchedTextOf = (book: SearchedBook): string =>
  searchedFields.map(({ property }) => (book as Partial<BookDetails>)[property] ?? '').join(' ');

/** Words and subjects, each between spaces: {@link searchPatterns} and {@link subjectPattern} match this text. */
export function searchTextOf(book: SearchedBook): string {
  const text = searchedTextOf(book);
  const names = new Set([
    ...subjectsOf(book.keywords).map(subjectWord),
    ...authorsOf(book.author).map(slugOf).filter(Boolean).map(listWordOf.author),
    ...[slugOf(book.series ?? '')].filter(Boolean).map(listWordOf.series),
  ]);
  return ` ${[...latinWords(text), ...singleLetters(text), ...names].join(' ')} `;
}

/** @returns a name in an address, such as `jane-austen`; empty for a name without letters and digits. */
export const slugOf = (name: string): string => latinWords(name).join('-').slice(0, maxSlugLength);

/**
 * An author and a series become one word too, with a digit for the kind, and a 0 between their words: Mac Donald is not MacDonald. Visitors
 * often leave out the article of a series.
 */
const listWordOf = {
  author: (slug: string) => `01${slug.replaceAll('-', '0')}0`,
  series: (slug: string) => `02${slug.replace(/^the-/, '').replaceAll('-', '0')}0`,
};

export const seriesPattern = (slug: string): string => ` ${listWordOf.series(slug)} `;

/** A subject becomes one word with a 0 at each end, so that no word of a title equals it. */
export const subjectWord = (subject: string): string => `0${latinWords(subject).join('')}0`;

export const subjectPattern = (subject: string): string => ` ${subjectWord(subject)} `;

type List = Partial<Record<'subject' | 'author' | 'series', string>>;

/** @param list a subject, the slugs of an author and a series. @returns the texts that its books have in their search texts. */
export const listPatterns = ({ subject, author, series }: List): string[] =>
  [
    subject !== undefined && subjectPattern(subject),
    author !== undefined && ` ${listWordOf.author(author)} `,
    series !== undefined && seriesPattern(series),
  ].filter((pattern) => pattern !== false);

/** The most characters of a search text. An entry of PostgreSQL's indexes has room for 2,704 bytes, and a letter takes up to four. */
const maxKeyLength = 200;

export const keyOf = (words: readonly string[]): string =>
  [...words.join(' ')].slice(0, maxKeyLength).join('');

/** The series at the end of a title, as in `Mort (Discworld, #4)`. Visitors rarely type it. */
const series = /\s*\([^()]*\)\s*$/;
const withoutSeries = (title: string): string => title.replace(series, '') || title;

export const titleKeyOf = (title: string): string => keyOf(latinWords(withoutSeries(title)));

/** After a comma, these words are a part of the name before it. */
const suffix = '(?:[JS]r|I{1,3}|IV|V|[A-Z]\\.[A-Z]|Ph\\.?D)\\b';
const betweenAuthors = new RegExp(`[,;&]\\s+(?!${suffix})`);

/** @param author one name or several, such as `Jacob Grimm, Wilhelm Grimm`. @returns each name once. */
export const authorsOf = (author: string): string[] => [
  ...new Set(
    author
      .split(betweenAuthors)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

export const firstAuthorOf = (author: string): string => author.split(/[,;&]/)[0] ?? '';

export const authorKeyOf = (author: string): string => keyOf(latinWords(firstAuthorOf(author)));

const maxWords = 32;

export type SearchQuery = {
  /** The folded words in the order of the query. A word may occur twice. */
  typedWords: readonly string[];
  /** The words to find: at least one, each once. The last word may be the start of a word. */
  words: readonly string[];
  /** Patterns that the search text must all contain, of letters, digits and spaces only: `like` and `match` need no escaping. */
  patterns: readonly string[];
  key: string;
  keyWithoutSeries: string | undefined;
};

export function readQuery(query: string): SearchQuery | undefined {
  const all = splitWords(joinInitials(query));
  const words = [...new Set(all.map(toLatin))].slice(0, maxWords);
  if (words.length === 0) return undefined;
  const key = keyOf(all.map(toLatin));
  const withoutSeries = titleKeyOf(query);
  return {
    typedWords: all,
    words,
    patterns: searchPatterns(query),
    key,
    keyWithoutSeries: withoutSeries === key || withoutSeries === '' ? undefined : withoutSeries,
  };
}

export function searchPatterns(query: string): string[] {
  const patterns = splitWords(joinInitials(query)).flatMap(patternsOf);
  const last = patterns.at(-1);
  // The visitor may be about to type the rest of the word that begins with this letter.
  if (last && /^ \S $/.test(last)) patterns[patterns.length - 1] = last.trimEnd();
  return [...new Set(patterns)].slice(-maxWords);
}

const isSearchedByLetter = (word: string): boolean => {
  const letters = word.match(unspacedLetter);
  return letters?.join('') === word && (letters.length === 1 || toLatin(word).length < 3);
};

function patternsOf(word: string): string[] {
  if (isSearchedByLetter(word)) return Array.from(word, (letter) => ` ${codeOf(letter)} `);
  const latin = toLatin(word);
  const { length } = latin;
  if (length >= 3) return [latin];
  return [length === 1 ? ` ${latin} ` : ` ${latin}`];
}
