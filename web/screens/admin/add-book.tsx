import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { fieldsByName } from '../../../contract/book-fields.ts';
import { homeKey } from '../../api/catalogue.ts';
import { additionMessage, useAddBook } from '../../books/add-book.ts';
import { emptyTexts } from '../../books/book-texts.ts';
import { adminBookId, useDraft } from '../../books/drafts.ts';
import { ImageField, useImagePick } from '../../books/image-pick.tsx';
import { TextFields, useFieldErrors } from '../../books/text-fields.tsx';
import { afterPaint } from '../../components/after-paint.ts';
import { Button } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { Frame } from '../../components/frame.tsx';
import styles from './add-book.module.css';

const addedMessage = 'Successfully added';

/** The fields of the screen, in its order and with its labels (spec, section 2). The others stay empty. */
const { title, price, author, image } = fieldsByName;
const textFields = [
  { ...title, label: 'Book Name' },
  { ...price, label: 'Book Price' },
  { ...author, label: 'Author Name' },
];

/** The view Add Book: the form, and the message after each book that was added. */
export const AddBook = () => {
  const [formNumber, setFormNumber] = useState(0);
  const [isAdded, setIsAdded] = useState(false);
  const view = useRef<HTMLDivElement>(null);

  const showAdded = () => {
    flushSync(() => {
      setFormNumber(formNumber + 1);
      setIsAdded(true);
    });
    view.current?.querySelector('input')?.focus();
    // The dialog stops the page: otherwise it would open before the cleared form is painted.
    afterPaint(() => window.alert(addedMessage));
  };

  return (
    <div ref={view} className={styles.view}>
      {/* A new form for each book, so that the next one starts empty. */}
      <AddBookForm key={formNumber} onSubmit={() => setIsAdded(false)} onAdded={showAdded} />
      <p className={styles.added} role="alert">
        {isAdded && addedMessage}
      </p>
    </div>
  );
};

type AddBookFormProps = { onSubmit: () => void; onAdded: () => void };

/** The form for one new book. A failed upload is only logged to the console (spec, section 8). */
const AddBookForm = ({ onSubmit, onAdded }: AddBookFormProps) => {
  const queryClient = useQueryClient();
  const { typed, type } = useDraft(adminBookId, emptyTexts);
  const { add, adding } = useAddBook(adminBookId, () => {
    queryClient.removeQueries({ queryKey: homeKey });
    onAdded();
  });
  const { pick, isUploading } = useImagePick({
    onPicked: (address) => type({ image: address }),
    onFailed: (error) => console.warn('The image was not uploaded.', error),
  });
  const { form, errorAt, isAtField } = useFieldErrors(adding.error, [...textFields, image]);
  const isUploaded = typed.image !== '';

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isUploaded) return;
    onSubmit();
    add(typed);
  };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        <TextFields fields={textFields} typed={typed} onType={type} errorAt={errorAt} />
        <ImageField
          label="Image"
          error={errorAt(image)}
          isFilled={isUploading || isUploaded}
          onPick={(file) => {
            type({ image: '' });
            pick(file);
          }}
        />
      </div>
      <div role="status">
        <Frame>
          {isUploaded ? (
            <Cover
              key={typed.image}
              book={{ _id: adminBookId, title: 'the new book', author: '', image: typed.image }}
              isEager
            />
          ) : (
            <div className={styles.placeholder}>{isUploading && 'Uploading...'}</div>
          )}
        </Frame>
      </div>
      <div className={styles.actions}>
        <Button type="submit" variant="primary" disabled={!isUploaded} isBusy={adding.isPending}>
          Add Book
        </Button>
        {adding.error && !isAtField && (
          <p className={styles.problem} role="alert">
            {additionMessage(adding.error)}
          </p>
        )}
      </div>
    </form>
  );
};
