/** Sort keys: a title without its article, and an author by the surname. They are compared as bytes, so that both engines have the same order. */

import { tidyText, withoutUnseen } from '../../contract/pasted-text.ts';
import { foldText, keyOf, latinWords } from './search-text.ts';

/**
 * The articles at the start of titles: English and German; French, Italian, Spanish and Catalan; Dutch, Danish, Norwegian and Swedish; Greek. A
 * book has no language, so an article counts in every title; words that begin more titles of other languages are missing, such as the
 * Portuguese O and As, the Italian I, the Swedish En and the French Des.
 */
const articles = new Set([
  ...['the', 'a', 'an', 'der', 'das', 'die', 'ein', 'eine'],
  ...['le', 'la', 'les', 'un', 'une', 'una', 'uno', 'il', 'lo', 'gli', 'el', 'los', 'las', 'els'],
  ...['de', 'het', 'een', 'den', 'det', 'ett'],
  ...['ο', 'η', 'το', 'οι', 'τα'],
]);

/** The words before which these are no articles, with accents: known titles and places, and English verbs. */
const noArticleBefore: Readonly<Record<string, RegExp>> = {
  // "A is for Alibi", "A to Z".
  a: /^(?:is|was|to|for|and|as|or|b|z)\b/,
  // "Die Trying", "Die Hard", "Die for Me", "Die Once More".
  die: /^(?:\w+ing|hard|again|another|young|well|happy|easy|laughing|once|last|for|with|like|to|my|by|in the|a|the)\b/,
  // "La La Land", "Los Angeles", "El Paso", "Lo and Behold".
  le: /^(?:mans|carré|guin)\b/,
  la: /^(?:la|jolla)\b/,
  lo: /^and\b/,
  el: /^(?:paso|alamein)\b/,
  los: /^(?:angeles|alamos)\b/,
  las: /^vegas\b/,
  // "De Profundis" and "De rerum natura" are Latin, "Den of Thieves" English.
  de: /^(?:profundis|rerum|bello|natura|civitate|la|las|los|l['’]|amor)/,
  den: /^of\b/,
};

const opening = /^[^\p{L}\p{N}]+/u;
/** `L'Étranger`, `Un'estate`, and the Dutch `'t Hooge Nest`. */
const elided = /^(?:(?:l|un)['’ʼ](?=\p{L})|['’ʼ]t\s+(?=\p{L}))/iu;
const firstWord = /^(\p{L}+)\s+(?=[\p{L}\p{N}"“«'‘’(¡¿])/u;

export function titleSortOf(title: string): string {
  const seen = tidyText(title);
  const started = elided.test(seen) ? seen : seen.replace(opening, '') || seen;
  return keyOf([foldText(withoutUnseen(withoutArticle(started)).replace(opening, '')) || foldText(started)]);
}

function withoutArticle(title: string): string {
  if (elided.test(title)) return title.replace(elided, '');
  const [start = '', word = ''] = firstWord.exec(title) ?? [];
  const rest = title.slice(start.length);
  const article = word.toLowerCase();
  if (!articles.has(article)) return title;
  // Abbreviations are no articles: LA Confidential, UN Peacekeeping.
  const isAbbreviation = word.length > 1 && word === word.toUpperCase() && !/^\P{L}*\p{Lu}{2}/u.test(rest);
  return isAbbreviation || noArticleBefore[article]?.test(rest.toLowerCase()) ? title : rest;
}

/** Particles before a surname that belong to it. */
const particles =
  /^(?:af|al|av|ben|bin|bint|da|das|de|degli|dei|del|della|den|der|des|di|do|dos|du|el|ibn|la|las|le|los|san|santa|st|ten|ter|van|vom|von|zu|zum|zur)$/;
/** The particles that can also be given names, at the start of a name: Van Morrison, Ben Okri, Al Gore. */
const givenNames = /^(?:al|ben|dei|della|di|san|van|von)$/;
const suffix = /(?:^|[\s,]+)(?:jr|sr|ii|iii|iv|esq|ph\.?\s?d|m\.?d)\.?$/i;
const between = /\s*[;&/|]\s*|\s+(?:and|und|et|with)\s+/iu;

/** The part before a comma is a surname if it is one word with its particles, or if only a given name follows. */
export function authorSortOf(author: string): string {
  const [first = ''] = author.replace(/\([^()]*\)/g, ' ').split(between);
  const parts = first
    .split(',')
    .map((part) => withoutSuffix(part.trim()))
    .filter((part) => part !== '');
  const [name = '', behind = ''] = parts;
  const words = name.split(/\s+/);
  const start = surnameAt(words);
  const isSurname =
    behind !== '' && (start === 0 || (parts.length === 2 && !hasInitial.test(name) && isGiven(name, behind)));
  const [surname, given] = isSurname ? [name, behind] : [words.slice(start), words.slice(0, start)];
  return keyOf(latinWords([surname, given].flat().join(' ')));
}

const withoutSuffix = (name: string): string => name.replace(suffix, '').replace(suffix, '');

function surnameAt(words: readonly string[]): number {
  const isParticle = (index: number) => {
    const word = words[index] ?? '';
    const plain = word.toLowerCase().replace(/^st\.$/, 'st');
    return particles.test(plain) && (index > 0 || word === word.toLowerCase() || !givenNames.test(plain));
  };
  let start = Math.max(words.length - 1, 0);
  while (start > 0 && isParticle(start - 1)) start -= 1;
  return start;
}

/** Initials and titles, as in `J.K. Rowling` and `Dr. Seuss`. */
const hasInitial = /(?<!\p{L})(?!St\.)\p{L}+\./iu;
const isLatin = (name: string): boolean => /\p{Script=Latin}/u.test(name);

const isGiven = (surname: string, name: string): boolean => {
  const [, ...others] = name.split(/\s+/);
  if (isLatin(surname) !== isLatin(name)) return false;
  return others.every((word) => /^(?:\p{L}\.?)+$/u.test(word) && (word.includes('.') || word.length === 1));
};
