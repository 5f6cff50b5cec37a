/** The draft of the book on the Add Book form. The tab stores it, so that it survives a sign-in in between. */

import type { NewBook } from '../../../contract/book.ts';
import { randomId } from '../../memory/random-id.ts';
import { tabStorage } from '../../memory/tab-storage.ts';
import { type BookTexts, collectBookTexts } from './book-fields.ts';

/** `image` is the address of the uploaded image, or empty. */
type Draft = BookTexts & { image: string };

const storageKey = 'new-book';
const sentBookKey = 'new-book-attempt';

/** @returns the stored draft; a field that was never filled in is empty. */
export const readDraft = (): Draft => ({
  ...collectBookTexts(() => ''),
  image: '',
  ...tabStorage.read<Draft>(storageKey),
});

/** Stores the changed fields of the draft; the others stay as they are. */
export const updateDraft = (changes: Partial<Draft>): void => {
  tabStorage.write(storageKey, { ...readDraft(), ...changes });
};

export const clearDraft = (): void => {
  tabStorage.remove(storageKey);
  forgetSentBook();
};

/** Call it when a book was added: the same book again is another one. */
export const forgetSentBook = (): void => tabStorage.remove(sentBookKey);

/** The last book that was sent, as JSON, with its Idempotency-Key. */
type SentBook = { key: string; book: string };

/**
 * @returns the Idempotency-Key to send a book with: that of the last book that was sent if it is the same, so that a retry, also
 * after a reload or a sign-in, adds it once.
 */
export const idempotencyKeyFor = (book: NewBook): string => {
  const json = JSON.stringify(book);
  const last = tabStorage.read<SentBook>(sentBookKey);
  if (last?.book === json) return last.key;
  const sent: SentBook = { key: randomId(), book: json };
  tabStorage.write(sentBookKey, sent);
  return sent.key;
};
