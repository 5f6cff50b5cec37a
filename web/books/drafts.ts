/** Drafts: texts that were typed into a book's form and not saved. The tab stores them, so that Back, a reload and a sign-in lose nothing. */
import { useEffect, useState } from 'react';
import type { BookTexts } from '../../contract/book-fields.ts';
import { tabStorage } from '../memory/tab-storage.ts';
import { changedTexts, differences, emptyTexts, mergeTexts } from './book-texts.ts';

/** In place of a book's id: in the desk's address, and for the draft. Ids have letters, digits, `-` and `_` alone. */
export const newBookId = '+';
/** The draft of the Admin screen, whose form has fewer fields. */
export const adminBookId = '+admin';

/** `base` is what the typing began with: a book that is edited, or empty fields. */
type Draft = { typed: BookTexts; base: BookTexts };

const storageKey = 'book-drafts';

/** By the id of the book. */
const readDrafts = (): Readonly<Record<string, Draft>> => tabStorage.read(storageKey) ?? {};

/** @returns the id of a book that was not saved, on the desk. */
export const firstDraft = (): string | undefined =>
  Object.keys(readDrafts()).find((id) => id !== adminBookId);

/** An import may have given a book an id such as `constructor`, which every object has. */
export const readDraft = (id: string): Draft | undefined => {
  const drafts = readDrafts();
  const draft = Object.hasOwn(drafts, id) ? drafts[id] : undefined;
  // An older version may have stored it without a field.
  return draft && { typed: { ...emptyTexts, ...draft.typed }, base: { ...emptyTexts, ...draft.base } };
};

/** Stores a draft, or removes it when it changes nothing. @returns whether it survives a reload, see {@link tabStorage}. */
const keepDraft = (id: string, draft: Draft | undefined): boolean => {
  const { [id]: _, ...others } = readDrafts();
  const isEmpty = !draft || differences(draft.typed, draft.base).length === 0;
  return tabStorage.write(storageKey, isEmpty ? others : { ...others, [id]: draft });
};

export const removeDraft = (id: string): void => void keepDraft(id, undefined);

/** Asks before a draft is lost. @returns whether there is none now. */
export const mayDiscard = (id: string): boolean => {
  if (!readDraft(id)) return true;
  if (!window.confirm('Discard what you have typed?')) return false;
  removeDraft(id);
  return true;
};

/**
 * The typed texts of the form of a book. They begin with the draft of the book, if there is one, and become its draft.
 * @param id of the book, or of the draft of a new one.
 * @param opened what is stored as the form opens.
 */
export const useDraft = (id: string, opened: BookTexts) => {
  const [draft] = useState(() => readDraft(id));
  const [{ typed, base }, setTexts] = useState(() => ({
    typed: draft ? mergeTexts(draft.typed, draft.base, opened) : opened,
    base: opened,
  }));
  /** A sentence about what another editor has stored since the typing began; empty for nothing. */
  const [conflict, setConflict] = useState(() => (draft ? changedTexts(opened, draft.base) : ''));
  const [isAtRisk, setIsAtRisk] = useState(false);

  const keep = (texts: Draft) => {
    setTexts(texts);
    setIsAtRisk(!keepDraft(id, texts));
  };
  const type = (changes: Partial<BookTexts>) => keep({ typed: { ...typed, ...changes }, base });

  /** The typing goes on from another editor's version: typed texts stay, and the other fields get the stored ones. */
  const goOnFrom = (stored: BookTexts) => {
    setConflict(changedTexts(stored, base));
    keep({ typed: mergeTexts(typed, base, stored), base: stored });
  };

  // This is for a browser that stores no draft: with drafts it would ask before a sign-in too.
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);

  return { typed, base, conflict, isFromDraft: draft !== undefined, type, goOnFrom };
};
