/** The books that the demo sells: all in the public domain, in the scripts of many languages. */

import books from './books.json' with { type: 'json' };

export type DemoBook = {
  title: string;
  author: string;
  /** The book's subjects, and in parentheses words that readers of other languages type. */
  keywords: string;
  priceCents: number;
  description: string;
  language: string;
  published: string;
  pages: number;
  /** The file name of the book's cover, without `.webp`. */
  cover: string;
};

export const demoTable = {
  heading: 'Books that begin at sea',
  words: 'Four voyages to read before the winter is over. Chosen by the bookseller.',
  covers: ['moby-dick', 'odyssey', 'dracula', 'os-lusiadas'],
};

/** The line below each price, unless `SHOP_NOTE` is set. */
export const demoNote = 'This shop is a demo: nothing is charged, and no book is sent.';

export const demoBooks: readonly DemoBook[] = books;
