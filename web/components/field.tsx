/** The fields of forms: a label, the box, and below it the store's error for its value. */
import { type ComponentProps, type ReactNode, useId } from 'react';
import { maxAddressLength } from '../../contract/delivery-address.ts';

type Words = {
  label: string;
  error?: string | undefined;
  /** A note below the box, shown if there is no error. */
  hint?: string | undefined;
};

type LabelledProps = Words & {
  /** True if screen readers announce an error at once. A form with many fields focuses the first one instead. */
  isAlone?: boolean;
  /** Gets the attributes that tie the box to its label and its note. */
  children: (box: ReturnType<typeof boxOf>) => ReactNode;
};

const boxOf = (id: string, noteId: string | undefined, isWrong: boolean) =>
  ({
    id,
    className: 'box',
    dir: 'auto',
    autoComplete: 'off',
    'aria-invalid': isWrong || undefined,
    'aria-describedby': noteId,
  }) as const;

const Labelled = ({ label, error, hint, isAlone, children }: LabelledProps) => {
  const id = useId();
  const note = error ?? hint;
  const noteId = `${id}-note`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(boxOf(id, note && noteId, error !== undefined))}
      {note && (
        <p id={noteId} className={error ? 'problem' : 'soft'} role={error && isAlone ? 'alert' : undefined}>
          {note}
        </p>
      )}
    </div>
  );
};

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & Words;

export const Field = ({ label, error, hint, ...input }: FieldProps) => (
  <Labelled label={label} error={error} hint={hint}>
    {(box) => <input {...box} {...input} />}
  </Labelled>
);

type FileFieldProps = Omit<FieldProps, 'type'> & { onPick: (file: File | undefined) => void };

export const FileField = ({ onPick, ...field }: FileFieldProps) => (
  <Field
    {...field}
    type="file"
    // Browsers fire no change event if the same file is picked again, although it may have changed or have failed.
    onClick={({ currentTarget }) => {
      currentTarget.value = '';
    }}
    onChange={({ target }) => onPick(target.files?.[0])}
  />
);

type LinesFieldProps = Omit<ComponentProps<'textarea'>, 'id' | 'className' | 'value' | 'onChange'> &
  Words & { text?: string; onType?: (text: string) => void; hasFocus?: boolean };

export const LinesField = ({ label, hint, error, text, onType, hasFocus, ...rest }: LinesFieldProps) => (
  <Labelled label={label} error={error} hint={hint} isAlone>
    {(box) => (
      <textarea
        {...box}
        rows={4}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field.
        autoFocus={hasFocus}
        ref={hasFocus ? caretToEnd : undefined}
        value={text}
        // Text that was copied from a table contains tabs, which the store does not accept.
        onChange={({ target }) => onType?.(target.value.replaceAll('\t', ' '))}
        {...rest}
      />
    )}
  </Labelled>
);

/** The caret is at the end: a person who opens a text again adds to it. */
const caretToEnd = (field: HTMLTextAreaElement | null): void => {
  field?.setSelectionRange(field.value.length, field.value.length);
};

/** The field for where to send an order, with an example as on an envelope. Browsers offer the address that they know. */
export const addressField = {
  label: 'Send to',
  maxLength: maxAddressLength,
  autoComplete: 'shipping street-address',
  placeholder: 'Your name\n1 Hartfield Lane\nHighbury GU12 4RT\nUnited Kingdom',
} as const;
