import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type BookTexts,
  byField,
  type OptionalFieldName,
  optionalFields,
} from '../../../contract/book-fields.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
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
import { removeBook } from '../../api/queries.ts';
import { changesBetween, differences, textsOf } from '../../books/book-texts.ts';
import { deskDrafts } from '../../books/drafts.ts';
import { useTyping } from '../../books/use-typing.ts';
import { Button } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { withReason } from '../../components/with-reason.ts';
import { Panel } from '../panel.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import styles from './panel-form.module.css';
import { PanelForm } from './panel-form.tsx';

type EditPanelProps = {
  id: string;
  /** @param message what to say about it; undefined when nothing was saved. */
  onClose: (message?: string) => void;
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

const isGone = (error: Error): boolean => error instanceof ApiProblem && error.status === 404;
const isConflict = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 412 || error.code === 'COPIES_CHANGED');

/** An edit as it is sent: the fields, the texts that they began with, and the version that had these. */
type Edit = { typed: BookTexts; base: BookTexts; version: VersionedBook };

/**
 * Stores what was typed, unless somebody else has stored another version.
 * @returns what is stored now. Without a change it is fetched: to say that nothing was changed could hide what somebody else did.
 */
const save = async ({ typed, base, version: { book, etag } }: Edit): Promise<VersionedBook> => {
  if (differences(typed, base).length > 0) {
    try {
      const changes = changesBetween(typed, base);
      // Customers change the number too.
      const copiesWas = base.copies === '' ? null : Number(base.copies);
      const based = changes.copies === undefined ? changes : { ...changes, copiesWas };
      const saved = await editBook(book._id, based, etag);
      return { book: { ...book, ...saved, ...optionalIn(typed) }, etag: '' };
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  return await fetchDeskBook(book._id);
};

/** @returns the fields that the response to a change may not have. */
const optionalIn = (typed: BookTexts) =>
  byField<Pick<DeskBook, OptionalFieldName>>(optionalFields, ({ name, read, present }) =>
    present(read(typed[name], window.location.origin) ?? null),
  );

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
    onSuccess: (stored, { typed, base }) => {
      void replaceInLists(queryClient, deskBooksKey, stored.book);
      const now = textsOf(stored.book);
      // Somebody else's, unless it has the values that were sent: then no response came the first time.
      if (stored.etag && differences(now, typed).length > 0) {
        setVersion(stored);
        typing.rebase(now);
        return;
      }
      deskDrafts.remove(id);
      onClose(differences(typed, base).length > 0 ? `Saved ${stored.book.title}.` : 'Nothing was changed.');
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
    />
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
