/** The books that the demo sells: all in the public domain, in the scripts of many languages. */

import books from './books.json' with { type: 'json' };

export type DemoBook = {
  title: string;
  author: string;
  /** Words that readers of other languages type. */
  keywords?: string;
  priceCents: number;
  /** The names of its cover's files in covers/ begin with this, in Latin letters for every title. */
  cover: string;
};

/** Newest first, as the store lists them. */
export const demoBooks: readonly DemoBook[] = books;
