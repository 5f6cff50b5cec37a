import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BookTexts } from '../../../contract/book-fields.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { formatPrice } from '../../../contract/price.ts';
import { removeBook } from '../../api/catalogue.ts';
import { ApiProblem, isTransient, retryTransient } from '../../api/client.ts';
import {
  deskBooksKey,
  editBook,
  editedBookQuery,
  fetchDeskBook,
  replaceInLists,
  takeOutOfLists,
  type VersionedBook,
} from '../../api/desk-queries.ts';
import { changesBetween, differences, textsOf } from '../../books/book-texts.ts';
import { deskDrafts } from '../../books/drafts.ts';
import { useTyping } from '../../books/use-typing.ts';
import { Button } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { withReason } from '../../components/with-reason.ts';
import { Panel } from '../panel.tsx';
import type { Undoable } from './changes.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { FrontTableTick } from './front-table-tick.tsx';
import styles from './panel-form.module.css';
import { PanelForm } from './panel-form.tsx';

type EditPanelProps = {
  id: string;
  /** @param done what to say about it, with its undo; undefined when nothing was saved. */
  onClose: (done?: string | Undoable) => void;
  onDeleted: (book: DeskBook) => void;
};

/** The panel in which a book is changed, or deleted. */
export const EditPanel = ({ id, onClose, onDeleted }: EditPanelProps) => {
  const book = useQuery(editedBookQuery(id));
  return (
    <Panel heading="Edit book" mayClose={() => deskDrafts.mayDiscard(id)} onClose={() => onClose()}>
      {book.isError && (
        <TryAgain
          problem={isGone(book.error) ? 'This book was deleted.' : 'The book could not be fetched.'}
          error={book.error}
          onTryAgain={book.refetch}
        />
      )}
      {book.isPending && <Loading />}
      {book.data && <EditForm opened={book.data} onClose={onClose} onDeleted={onDeleted} />}
    </Panel>
  );
};

const isGone = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404;
const isConflict = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 412 || error.code === 'COPIES_CHANGED');

/** An edit as it is sent: the fields, the texts that they began with, and the version that had these. */
type Edit = { typed: BookTexts; base: BookTexts; version: VersionedBook };

/** The number of copies too is based on what it was: customers change it. */
const store = (id: string, to: BookTexts, from: BookTexts, etag: string) => {
  const changes = changesBetween(to, from);
  const copiesWas = from.copies === '' ? null : Number(from.copies);
  return editBook(id, changes.copies === undefined ? changes : { ...changes, copiesWas }, etag);
};

/**
 * Stores what was typed, unless somebody else has stored another version.
 * @returns what is stored now, with its version; `isOwn` if this has stored it. Without a change it is fetched: to say that nothing was
 * changed could hide what another owner did.
 */
const save = async ({ typed, base, version: { book, etag } }: Edit) => {
  let saved = '';
  if (differences(typed, base).length > 0) {
    try {
      ({ etag: saved } = await store(book._id, typed, base, etag));
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  const stored = await fetchDeskBook(book._id);
  return { ...stored, etag: saved || stored.etag, isOwn: saved !== '' };
};

/** @returns what to say about a saved edit, with its undo, which leaves a version alone that was stored since. */
const savedAs = ({ book: { _id, title }, etag }: VersionedBook, { typed, base }: Edit): Undoable => {
  const isRepriced = differences(typed, base).some(({ kind }) => kind === 'price');
  const [before, now] = [base.price, typed.price].map((price) => formatPrice(Number(price)));
  return {
    message: isRepriced ? `Saved ${title}: ${before} → ${now}.` : `Saved ${title}.`,
    undo: async () => {
      try {
        await store(_id, base, typed, etag);
        return `${base.title} is as it was before.`;
      } catch (error) {
        if (!isConflict(error) && !isGone(error)) throw error;
        return `${title} was changed since, and stays as it is.`;
      }
    },
  };
};

type EditFormProps = Omit<EditPanelProps, 'id'> & { opened: VersionedBook };

const EditForm = ({ opened, onClose, onDeleted }: EditFormProps) => {
  const queryClient = useQueryClient();
  const { _id: id } = opened.book;
  const typing = useTyping(deskDrafts, id, textsOf(opened.book));
  const { typed, base, conflict } = typing;
  // Not `opened`: when that is fetched again, it is a version that the fields do not show.
  const [version, setVersion] = useState(opened);
  const saving = useMutation({
    mutationFn: save,
    retry: retryTransient,
    onSuccess: (stored, edit) => {
      const { typed, base } = edit;
      void replaceInLists(queryClient, deskBooksKey, stored.book);
      const now = textsOf(stored.book);
      // Somebody else's, unless it has the values that were sent: then no response came the first time.
      if (!stored.isOwn && differences(now, typed).length > 0) {
        setVersion(stored);
        typing.rebase(now);
        return;
      }
      deskDrafts.remove(id);
      onClose(differences(typed, base).length > 0 ? savedAs(stored, edit) : 'Nothing was changed.');
    },
  });
  return (
    <PanelForm
      bookId={id}
      typing={typing}
      saving={saving}
      submitName="Save changes"
      messageOf={messageOf}
      onSubmit={() => {
        typing.forgetConflict();
        saving.mutate({ typed, base, version });
      }}
      onCancel={() => deskDrafts.mayDiscard(id) && onClose()}
      notice={conflict && <ConflictNotice conflict={conflict} typed={typed} />}
      action={<DeleteInPanel book={opened.book} onDeleted={onDeleted} />}
    >
      <FrontTableTick book={opened.book} />
    </PanelForm>
  );
};

/** Takes the book out of sale at once, without a question: the notice below the list has Undo. */
const DeleteInPanel = ({ book, onDeleted }: { book: DeskBook; onDeleted: (book: DeskBook) => void }) => {
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => removeBook(book._id),
    retry: retryTransient,
    onSuccess: async () => {
      await takeOutOfLists(queryClient, deskBooksKey, book._id);
      onDeleted(book);
    },
  });
  return (
    <>
      <div className={styles.delete}>
        <Button
          variant="subtle"
          isBusy={deletion.isPending}
          onClick={() => deskDrafts.mayDiscard(book._id) && deletion.mutate()}
        >
          Delete
        </Button>
      </div>
      {deletion.isError && (
        <p className={styles.notDeleted} role="alert">
          {withReason('The book was not deleted.', deletion.error)}
        </p>
      )}
    </>
  );
};

const messageOf = (error: Error): string => {
  if (isGone(error)) return 'This book was deleted meanwhile. Restore it to change it.';
  const message = isTransient(error)
    ? 'We have not heard whether the book was changed. Please try again.'
    : 'The book was not changed. Please try again.';
  return withReason(message, error);
};
