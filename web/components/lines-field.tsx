import { useId } from 'react';
import styles from './lines-field.module.css';

type LinesFieldProps = {
  label: string;
  text: string;
  onType: (text: string) => void;
  /** In characters. */
  maxLength: number;
  autoComplete?: string;
  placeholder?: string | undefined;
  /** Below the field. */
  hint?: string;
  error?: string | undefined;
  hasFocus?: boolean;
  isReadOnly?: boolean;
};

/** A person who opens a text again adds to its end. */
const caretToEnd = (field: HTMLTextAreaElement | null): void => {
  field?.setSelectionRange(field.value.length, field.value.length);
};

/** A field for a text of several lines. */
export const LinesField = ({
  label,
  text,
  onType,
  maxLength,
  autoComplete = 'off',
  placeholder,
  hint,
  error,
  hasFocus,
  isReadOnly,
}: LinesFieldProps) => {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        dir="auto"
        rows={3}
        maxLength={maxLength}
        autoComplete={autoComplete}
        placeholder={placeholder}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field.
        autoFocus={hasFocus}
        ref={hasFocus ? caretToEnd : undefined}
        value={text}
        readOnly={isReadOnly}
        // A tab comes with a text that was copied from a table, and the store takes none.
        onChange={({ target }) => onType(target.value.replaceAll('\t', ' '))}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? noteId : undefined}
      />
      {note && (
        <p id={noteId} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
          {note}
        </p>
      )}
    </div>
  );
};
