import { useEffect, useState } from 'react';
import type { BookTexts } from '../../contract/book-fields.ts';
import { differences, mergeTexts } from './book-texts.ts';
import type { Drafts } from './drafts.ts';

/** The texts before and after a change that somebody else has stored since the typing began. */
export type Conflict = { before: BookTexts; now: BookTexts };

/**
 * The typed texts of the form of a book. They begin with the draft of the book, if there is one, and become its draft.
 * @param id of the book, or of the draft of a new one.
 * @param opened what is stored as the form opens.
 */
export const useTyping = (drafts: Drafts, id: string, opened: BookTexts) => {
  const [draft] = useState(() => drafts.read(id));
  const [{ typed, base }, setTexts] = useState(() => ({
    typed: draft ? mergeTexts(draft.typed, draft.base, opened) : opened,
    base: opened,
  }));
  const [conflict, setConflict] = useState<Conflict | undefined>(() =>
    draft && differences(opened, draft.base).length > 0 ? { before: draft.base, now: opened } : undefined,
  );
  const [isAtRisk, setIsAtRisk] = useState(false);

  const keep = (texts: { typed: BookTexts; base: BookTexts }) => {
    setTexts(texts);
    setIsAtRisk(!drafts.keep(id, texts));
  };
  const type = (changes: Partial<BookTexts>) => keep({ typed: { ...typed, ...changes }, base });

  /** Goes on from what somebody else has stored: what was typed stays, and the other fields follow. */
  const rebase = (now: BookTexts) => {
    setConflict({ before: base, now });
    keep({ typed: mergeTexts(typed, base, now), base: now });
  };

  const forgetConflict = () => setConflict(undefined);

  // This is for a browser that stores no draft: with drafts it would ask before a sign-in too.
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);

  return { typed, base, conflict, isFromDraft: draft !== undefined, type, rebase, forgetConflict };
};
