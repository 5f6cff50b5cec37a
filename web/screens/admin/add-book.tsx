import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { fieldsByName } from '../../../contract/book-fields.ts';
import { homeKey } from '../../api/catalogue.ts';
import { additionMessage, useAddBook } from '../../books/add-book.ts';
import { adminBookId, useDraft } from '../../books/drafts.ts';
import { imageTypes, useImagePick } from '../../books/image-pick.ts';
import { TextFields, useFieldErrors } from '../../books/text-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { FileField } from '../../components/field.tsx';
import { Problem } from '../../components/notice.tsx';
import { afterPaint } from '../../memory/platform.ts';
import styles from './admin.module.css';

const addedMessage = 'Successfully added';

/** The fields of the screen, in its order and with its labels (spec, section 2). All other fields stay empty. */
const { title, price, author, image } = fieldsByName;
const textFields = [
  { ...title, label: 'Book Name' },
  { ...price, label: 'Book Price' },
  { ...author, label: 'Author Name' },
];

export const AddBook = () => {
  const [added, setAdded] = useState({ books: 0, isShown: false });
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (added.books === 0) return;
    place.current?.querySelector('input')?.focus();
    // An alert stops the page: otherwise it would open before the empty form is painted.
    afterPaint(() => window.alert(addedMessage));
  }, [added.books]);
  return (
    <div ref={place} className="stack">
      {/* Each book has a new form, so that the next form starts empty. */}
      <AddBookForm
        key={added.books}
        onSubmit={() => setAdded(({ books }) => ({ books, isShown: false }))}
        onAdded={() => setAdded(({ books }) => ({ books: books + 1, isShown: true }))}
      />
      <p className="lead" role="alert">
        {added.isShown && addedMessage}
      </p>
    </div>
  );
};

type AddBookFormProps = { onSubmit: () => void; onAdded: () => void };

/** The form for one new book. A failed upload is only logged to the console (spec, section 8). */
const AddBookForm = ({ onSubmit, onAdded }: AddBookFormProps) => {
  const queryClient = useQueryClient();
  const { typed, type } = useDraft(adminBookId);
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
      <div className="stack">
        <TextFields fields={textFields} typed={typed} onType={type} errorAt={errorAt} />
        <FileField
          label="Image"
          accept={imageTypes}
          error={errorAt(image)}
          onPick={(file) => {
            type({ image: '' });
            pick(file);
          }}
        />
      </div>
      <div className="status" role="status">
        {(isUploading || isUploaded) && (
          <div className="frame">
            {isUploaded ? (
              <Cover
                book={{ _id: adminBookId, title: 'the new book', author: '', image: typed.image }}
                isEager
              />
            ) : (
              <div className={`middle ${styles.placeholder}`}>Uploading...</div>
            )}
          </div>
        )}
      </div>
      <div className="cluster">
        <Button type="submit" variant="primary" disabled={!isUploaded} isBusy={adding.isPending}>
          Add Book
        </Button>
        <Problem text={adding.error && !isAtField && additionMessage(adding.error)} />
      </div>
    </form>
  );
};
