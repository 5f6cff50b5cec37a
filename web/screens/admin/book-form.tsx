import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { NewBook } from '../../../contract/book.ts';
import { ApiProblem, isRateLimited, isTransient, retryTransient } from '../../api/client.ts';
import { addBook, bookListsKey } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { type BookTexts, bookFields, collectBookTexts, newBookFrom } from './book-fields.ts';
import styles from './book-form.module.css';
import { catalogueErrorMessage } from './catalogue-error-message.ts';
import { clearDraft, idempotencyKeyFor, readDraft, updateDraft } from './draft.ts';
import { Field } from './field.tsx';
import { ImagePreview } from './image-preview.tsx';
import { useImageUpload } from './image-upload.ts';

const mutationKey = ['addition'];

const rejectedMessage = 'The book was not added. Please try again.';
const unknownOutcomeMessage =
  'We have not heard whether the book was added. Trying again does not add it twice.';

const imageTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';
const imageErrorPath = 'image';

/** The paths of the API's errors that have a field to stand at. */
const errorPaths: string[] = [...bookFields.map(({ errorPath }) => errorPath), imageErrorPath];

type BookFormProps = {
  onSubmit: () => void;
  onAdded: () => void;
};

/** The form for one new book. It starts with the draft, updates it on input, and clears it when the book is added. */
export const BookForm = ({ onSubmit, onAdded }: BookFormProps) => {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft] = useState(readDraft);
  const { upload, pick } = useImageUpload();
  const [problem, setProblem] = useState<Error>();
  const addition = useMutation({
    mutationKey,
    mutationFn: (book: NewBook) => addBook(book, idempotencyKeyFor(book)),
    retry: retryTransient,
    onSuccess: () => {
      clearDraft();
      queryClient.removeQueries({ queryKey: bookListsKey });
      onAdded();
    },
    onError: (error) => {
      flushSync(() => setProblem(error));
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    },
  });

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A double click submits twice before the button is rendered as busy, so the client's state decides.
    if (upload.state !== 'uploaded' || queryClient.isMutating({ mutationKey }) > 0) return;
    onSubmit();
    setProblem(undefined);
    addition.mutate(newBookFrom(textsIn(event.currentTarget), upload.address));
  };

  const errors = problem instanceof ApiProblem ? problem.errors : [];
  const errorAt = (path: string) => errors.find(({ field }) => field === path)?.message;

  return (
    <form
      ref={form}
      className={styles.form}
      onInput={({ currentTarget }) => updateDraft(textsIn(currentTarget))}
      onSubmit={submit}
      noValidate
    >
      <div className={styles.fields}>
        {bookFields.map(({ name, label, errorPath, input }) => (
          <Field
            key={name}
            label={label}
            name={name}
            defaultValue={draft[name]}
            error={errorAt(errorPath)}
            {...input}
          />
        ))}
        <Field
          label="Image"
          type="file"
          accept={imageTypes}
          // A browser fires no change event for a file that is picked again, as after a failed upload.
          onClick={({ currentTarget }) => {
            if (upload.state === 'idle') currentTarget.value = '';
          }}
          onChange={({ target }) => void pick(target.files?.[0])}
          error={errorAt(imageErrorPath)}
        />
      </div>
      <ImagePreview upload={upload} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          disabled={upload.state !== 'uploaded'}
          isBusy={addition.isPending}
        >
          Add Book
        </Button>
        {problem && !errorPaths.some(errorAt) && (
          <p className={styles.problem} role="alert">
            {catalogueErrorMessage(problem, messageFor(problem))}
          </p>
        )}
      </div>
    </form>
  );
};

const textsIn = (form: HTMLFormElement): BookTexts => {
  const formData = new FormData(form);
  return collectBookTexts((name) => String(formData.get(name) ?? ''));
};

const messageFor = (error: Error): string => {
  if (isRateLimited(error)) return 'The book was not added.';
  // After a transient error the store may have added the book all the same.
  return error instanceof ApiProblem && !isTransient(error) ? rejectedMessage : unknownOutcomeMessage;
};
