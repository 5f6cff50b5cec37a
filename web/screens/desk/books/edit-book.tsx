import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import type { DeskBook } from '../../../../contract/desk-books.ts';
import { ApiProblem, isTransient, retryTransient } from '../../../api/client.ts';
import {
  type DeskPage,
  deskBooksKey,
  editBook,
  editedBookQuery,
  fetchDeskBook,
  type VersionedBook,
} from '../../../api/desk-queries.ts';
import { Button } from '../../../components/button.tsx';
import { Cover } from '../../../components/cover.tsx';
import { Frame } from '../../../components/frame.tsx';
import { Loading } from '../../../components/loading.tsx';
import { TryAgain } from '../../../components/try-again.tsx';
import { withReason } from '../../../components/with-reason.ts';
import { Field } from '../../admin/field.tsx';
import { Panel } from '../panel.tsx';
import {
  type BookTexts,
  changesOf,
  differences,
  errorPathOf,
  mergeTexts,
  textLabels,
  textNames,
  textsOf,
} from './book-texts.ts';
import styles from './edit-book.module.css';
import { PickImage } from './pick-image.tsx';

type EditBookProps = {
  id: string;
  title: string;
  /** @param result what to say about it; undefined when nothing was saved. */
  onClose: (result?: string) => void;
};

/** The panel in which a book is changed. */
export const EditBook = ({ id, title, onClose }: EditBookProps) => {
  const book = useQuery(editedBookQuery(id));
  const isDirty = useRef(false);
  const mayClose = () => !isDirty.current || window.confirm('Discard what you have typed?');
  return (
    <Panel heading="Edit book" mayClose={mayClose} onClose={() => onClose()}>
      {book.isError && (
        <TryAgain
          problem={isGone(book.error) ? `${title} was deleted.` : 'The book could not be fetched.'}
          error={book.error}
          onTryAgain={book.refetch}
        />
      )}
      {book.isPending && <Loading />}
      {book.data && (
        <BookForm
          opened={book.data}
          onChange={(isChanged) => {
            isDirty.current = isChanged;
          }}
          onCancel={() => mayClose() && onClose()}
          onSaved={onClose}
        />
      )}
    </Panel>
  );
};

const isGone = (error: Error): boolean => error instanceof ApiProblem && error.status === 404;
const isConflict = (error: Error): boolean => error instanceof ApiProblem && error.status === 412;

type BookFormProps = {
  opened: VersionedBook;
  onChange: (isChanged: boolean) => void;
  onCancel: () => void;
  onSaved: (result: string) => void;
};

/** What another editor has stored since the panel was opened. */
type Conflict = { before: BookTexts; now: BookTexts };

const BookForm = ({ opened, onChange, onCancel, onSaved }: BookFormProps) => {
  const queryClient = useQueryClient();
  const [base, setBase] = useState(opened);
  const [typed, setTyped] = useState(textsOf(opened.book));
  const [conflict, setConflict] = useState<Conflict>();
  const [isUploading, setIsUploading] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const baseTexts = textsOf(base.book);

  const saving = useMutation({
    mutationFn: async (texts: BookTexts) => {
      try {
        return await editBook(base.book._id, changesOf(texts, baseTexts), base.etag);
      } catch (error) {
        if (!(error instanceof Error) || !isConflict(error)) throw error;
        const stored = await fetchDeskBook(base.book._id);
        // The same values: this change, which was sent again because no response came.
        if (differences(textsOf(stored.book), texts).length === 0) return stored.book;
        return stored;
      }
    },
    retry: retryTransient,
    onSuccess: async (result, texts) => {
      if ('etag' in result) {
        const now = textsOf(result.book);
        setTyped(mergeTexts(texts, baseTexts, now));
        setConflict({ before: baseTexts, now });
        setBase(result);
        return;
      }
      await queryClient.cancelQueries({ queryKey: deskBooksKey });
      const keywords = texts.keywords.trim() || null;
      queryClient.setQueriesData<InfiniteData<DeskPage<DeskBook>>>(
        { queryKey: deskBooksKey },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              body: page.body.map((book) =>
                book._id === result._id ? { ...book, keywords, ...result } : book,
              ),
            })),
          },
      );
      onSaved(`Saved ${result.title}.`);
    },
  });

  const change = (changes: Partial<BookTexts>) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    onChange(differences(next, baseTexts).length > 0);
  };

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (saving.isPending || isUploading) return;
    if (differences(typed, baseTexts).length === 0) return onSaved('Nothing was changed.');
    setConflict(undefined);
    saving.mutate(typed);
  };

  const errors = saving.error instanceof ApiProblem ? saving.error.errors : [];
  const errorAt = (path: string) => errors.find(({ field }) => field === path)?.message;
  useLayoutEffect(() => {
    if (saving.isError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [saving.isError]);
  const hasFieldError = textNames.some((name) => errorAt(errorPathOf(name)));

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {conflict && <ConflictNotice conflict={conflict} typed={typed} />}
      {textNames.map((name) => (
        <Field
          key={name}
          label={textLabels[name]}
          name={name}
          value={typed[name]}
          onChange={({ target }) => change({ [name]: target.value })}
          error={errorAt(errorPathOf(name))}
          {...(name === 'price' && { inputMode: 'decimal' })}
        />
      ))}
      <div className={styles.image}>
        <Frame>
          <Cover
            key={typed.image}
            book={{ title: typed.title, author: typed.author, image: typed.image.trim() }}
            isEager
          />
        </Frame>
        <PickImage onUploading={setIsUploading} onPicked={(image) => change({ image })} />
      </div>
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={saving.isPending || isUploading}>
          Save changes
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        {saving.isError && !hasFieldError && (
          <p className={styles.problem} role="alert">
            {messageOf(saving.error)}
          </p>
        )}
      </div>
    </form>
  );
};

const messageOf = (error: Error): string => {
  if (isGone(error)) return 'This book was deleted meanwhile. Restore it to change it.';
  const message = isTransient(error)
    ? 'We have not heard whether the book was changed. Please try again.'
    : 'The book was not changed. Please try again.';
  return withReason(message, error);
};

/** What has changed meanwhile. It takes the focus, because Save does something else than it would have done. */
const ConflictNotice = ({ conflict: { before, now }, typed }: { conflict: Conflict; typed: BookTexts }) => {
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} className={styles.conflict} role="alert" tabIndex={-1}>
      <p>Somebody else has changed this book meanwhile. What you typed is still here.</p>
      <ul>
        {differences(now, before).map((name) => (
          <li key={name}>
            <b>{textLabels[name]}</b>: was <Text>{before[name]}</Text>, is now <Text>{now[name]}</Text>
            {typed[name] !== now[name] && (
              <>
                ; you typed <Text>{typed[name]}</Text>
              </>
            )}
          </li>
        ))}
      </ul>
      <p>Save again to keep what is in the fields below.</p>
    </div>
  );
};

const Text = ({ children }: { children: string }) =>
  children === '' ? 'empty' : <q dir="auto">{children}</q>;
