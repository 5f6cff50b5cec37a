import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { BookTexts } from '../../../contract/book-fields.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { formatPrice } from '../../../contract/price.ts';
import { removeBook, restoreBook } from '../../api/changes.ts';
import { ApiProblem, isTransient, retryTransient } from '../../api/client.ts';
import { changesBetween, differences, textsOf } from '../../books/book-texts.ts';
import { mayDiscard, removeDraft, useDraft } from '../../books/drafts.ts';
import { Button } from '../../components/button.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { withReason } from '../../components/with-reason.ts';
import { useAct, useDone } from '../acts.tsx';
import { Panel } from '../panel.tsx';
import { editBook, editedBook, fetchBook, type VersionedBook } from './api.ts';
import { onlyOnce } from './changes.ts';
import { FrontTableTick } from './front-table.tsx';
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

/** The number of copies too is based on what it was: customers change it. @returns the new version; undefined for a conflict. */
const store = async ({ id, typed, base, etag }: Edit): Promise<string | undefined> => {
  const changes = changesBetween(typed, base);
  const copiesWas = base.copies === '' ? null : Number(base.copies);
  try {
    return await editBook(id, changes.copies === undefined ? changes : { ...changes, copiesWas }, etag);
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
};

/**
 * Stores what was typed, unless somebody else has stored another version.
 * @returns what is stored now; `own` is the version that this has stored. Without a change it is fetched: to say that nothing was changed
 * could hide what another owner did.
 */
const save = async (edit: Edit) => {
  const own = differences(edit.typed, edit.base).length > 0 ? await store(edit) : undefined;
  return { ...(await fetchBook(edit.id)), own };
};

/** @returns what to say about an edit, with its undo, which leaves a version alone that was stored since. */
const savedAs = ({ id, typed, base }: Edit, { title }: DeskBook, etag: string) => {
  const changed = differences(typed, base);
  if (changed.length === 0) return { text: 'Nothing was changed.' };
  const [before, now] = [base.price, typed.price].map((price) => formatPrice(Number(price)));
  return {
    text: changed.some(({ kind }) => kind === 'price')
      ? `Saved ${title}: ${before} → ${now}.`
      : `Saved ${title}.`,
    undo: onlyOnce(async () =>
      (await store({ id, typed: base, base: typed, etag })) === undefined
        ? `${title} was changed since, and stays as it is.`
        : `${base.title} is as it was before.`,
    ),
  };
};

const EditForm = ({ opened, onClose }: { opened: VersionedBook; onClose: () => void }) => {
  const { _id: id } = opened.book;
  const draft = useDraft(id, textsOf(opened.book));
  const { typed, base, conflict } = draft;
  // Not that of `opened`: when it is fetched again, it is a version that the fields do not show.
  const [etag, setEtag] = useState(opened.etag);
  const tell = useDone();
  const saving = useMutation({
    mutationFn: save,
    retry: retryTransient,
    onSuccess: async ({ book, etag, own }, edit) => {
      const now = textsOf(book);
      // Somebody else's, unless it has the values that were sent: then no response came the first time.
      if (own === undefined && differences(now, edit.typed).length > 0) {
        setEtag(etag);
        draft.goOnFrom(now);
        await tell({ changed: [book] });
        return;
      }
      removeDraft(id);
      await tell({ changed: [book], ...savedAs(edit, book, own ?? etag) });
      onClose();
    },
  });
  return (
    <PanelForm
      bookId={id}
      draft={draft}
      saving={saving}
      submitName="Save changes"
      messageOf={messageOf}
      onSubmit={() => saving.mutate({ id, typed, base, etag })}
      onClose={onClose}
      notice={conflict && !saving.isPending && <ConflictNotice key={etag} stored={conflict} />}
      action={<DeleteInPanel book={opened.book} onClose={onClose} />}
    >
      <FrontTableTick book={opened.book} />
    </PanelForm>
  );
};

/** It takes the focus, because Save does something else than it would have done. */
const ConflictNotice = ({ stored }: { stored: string }) => {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <p ref={notice} className="edge" role="alert" tabIndex={-1}>
      Somebody else has changed this book meanwhile: {stored}. What you typed is still here. Save again to
      keep what is in the fields below.
    </p>
  );
};

/** Takes the book out of sale at once, without a question: the notice has Undo. */
const DeleteInPanel = ({ book: { _id: id, title }, onClose }: { book: DeskBook; onClose: () => void }) => {
  const { act, isBusy } = useAct();
  const restore = async () => {
    await restoreBook(id);
    return `Restored ${title}: it is for sale again.`;
  };
  const run = async () => {
    await removeBook(id);
    return { gone: [id], text: `Deleted ${title}.`, undo: restore, beside: null };
  };
  const problem = 'The book was not deleted.';
  return (
    <Button
      variant="subtle"
      isBusy={isBusy}
      onClick={() => mayDiscard(id) && act({ run, problem, onDone: onClose })}
    >
      Delete
    </Button>
  );
};

const messageOf = (error: Error): string => {
  if (isGone(error)) return 'This book was deleted meanwhile. Restore it to change it.';
  const message = isTransient(error)
    ? 'We have not heard whether the book was changed. Please try again.'
    : 'The book was not changed. Please try again.';
  return withReason(message, error);
};
