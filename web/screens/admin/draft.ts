/** The book that is being typed, kept for the life of the tab so that a sign-in in between does not lose it. */
import { tabMemory } from '../../tab-memory.ts';

/** What was typed; `image` is the address of the uploaded image, or empty. */
type Draft = { title: string; price: string; author: string; image: string };

const storageKey = 'new-book';

export const readDraft = (): Draft => ({
  title: '',
  price: '',
  author: '',
  image: '',
  ...tabMemory.read<Draft>(storageKey),
});

export const keepInDraft = (part: Partial<Draft>): void => {
  tabMemory.write(storageKey, { ...readDraft(), ...part });
};

export const dropDraft = (): void => tabMemory.remove(storageKey);
