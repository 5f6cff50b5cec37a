/** What was typed into the panel of a book and not saved. The tab stores it, so that Back, a reload and a sign-in lose nothing. */
import { tabStorage } from '../../../memory/tab-storage.ts';
import { type BookTexts, differences } from './book-texts.ts';

/** `base` is what the typing began with: a book that is edited, or empty fields. */
export type BookDraft = { typed: BookTexts; base: BookTexts };

const storageKey = 'desk-books';

/** The drafts of this tab by the id of their book. */
export const readDrafts = (): Readonly<Record<string, BookDraft>> => tabStorage.read(storageKey) ?? {};

/** The draft of one book. An import may have given it an id such as `constructor`, which every object has. */
export const readDraft = (id: string): BookDraft | undefined => {
  const drafts = readDrafts();
  return Object.hasOwn(drafts, id) ? drafts[id] : undefined;
};

/** Stores a draft, or removes it when it changes nothing. @returns whether it survives a reload, see {@link tabStorage}. */
export const keepDraft = (id: string, draft: BookDraft): boolean => {
  const { [id]: _, ...others } = readDrafts();
  const isEmpty = differences(draft.typed, draft.base).length === 0;
  return tabStorage.write(storageKey, isEmpty ? others : { ...others, [id]: draft });
};

export const removeDraft = (id: string): void => {
  const { [id]: _, ...others } = readDrafts();
  tabStorage.write(storageKey, others);
};

/** Asks before a draft is lost. @returns whether there is none now. */
export const mayDiscard = (id: string): boolean => {
  if (!readDraft(id)) return true;
  if (!window.confirm('Discard what you have typed?')) return false;
  removeDraft(id);
  return true;
};
