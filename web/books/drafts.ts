/** Drafts: texts that were typed into a book's form and not saved. The tab stores them, so that Back, a reload and a sign-in lose nothing. */
import type { NewBook } from '../../contract/book.ts';
import type { BookTexts } from '../../contract/book-fields.ts';
import { randomId } from '../memory/platform.ts';
import { type TabKey, tabStorage } from '../memory/tab-storage.ts';
import { differences, emptyTexts } from './book-texts.ts';

/** In place of a book's id: in the desk's address, and for the draft. Ids have letters, digits, `-` and `_` alone. */
export const newBookId = '+';

/** `base` is what the typing began with: a book that is edited, or empty fields. */
type BookDraft = { typed: BookTexts; base: BookTexts };

const openDrafts = (storageKey: TabKey) => {
  const readAll = (): Readonly<Record<string, BookDraft>> => tabStorage.read(storageKey) ?? {};
  const allBut = (id: string) => {
    const { [id]: _, ...others } = readAll();
    return others;
  };
  const remove = (id: string): void => void tabStorage.write(storageKey, allBut(id));
  return {
    /** The drafts of this tab by the id of their book. */
    readAll,
    /** The draft of one book. An import may have given it an id such as `constructor`, which every object has. */
    read(id: string): BookDraft | undefined {
      const drafts = readAll();
      const draft = Object.hasOwn(drafts, id) ? drafts[id] : undefined;
      // An older version may have stored it without a field.
      return draft && { typed: { ...emptyTexts, ...draft.typed }, base: { ...emptyTexts, ...draft.base } };
    },
    /** Stores a draft, or removes it when it changes nothing. @returns whether it survives a reload, see {@link tabStorage}. */
    keep(id: string, draft: BookDraft): boolean {
      const isEmpty = differences(draft.typed, draft.base).length === 0;
      return tabStorage.write(storageKey, isEmpty ? allBut(id) : { ...allBut(id), [id]: draft });
    },
    remove,
    /** Asks before a draft is lost. @returns whether there is none now. */
    mayDiscard(id: string): boolean {
      if (!Object.hasOwn(readAll(), id)) return true;
      if (!window.confirm('Discard what you have typed?')) return false;
      remove(id);
      return true;
    },
  };
};
export type Drafts = ReturnType<typeof openDrafts>;

export const adminDrafts = openDrafts('admin-books');
export const deskDrafts = openDrafts('desk-books');

const sentBookKey = 'new-book-attempt';

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

/** Call it when a book was added: the same book again is another one. */
export const forgetSentBook = (): void => tabStorage.remove(sentBookKey);
