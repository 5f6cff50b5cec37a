import type { SyntheticEvent } from 'react';
import type { BookField } from '../../../contract/book-fields.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { formFields } from '../../books/book-texts.ts';
import { newBookId, type StoredTexts, useDraft } from '../../books/drafts.ts';
import { imageTypes, useImagePick } from '../../books/image-pick.ts';
import { TextFields, useFieldErrors } from '../../books/text-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { FileField } from '../../components/field.tsx';
import { Problem } from '../../components/notice.tsx';
import { withReason } from '../../components/with-reason.ts';
import { ActButtons } from '../acts.tsx';
import panel from '../panel.module.css';
import styles from './books.module.css';
import { deleteBooks } from './changes.tsx';
import { FrontTableTick } from './front-table.tsx';
import { IsbnScanner } from './isbn-scanner.tsx';

export type BookForm = ReturnType<typeof useDraft>;

type PanelFormProps = {
  book?: DeskBook;
  /** The texts that the store has as the form opens. */
  stored?: StoredTexts;
  saving: { isPending: boolean; error: Error | null };
  /** @returns the message for an error that belongs to no field. */
  messageOf: (error: Error) => string;
  onSubmit: (form: BookForm) => void;
  onClose: () => void;
};

/** Two shorter fields share a line. */
const maxShort = 200;

/** The fields of a book, its image, and the buttons. The store's error for a field is shown at that field. */
export const PanelForm = ({ book, stored, saving, messageOf, onSubmit, onClose }: PanelFormProps) => {
  const id = book?._id ?? newBookId;
  const draft = useDraft(id, stored);
  const { typed, isFromDraft, type } = draft;
  const { error, isPending } = saving;
  const { form, errorAt, isAtField } = useFieldErrors(error, formFields);
  const image = useImagePick({ onPicked: (address) => type({ image: address }) });
  const fieldsOf = (isPart: (field: BookField) => boolean | undefined) => (
    <TextFields
      fields={formFields.filter(isPart)}
      typed={typed}
      onType={type}
      errorAt={errorAt}
      below={({ kind }) => kind === 'isbn' && <IsbnScanner onRead={(isbn) => type({ isbn })} />}
    />
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isPending && !image.isUploading) onSubmit(draft);
  };
  return (
    <form ref={form} className="stack" onSubmit={submit} noValidate>
      {isFromDraft && (
        <p className="soft" role="status">
          Here is what you typed before. It is not saved yet.
        </p>
      )}
      <div className={`stack ${panel.covered}`}>
        <Cover book={{ ...typed, _id: id, image: typed.image.trim() }} isEager />
        <div className="stack tight">
          {fieldsOf(({ isOptional, kind }) => !isOptional && kind !== 'image')}
        </div>
      </div>
      {fieldsOf(({ isOptional, maxLength }) => isOptional && maxLength > maxShort)}
      <div className={`stack ${styles.short}`}>
        {fieldsOf(({ isOptional, maxLength }) => isOptional && maxLength <= maxShort)}
      </div>
      {fieldsOf(({ kind }) => kind === 'image')}
      <div>
        <FileField
          label="Or upload a picture"
          accept={imageTypes}
          error={image.error ? withReason('The picture was not uploaded.', image.error) : undefined}
          onPick={image.pick}
        />
        <p className="soft" role="status">
          {image.isUploading && 'Uploading…'}
          {image.isUploaded && 'Uploaded. Save to keep it.'}
        </p>
      </div>
      {book && <FrontTableTick book={book} />}
      <div className={`cluster ends tight sticky ${styles.actions}`}>
        <Button type="submit" variant="primary" isBusy={isPending || image.isUploading}>
          {book ? 'Save changes' : 'Add the book'}
        </Button>
        <span>{book && <ActButtons acts={[deleteBooks]} rows={[book]} onDone={onClose} />}</span>
        <Problem text={error && !isAtField && messageOf(error)} />
      </div>
    </form>
  );
};
