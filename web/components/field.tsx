import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string;
  error: string | undefined;
  /** For a text of several lines: the properties of its textarea. */
  lines?: ComponentProps<'textarea'> | false;
};

/** An input with its label and, below it, the store's error for its value. */
export const Field = ({ label, error, lines, ...input }: FieldProps) => {
  const id = useId();
  const errorId = `${id}-error`;
  const shared = {
    id,
    dir: 'auto',
    autoComplete: 'off',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? errorId : undefined,
  } as const;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {lines ? <textarea {...shared} {...lines} /> : <input {...shared} {...input} />}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
};
