import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { FrontTable } from '../../../contract/desk/front-table.ts';
import { maxFrontWords, maxOnFrontTable } from '../../../contract/front-limits.ts';
import { ApiProblem, retryTransient } from '../../api/client.ts';
import { deskBooksKey, editFrontTable, frontTableQuery, setOnFrontTable } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { Field } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { withReason } from '../../components/with-reason.ts';
import { Panel } from '../panel.tsx';
import styles from './front-table.module.css';
import form from './panel-form.module.css';

/** In place of a book's id in the desk's address, which has letters, digits, `-` and `_` alone. */
export const frontTableId = '*';

/** The panel in which the words of the front table are changed, and its books are taken off. @param onClose gets what to say. */
export const FrontTablePanel = ({ onClose }: { onClose: (message?: string) => void }) => {
  const { data, error, isError, refetch } = useQuery(frontTableQuery);
  return (
    <Panel heading="Front table" onClose={() => onClose()}>
      {isError && !data && (
        <TryAgain problem="The front table could not be fetched." error={error} onTryAgain={refetch} />
      )}
      {!data && !isError && <Loading />}
      {data && (
        <>
          <WordsForm opened={data} onClose={onClose} />
          <BooksOnTable books={data.books} />
        </>
      )}
    </Panel>
  );
};

type WordsFormProps = { opened: FrontTable; onClose: (message?: string) => void };

const WordsForm = ({ opened, onClose }: WordsFormProps) => {
  const [typed, setTyped] = useState({ heading: opened.heading, words: opened.words });
  const saving = useMutation({
    mutationFn: editFrontTable,
    retry: retryTransient,
    onSuccess: () => onClose('Saved the words of the front table.'),
  });
  const errorAt = (name: string) =>
    saving.error instanceof ApiProblem
      ? saving.error.errors.find(({ field }) => field === name)?.message
      : undefined;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate(typed);
  };
  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <p>What a visitor sees first on the home screen: a heading, a sentence or two, and a few covers.</p>
      <Field
        label="Heading"
        error={errorAt('heading')}
        value={typed.heading}
        maxLength={maxFrontWords.heading}
        placeholder="The shop’s own"
        onChange={({ target }) => setTyped({ ...typed, heading: target.value })}
      />
      <Field
        label="A sentence or two"
        error={errorAt('words')}
        value={typed.words}
        maxLength={maxFrontWords.words}
        onChange={({ target }) => setTyped({ ...typed, words: target.value })}
      />
      <div className={form.actions}>
        <Button type="submit" variant="primary" isBusy={saving.isPending}>
          Save
        </Button>
        <Button onClick={() => onClose()}>Close</Button>
        {saving.isError && !errorAt('heading') && !errorAt('words') && (
          <p className={form.problem} role="alert">
            {withReason('The words were not saved.', saving.error)}
          </p>
        )}
      </div>
    </form>
  );
};

const BooksOnTable = ({ books }: Pick<FrontTable, 'books'>) => {
  const queryClient = useQueryClient();
  const removal = useMutation({
    mutationFn: (id: string) => setOnFrontTable(id, false),
    retry: retryTransient,
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: deskBooksKey });
      await queryClient.invalidateQueries({ queryKey: frontTableQuery.queryKey });
    },
  });
  if (books.length === 0) {
    return (
      <p className={styles.note}>
        No book is on it: the shop shows its newest ones. Tick “On the front table” where you edit a book, for
        up to {maxOnFrontTable}.
      </p>
    );
  }
  return (
    <>
      <ul className={styles.books} aria-label="Books on the front table">
        {books.map((book) => (
          <li key={book._id}>
            <Cover book={book} size="small" />
            <span dir="auto">{book.title}</span>
            <Button
              variant="subtle"
              aria-label={`Remove: ${book.title}`}
              isBusy={removal.isPending && removal.variables === book._id}
              onClick={() => removal.mutate(book._id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {removal.isError && (
        <p className={form.problem} role="alert">
          {withReason('The book was not taken off.', removal.error)}
        </p>
      )}
    </>
  );
};
