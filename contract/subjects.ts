import { tidyText } from './pasted-text.ts';

/** The longest subject. A longer text is a sentence or a list of names, which only helps to find the book. */
const maxSubject = { words: 4, characters: 60 };

/** A part of the keywords in parentheses is no subject; it only helps to find the book. */
export const isInParentheses = (part: string): boolean => /^\([^()]*\)$/.test(part);

/** @param keywords such as `Sea, Adventure (The Whale)`. */
export const keywordParts = (keywords: string | null | undefined): string[] =>
  ((keywords ?? '').match(/\([^()]*\)|(?:[^,;(]|\((?![^()]*\)))+/g) ?? [])
    .map((part) => tidyText(part.replace(/\s+/g, ' ')))
    .filter((part) => part !== '');

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
