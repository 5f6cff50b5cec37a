import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string;
  error: string | undefined;
};

/** An input with its label and, below it, the store's error for its value. */
export const Field = ({ label, error, ...input }: FieldProps) => {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        dir="auto"
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        {...input}
      />
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
};
