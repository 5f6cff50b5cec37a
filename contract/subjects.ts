import { tidyText } from './pasted-text.ts';

/** A longer text is a sentence or a list of names, which only finds the book. */
const maxSubject = { words: 4, characters: 60 };

/** @returns true for a part of keywords that only finds the book. */
export const isInParentheses = (part: string): boolean => /^\([^()]*\)$/.test(part);

/**
 * @param keywords of a book, with commas or semicolons between them, as in `Sea, Adventure (The Whale)`.
 * @returns the texts between these, and those in parentheses.
 */
export const keywordParts = (keywords: string | null | undefined): string[] =>
  ((keywords ?? '').match(/\([^()]*\)|(?:[^,;(]|\((?![^()]*\)))+/g) ?? [])
    .map((part) => tidyText(part.replace(/\s+/g, ' ')))
    .filter((part) => part !== '');

/** @returns the subjects among the keywords of a book, each once, as they are written. */
export const subjectsOf = (keywords: string | null | undefined): string[] => [
  ...new Set(
    keywordParts(keywords).filter(
      (part) =>
        !isInParentheses(part) &&
        part.length <= maxSubject.characters &&
        part.split(' ').length <= maxSubject.words,
    ),
  ),
];
