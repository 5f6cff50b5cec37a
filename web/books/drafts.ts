/** Drafts: what was typed into a book's form and not saved. The tab stores them, so that Back, a reload and a sign-in lose nothing. */
import { useEffect, useState } from 'react';
import type { BookTexts } from '../../contract/book-fields.ts';
import { tabStorage } from '../memory/tab-storage.ts';
import { differences, emptyTexts } from './book-texts.ts';

/** The id of a new book in the desk's address and of its draft. No book has it: ids have letters, digits, `-` and `_` alone. */
export const newBookId = '+';
/** The draft of the Admin screen, whose form has fewer fields. */
export const adminBookId = '+admin';

export type StoredTexts = { texts: BookTexts; etag: string };
const noBook: StoredTexts = { texts: emptyTexts, etag: '' };

/** The changed fields, and the stored texts that the changes started from. */
export type Draft = { opened: StoredTexts; changes: Partial<BookTexts> };
export const typedIn = ({ opened, changes }: Draft): BookTexts => ({ ...opened.texts, ...changes });

const keyOf = (id: string) => `book:${id}`;

const readDraft = (id: string): Draft | undefined => {
  const draft = tabStorage.read<Draft>(keyOf(id));
  // An older version of the app, without one of the fields, may have stored the draft.
  return draft && { ...draft, opened: { ...draft.opened, texts: { ...emptyTexts, ...draft.opened.texts } } };
};

export const removeDraft = (id: string): void => tabStorage.remove(keyOf(id));

export const confirmLoss = (): boolean => window.confirm('Discard what you have typed?');

/** Asks the person before a draft is lost. @returns true if there is no draft any more. */
export const mayDiscard = (id: string): boolean => {
  if (!readDraft(id)) return true;
  if (!confirmLoss()) return false;
  removeDraft(id);
  return true;
};

/**
 * The draft of a book's form. It starts with the stored draft of the book, if there is one, and is stored when it changes. @param id of the
 * book, or of the draft of a new one. @param stored the texts that the store has as the form opens.
 */
export const useDraft = (id: string, stored = noBook) => {
  const [before] = useState(() => readDraft(id));
  const [draft, setDraft] = useState<Draft>(before ?? { opened: stored, changes: {} });
  const type = (changes: Partial<BookTexts>) =>
    setDraft((draft) => ({ ...draft, changes: { ...draft.changes, ...changes } }));
  /** Keeps the typed changes on top of another stored version. Unchanged fields show that version. */
  const goOnFrom = (opened: StoredTexts) => setDraft(({ changes }) => ({ opened, changes }));

  const typed = typedIn(draft);
  const isChanged = differences(typed, draft.opened.texts).length > 0;
  useEffect(() => {
    if (!isChanged) return removeDraft(id);
    if (tabStorage.write(keyOf(id), draft)) return;
    // Only for a browser that stores no draft; with a stored draft, the question would come even before a sign-in.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [id, draft, isChanged]);

  return { draft, typed, isChanged, isFromDraft: before !== undefined, type, goOnFrom };
};
