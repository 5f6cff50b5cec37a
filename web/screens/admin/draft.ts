/** The book that is being typed, kept for the life of the tab so that a sign-in in between does not lose it. */
import { tabStorage } from '../../memory/tab-storage.ts';

/** What was typed; `image` is the address of the uploaded image, or empty. */
type Draft = { title: string; price: string; author: string; image: string };

const storageKey = 'new-book';

export const readDraft = (): Draft => ({
  title: '',
  price: '',
  author: '',
  image: '',
  ...tabStorage.read<Draft>(storageKey),
});

export const keepInDraft = (part: Partial<Draft>): void => {
  tabStorage.write(storageKey, { ...readDraft(), ...part });
};

export const dropDraft = (): void => tabStorage.remove(storageKey);
