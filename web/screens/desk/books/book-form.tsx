import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Cover } from '../../../components/cover.tsx';
import { Frame } from '../../../components/frame.tsx';
import { Field } from '../../admin/field.tsx';
import styles from './book-form.module.css';
import { errorPathOf, textLabels, textNames } from './book-texts.ts';
import { PickImage } from './pick-image.tsx';
import type { useTyping } from './use-typing.ts';

type BookFormProps = {
  typing: ReturnType<typeof useTyping>;
  /** The mutation that sends what was typed. */
  saving: { isPending: boolean; error: Error | null };
  submitName: string;
  /** What to say about an error that stands at no field. */
  messageOf: (error: Error) => string;
  onSubmit: () => void;
  onCancel: () => void;
  /** Above the fields. */
  notice?: ReactNode;
  /** Beside the buttons. */
  action?: ReactNode;
};

/** The fields of a book, its image, and the buttons. An error that the store has for a field stands at it. */
export const BookForm = ({
  typing: { typed, isFromDraft, type },
  saving,
  submitName,
  messageOf,
  onSubmit,
  onCancel,
  notice,
  action,
}: BookFormProps) => {
  const [isUploading, setIsUploading] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { error, isPending } = saving;
  const errors = error instanceof ApiProblem ? error.errors : [];
  const errorAt = (path: string) => errors.find(({ field }) => field === path)?.message;
  const hasFieldError = textNames.some((name) => errorAt(errorPathOf(name)));
  useLayoutEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isPending && !isUploading) onSubmit();
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {isFromDraft && (
        <p className={styles.draft} role="status">
          Here is what you typed before. It is not saved yet.
        </p>
      )}
      {notice}
      {textNames.map((name) => (
        <Field
          key={name}
          label={textLabels[name]}
          name={name}
          value={typed[name]}
          onChange={({ target }) => type({ [name]: target.value })}
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
        <PickImage onUploading={setIsUploading} onPicked={(image) => type({ image })} />
      </div>
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={isPending || isUploading}>
          {submitName}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        {action}
        {error && !hasFieldError && (
          <p className={styles.problem} role="alert">
            {messageOf(error)}
          </p>
        )}
      </div>
    </form>
  );
};
