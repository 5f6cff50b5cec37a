/** Searches that are hard for a store with many books. */

import type { SortOrder } from '../../contract/book.ts';
import { lastWord } from './invented-books.ts';

/** A search, or a page of the catalogue, that is measured by itself. */
export type HardSearch = {
  /** The search as the visitor typed it; empty for a page of the whole catalogue. */
  q: string;
  sort: SortOrder;
  /** True: earlier pages have listed {@link deepShare} of the catalogue. */
  isDeep: boolean;
};

/** Share of the catalogue that comes before a deep page. */
export const deepShare = 0.7;

const orders = ['best', 'newest', 'title', 'price'] as const;

/** A few words of the titles are in most of them, so the numbers of matches range from none to half of the catalogue. */
const queriesInEachOrder = [
  // Pairs of common words, and parts of words.
  'the was',
  'of the',
  'the riv',
  'the and',
  // Between common and rare: neither sorting all matches nor reading the catalogue in order is cheap.
  'winter garden',
  'henry whitlock',
  'river',
  'der',
  // Short words: the start of a word, and a whole one.
  'sa',
  'a',
  // Ten words, and more.
  'the river and the garden of the winter house in lisbon',
  'the silent river of lisbon and the golden house of kyoto, ellis thorne',
  'and the her ing ter ard ver our win tor ers int sto',
  // Nothing is found, although each part of three letters, or each word, is common.
  'theriv',
  'winterland',
  'river brucke',
  'anna the',
  // A rare word beside a common one.
  'the xylographer',
  // Nothing is found, and some part is in no book.
  'zzyzx quux',
  // All matches are at the end of two orders.
  lastWord,
  `the ${lastWord}`,
  'の',
] as const;

/** Searches that are measured in the order of the best matches, as a visitor gets them. */
const queriesForTheBest = [
  // Misspelt words, of which some catalogues have many similar ones.
  'wintr gardn',
  'the silnt rivr of lisbn',
  'xylografer',
  'zymrgy',
  'henri whitlok',
  'bokbinding and beekeping',
  'uncertian cartografer',
  'zzyzx quuxx blorft wibble',
  // Half-typed words.
  'the silent ri',
  'golden hou',
  't',
  'the w',
  'xylogr',
  // Other scripts, and what is typed for them.
  'тихая река',
  'tikhaya reka',
  'то σπίτι',
  '図書館',
  '红色的花园',
  '紅色',
  'zolta lodz',
] as const;

const deepQueries = ['', 'the', 'sa', 'river', 'winter garden', lastWord] as const;

/** All searches that are measured. */
export const hardSearches: readonly HardSearch[] = [
  ...orders.flatMap((sort) => queriesInEachOrder.map((q) => ({ q, sort, isDeep: false }))),
  ...queriesForTheBest.map((q) => ({ q, sort: 'best' as const, isDeep: false })),
  ...orders.flatMap((sort) =>
    deepQueries.filter((q) => q !== '' || sort !== 'best').map((q) => ({ q, sort, isDeep: true })),
  ),
];
