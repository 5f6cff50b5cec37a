/** What the demo shelf sells: books in the public domain, in many languages' letters. */

import books from './books.json' with { type: 'json' };

export type DemoBook = {
  title: string;
  author: string;
  priceCents: number;
  /** What the names of its cover's files in covers/ begin with: in Latin letters, whatever the title's are. */
  cover: string;
};

/** Newest first, as the shelf shows them. */
export const demoBooks: readonly DemoBook[] = books;
