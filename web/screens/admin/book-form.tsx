import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { NewBook } from '../../../contract/book.ts';
import { ApiProblem } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { addBook, shelfKey } from '../../queries.ts';
import styles from './book-form.module.css';
import { Field } from './field.tsx';
import { ImagePreview } from './image-preview.tsx';
import { useImageUpload } from './image-upload.ts';
import { refusalOf } from './refusal.ts';

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
  const { upload, pick } = useImageUpload();
  const [problem, setProblem] = useState<Error>();
  const addition = useMutation({
    mutationFn: addBook,
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: shelfKey });
      onAdded();
    },
    onError: (error) => {
      flushSync(() => setProblem(error));
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (upload.state !== 'uploaded' || addition.isPending) return;
    onSubmit();
    setProblem(undefined);
    addition.mutate(bookIn(new FormData(event.currentTarget), upload.address));
  };

  const errors = problem instanceof ApiProblem ? problem.errors : [];
  const errorOf = (field: FormField) => errors.find((error) => error.field === field)?.message;

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        <Field label="Book Name" name="title" error={errorOf('title')} />
        <Field label="Book Price" name="price" inputMode="decimal" error={errorOf('price.value')} />
        <Field label="Author Name" name="author" error={errorOf('author')} />
        <Field
          label="Image"
          type="file"
          accept={imageTypes}
          onChange={({ target }) => void pick(target.files?.[0])}
          error={errorOf('image')}
        />
      </div>
      <ImagePreview upload={upload} />
      <div className={styles.end}>
        <Button type="submit" weight="main" disabled={upload.state !== 'uploaded' || addition.isPending}>
          Add Book
        </Button>
        {problem && !formFields.some(errorOf) && (
          <p className={styles.problem} role="alert">
            {refusalOf(problem, 'The book was not added. Please try again.')}
          </p>
        )}
      </div>
    </form>
  );
};

const bookIn = (form: FormData, image: string): NewBook => ({
  title: textIn(form, 'title'),
  price: { value: textIn(form, 'price') },
  author: textIn(form, 'author'),
  image,
});

const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '');
