import { type ReactNode, type SyntheticEvent, useLayoutEffect } from 'react';
import { reasonAgainstFile } from '../../api/upload-image.ts';
import { formFields } from '../../books/book-texts.ts';
import { mayDiscard, type useDraft } from '../../books/drafts.ts';
import { ImageField, useImagePick } from '../../books/image-pick.tsx';
import { TextFields, useFieldErrors } from '../../books/text-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { Frame } from '../../components/frame.tsx';
import { withReason } from '../../components/with-reason.ts';
import { matchesMedia } from '../../memory/platform.ts';
import { IsbnScanner } from './isbn-scanner.tsx';
import styles from './panel-form.module.css';

type PanelFormProps = {
  bookId: string;
  draft: ReturnType<typeof useDraft>;
  /** The mutation that sends what was typed. */
  saving: { isPending: boolean; error: Error | null };
  submitName: string;
  /** @returns the text for an error that stands at no field. */
  messageOf: (error: Error) => string;
  onSubmit: () => void;
  onClose: () => void;
  /** Above the fields. */
  notice?: ReactNode;
  /** Beside the buttons. */
  action?: ReactNode;
  /** Below the fields. */
  children?: ReactNode;
};

const noImage = 'Upload a picture below, or write its https: address.';

const notUploaded = (error: Error): string =>
  withReason(['The picture was not uploaded.', reasonAgainstFile(error)].join(' ').trim(), error);

/** The fields of a book, its image, and the buttons. An error that the store has for a field stands at it. */
export const PanelForm = ({
  bookId,
  draft: { typed, isFromDraft, type },
  saving: { error, isPending },
  submitName,
  messageOf,
  onSubmit,
  onClose,
  notice,
  action,
  children,
}: PanelFormProps) => {
  const { form, errorAt, isAtField } = useFieldErrors(error, formFields);
  const messageAt: typeof errorAt = (field) =>
    errorAt(field) && field.kind === 'image' && typed.image.trim() === '' ? noImage : errorAt(field);
  const image = useImagePick({ onPicked: (address) => type({ image: address }) });
  useLayoutEffect(() => {
    const first = form.current?.querySelector('input');
    // The panel opened before its fields were there. A phone's keyboard would cover them.
    if (!first || !document.activeElement?.matches('dialog') || !matchesMedia('(pointer: fine)')) return;
    first.focus();
    // A long title is shown from its beginning.
    first.setSelectionRange(0, 0);
    first.scrollLeft = 0;
  }, [form]);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isPending && !image.isUploading) onSubmit();
  };
  return (
    <form ref={form} className="stack" onSubmit={submit} noValidate>
      {isFromDraft && (
        <p className="soft" role="status">
          Here is what you typed before. It is not saved yet.
        </p>
      )}
      {notice}
      <TextFields
        fields={formFields}
        typed={typed}
        onType={type}
        errorAt={messageAt}
        below={({ kind }) => kind === 'isbn' && <IsbnScanner onRead={(isbn) => type({ isbn })} />}
      />
      <div className={styles.image}>
        <Frame>
          <Cover
            key={typed.image}
            book={{ _id: bookId, title: typed.title, author: typed.author, image: typed.image.trim() }}
            isEager
          />
        </Frame>
        <div className="stack tight">
          <ImageField
            label="Or upload a picture"
            error={image.error ? notUploaded(image.error) : undefined}
            isFilled={image.isUploading}
            onPick={image.pick}
          />
          <p className="soft" role="status">
            {image.isUploading && 'Uploading…'}
            {image.isUploaded && 'Uploaded. Save to keep it.'}
          </p>
        </div>
      </div>
      {children}
      <div className={`cluster tight ${styles.actions}`}>
        <Button type="submit" variant="primary" isBusy={isPending || image.isUploading}>
          {submitName}
        </Button>
        <Button onClick={() => mayDiscard(bookId) && onClose()}>Cancel</Button>
        <span>{action}</span>
        {error && !isAtField && (
          <p className="problem" role="alert">
            {messageOf(error)}
          </p>
        )}
      </div>
    </form>
  );
};
