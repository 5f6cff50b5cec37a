/** The draft of the book on the Add Book form. The tab stores it, so that it survives a sign-in in between. */
import { tabStorage } from '../../memory/tab-storage.ts';
import { type BookTexts, collectBookTexts } from './book-fields.ts';

/** `image` is the address of the uploaded image, or empty. */
type Draft = BookTexts & { image: string };

const storageKey = 'new-book';

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

export const clearDraft = (): void => tabStorage.remove(storageKey);
