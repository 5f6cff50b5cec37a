import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BookTexts } from '../../../contract/book-fields.ts';
import { formatPrice } from '../../../contract/price.ts';
import { ApiProblem, isTransient, retryTransient } from '../../api/client.ts';
import { changesBetween, differences, textsOf } from '../../books/book-texts.ts';
import { mayDiscard, removeDraft, useDraft } from '../../books/drafts.ts';
import { Fetched } from '../../components/fetched.tsx';
import { withReason } from '../../components/with-reason.ts';
import { useDone } from '../acts.tsx';
import { Panel } from '../panel.tsx';
import { editBook, editedBook, fetchBook, type VersionedBook } from './api.ts';
import { PanelForm } from './panel-form.tsx';

/** The panel in which a book is changed, or deleted. */
export const EditPanel = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <Panel heading="Edit book" mayClose={() => mayDiscard(id)} onClose={onClose}>
    <Fetched
      query={useQuery(editedBook(id))}
      problem={(error) => (isGone(error) ? 'This book was deleted.' : 'The book could not be fetched.')}
    >
      {(opened) => <EditForm opened={opened} onClose={onClose} />}
    </Fetched>
  </Panel>
);

const isGone = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404;
const isConflict = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 412 || error.code === 'COPIES_CHANGED');

/** An edit as it is sent: the fields, the texts that they began with, and the version that had these. */
type Edit = { id: string; typed: BookTexts; base: BookTexts; etag: string };

/**
 * Stores the typed texts, unless another editor has stored another version. The number of copies is compared too, because customers
 * change it. The call can be repeated.
 * @returns the version that is stored now; `stored` has its texts if they are another editor's.
 */
const save = async ({ id, typed, base, etag }: Edit): Promise<{ etag: string; stored?: BookTexts }> => {
  const changes = changesBetween(typed, base);
  const copiesWas = base.copies === '' ? null : Number(base.copies);
  try {
    return {
      etag: await editBook(id, changes.copies === undefined ? changes : { ...changes, copiesWas }, etag),
    };
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { book, etag } = await fetchBook(id);
    const stored = textsOf(book);
    // With the values that were sent it is this edit: no response came the first time.
    return differences(stored, typed).length === 0 ? { etag } : { etag, stored };
  }
};

/** @returns what to say about an edit, with its undo, which leaves a version alone that was stored since. */
const savedAs = ({ id, typed, base }: Edit, etag: string) => {
  const title = typed.title.trim();
  const isRepriced = differences(typed, base).some(({ kind }) => kind === 'price');
  const [before, now] = [base.price, typed.price].map((price) => formatPrice(Number(price)));
  return {
    text: isRepriced ? `Saved ${title}: ${before} → ${now}.` : `Saved ${title}.`,
    undo: async () => {
      const { stored } = await save({ id, typed: base, base: typed, etag });
      return stored
        ? `${title} was changed since, and stays as it is.`
        : `${base.title} is as it was before.`;
    },
  };
};

const EditForm = ({ opened, onClose }: { opened: VersionedBook; onClose: () => void }) => {
  const { _id: id } = opened.book;
  const draft = useDraft(id, textsOf(opened.book));
  const { typed, base } = draft;
  // Not that of `opened`: when it is fetched again, it is a version that the fields do not show.
  const [etag, setEtag] = useState(opened.etag);
  const tell = useDone();
  const saving = useMutation({
    mutationFn: save,
    retry: retryTransient,
    onSuccess: async ({ etag, stored }, edit) => {
      if (stored) {
        setEtag(etag);
        draft.goOnFrom(stored);
        return;
      }
      removeDraft(id);
      await tell(savedAs(edit, etag));
      onClose();
    },
  });
  return (
    <PanelForm
      book={opened.book}
      draft={draft}
      saving={saving}
      messageOf={messageOf}
      onSubmit={() =>
        differences(typed, base).length > 0 ? saving.mutate({ id, typed, base, etag }) : onClose()
      }
      onClose={onClose}
    />
  );
};

const messageOf = (error: Error): string => {
  if (isGone(error)) return 'This book was deleted meanwhile. Restore it to change it.';
  const message = isTransient(error)
    ? 'We have not heard whether the book was changed. Please try again.'
    : 'The book was not changed. Please try again.';
  return withReason(message, error);
};
