import { useId } from 'react';
import { maxAddressLength } from '../../contract/delivery-address.ts';
import styles from './address-field.module.css';

type AddressFieldProps = {
  /** Unique among the fields of a screen. */
  label: string;
  text: string;
  onType: (text: string) => void;
  /** Below the field. */
  hint?: string;
  error?: string | undefined;
  isPending?: boolean;
  hasFocus?: boolean;
};

/** A field for a postal address, a text of several lines. Browsers offer the one that they know. */
export const AddressField = ({
  label,
  text,
  onType,
  hint,
  error,
  isPending,
  hasFocus,
}: AddressFieldProps) => {
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
        maxLength={maxAddressLength}
        autoComplete="shipping street-address"
        placeholder={isPending ? 'Looking for your address…' : undefined}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field.
        autoFocus={hasFocus}
        value={text}
        onChange={({ target }) => onType(target.value)}
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
