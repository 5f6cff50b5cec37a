import { useEffect, useState } from 'react';
import { keepDraft, readDraft } from './book-drafts.ts';
import { type BookTexts, differences, mergeTexts } from './book-texts.ts';

/** What somebody else has stored since the typing began. */
export type Conflict = { before: BookTexts; now: BookTexts };

/**
 * What is typed into the panel of a book. It begins with the draft of the book, if there is one, and becomes its draft.
 * @param id of the book, or of the draft of a new one.
 * @param opened what is stored as the panel opens.
 */
export const useTyping = (id: string, opened: BookTexts) => {
  const [draft] = useState(() => readDraft(id));
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
    setIsAtRisk(!keepDraft(id, texts));
  };
  const type = (changes: Partial<BookTexts>) => keep({ typed: { ...typed, ...changes }, base });

  /** Goes on from what somebody else has stored: what was typed stays, and the other fields follow. */
  const rebase = (now: BookTexts) => {
    setConflict({ before: base, now });
    keep({ typed: mergeTexts(typed, base, now), base: now });
  };

  const forgetConflict = () => setConflict(undefined);

  // Only where the browser stores no draft: otherwise it would ask before a sign-in too.
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);

  return { typed, base, conflict, isFromDraft: draft !== undefined, type, rebase, forgetConflict };
};
