/** Success and rank of known items. */

import type { KnownItem } from './known-items.ts';

/** Shares of the queries, from 0 to 1. */
export type Figures = {
  /** A wanted book is the first one. */
  atOne: number;
  /** A wanted book is among the first five. */
  atFive: number;
  /** The mean of 1 divided by the place of the first wanted book; 0 when none of ten is wanted. */
  reciprocalRank: number;
};

/** @param lists of books, one for each item. */
export function figuresOf(items: readonly KnownItem[], lists: readonly (readonly number[])[]): Figures {
  // From 1; infinite when no wanted book is listed.
  const places = items.map(({ wanted }, index) => {
    const place = (lists[index] ?? []).findIndex((number) => wanted.has(number));
    return place === -1 ? Number.POSITIVE_INFINITY : place + 1;
  });
  const share = (count: number) => count / Math.max(1, items.length);
  return {
    atOne: share(places.filter((place) => place === 1).length),
    atFive: share(places.filter((place) => place <= 5).length),
    reciprocalRank: share(places.reduce((sum, place) => sum + 1 / place, 0)),
  };
}
