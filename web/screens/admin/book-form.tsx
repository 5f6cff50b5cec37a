import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiProblem, isTransient } from '../../api/client.ts';
import { addBook, bookListsKey } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import styles from './book-form.module.css';
import { dropDraft, keepInDraft, readDraft } from './draft.ts';
import { errorMessage } from './error-message.ts';
import { Field } from './field.tsx';
import { ImagePreview } from './image-preview.tsx';
import { useImageUpload } from './image-upload.ts';

const mutationKey = ['addition'];

const notAdded = 'The book was not added. Please try again.';
const notHeard =
  'We have not heard whether the book was added. Look under Manage books before you try again.';

const imageTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** What the store calls the fields in its errors. */
const formFields = ['title', 'price.value', 'author', 'image'] as const;
type FormField = (typeof formFields)[number];

type BookFormProps = {
  onSubmit: () => void;
  onAdded: () => void;
};

export const BookForm = ({ onSubmit, onAdded }: BookFormProps) => {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft] = useState(readDraft);
  const { upload, pick } = useImageUpload();
  const [problem, setProblem] = useState<Error>();
  const addition = useMutation({
    mutationKey,
    mutationFn: addBook,
    onSuccess: () => {
      dropDraft();
      queryClient.removeQueries({ queryKey: bookListsKey });
      onAdded();
    },
    onError: (error) => {
      flushSync(() => setProblem(error));
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Asked of the client, not of the last render: two clicks may come before the button is seen as busy.
    if (upload.state !== 'uploaded' || queryClient.isMutating({ mutationKey }) > 0) return;
    onSubmit();
    setProblem(undefined);
    const { title, price, author } = textsIn(event.currentTarget);
    addition.mutate({ title, price: { value: price }, author, image: upload.address });
  };

  const errors = problem instanceof ApiProblem ? problem.errors : [];
  const errorOf = (field: FormField) => errors.find((error) => error.field === field)?.message;

  return (
    <form
      ref={form}
      className={styles.form}
      onInput={({ currentTarget }) => keepInDraft(textsIn(currentTarget))}
      onSubmit={submit}
      noValidate
    >
      <div className={styles.fields}>
        <Field label="Book Name" name="title" defaultValue={draft.title} error={errorOf('title')} />
        <Field
          label="Book Price"
          name="price"
          defaultValue={draft.price}
          inputMode="decimal"
          error={errorOf('price.value')}
        />
        <Field label="Author Name" name="author" defaultValue={draft.author} error={errorOf('author')} />
        <Field
          label="Image"
          type="file"
          accept={imageTypes}
          // Browsers keep quiet about a file that is picked a second time, as after a failed upload.
          onClick={({ currentTarget }) => {
            if (upload.state === 'idle') currentTarget.value = '';
          }}
          onChange={({ target }) => void pick(target.files?.[0])}
          error={errorOf('image')}
        />
      </div>
      <ImagePreview upload={upload} />
      <div className={styles.end}>
        <Button
          type="submit"
          weight="main"
          disabled={upload.state !== 'uploaded'}
          isBusy={addition.isPending}
        >
          Add Book
        </Button>
        {problem && !formFields.some(errorOf) && (
          <p className={styles.problem} role="alert">
            {errorMessage(problem, wasRefused(problem) ? notAdded : notHeard)}
          </p>
        )}
      </div>
    </form>
  );
};

const textsIn = (form: HTMLFormElement) => {
  const texts = new FormData(form);
  const textOf = (name: string) => String(texts.get(name) ?? '');
  return { title: textOf('title'), price: textOf('price'), author: textOf('author') };
};

/** The store has said no; after anything else the book may have been added all the same. */
const wasRefused = (error: Error): boolean => error instanceof ApiProblem && !isTransient(error);
