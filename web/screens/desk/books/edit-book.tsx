import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeskBook } from '../../../../contract/desk-books.ts';
import { ApiProblem, isTransient, retryTransient } from '../../../api/client.ts';
import { editBook, editedBookQuery, fetchDeskBook, type VersionedBook } from '../../../api/desk-queries.ts';
import { Loading } from '../../../components/loading.tsx';
import { TryAgain } from '../../../components/try-again.tsx';
import { withReason } from '../../../components/with-reason.ts';
import { Panel } from '../panel.tsx';
import { mayDiscard, removeDraft } from './book-drafts.ts';
import { BookForm } from './book-form.tsx';
import { showChange } from './book-lists.ts';
import { type BookTexts, changesOf, differences, textsOf } from './book-texts.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { DeleteBook } from './delete-book.tsx';
import { useTyping } from './use-typing.ts';

type EditBookProps = {
  id: string;
  /** @param message what to say about it; undefined when nothing was saved. */
  onClose: (message?: string) => void;
  onDeleted: (book: DeskBook) => void;
};

/** The panel in which a book is changed, or deleted. */
export const EditBook = ({ id, onClose, onDeleted }: EditBookProps) => {
  const book = useQuery(editedBookQuery(id));
  return (
    <Panel heading="Edit book" mayClose={() => mayDiscard(id)} onClose={() => onClose()}>
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
const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412;

/** What is sent: the fields, what they began with, and the version that this was. */
type Edit = { typed: BookTexts; base: BookTexts; version: VersionedBook };

/**
 * Stores what was typed, unless somebody else has stored another version.
 * @returns what is stored now. Without a change it is fetched: to say that nothing was changed could hide what somebody else did.
 */
const save = async ({ typed, base, version: { book, etag } }: Edit): Promise<VersionedBook> => {
  if (differences(typed, base).length > 0) {
    try {
      const saved = await editBook(book._id, changesOf(typed, base), etag);
      return { book: { ...book, ...saved, keywords: typed.keywords.trim() || null }, etag: '' };
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  return await fetchDeskBook(book._id);
};

type EditFormProps = Omit<EditBookProps, 'id'> & { opened: VersionedBook };

const EditForm = ({ opened, onClose, onDeleted }: EditFormProps) => {
  const queryClient = useQueryClient();
  const { _id: id } = opened.book;
  const typing = useTyping(id, textsOf(opened.book));
  const { typed, base, conflict } = typing;
  // Not `opened`: when that is fetched again, it is a version that the fields do not show.
  const [version, setVersion] = useState(opened);
  const saving = useMutation({
    mutationFn: save,
    retry: retryTransient,
    onSuccess: (stored, { typed, base }) => {
      void showChange(queryClient, stored.book);
      const now = textsOf(stored.book);
      // Somebody else's, unless it has the values that were sent: then no response came the first time.
      if (stored.etag && differences(now, typed).length > 0) {
        setVersion(stored);
        typing.rebase(now);
        return;
      }
      removeDraft(id);
      onClose(differences(typed, base).length > 0 ? `Saved ${stored.book.title}.` : 'Nothing was changed.');
    },
  });
  return (
    <BookForm
      typing={typing}
      saving={saving}
      submitName="Save changes"
      messageOf={messageOf}
      onSubmit={() => {
        typing.forgetConflict();
        saving.mutate({ typed, base, version });
      }}
      onCancel={() => mayDiscard(id) && onClose()}
      notice={conflict && <ConflictNotice conflict={conflict} typed={typed} />}
      action={<DeleteBook book={opened.book} onDeleted={onDeleted} />}
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
