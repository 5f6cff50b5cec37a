import { type DragEvent, useId, useState } from 'react';
import { columnsInWords } from '../../../contract/book-fields.ts';
import styles from './import.module.css';

type FileFieldProps = {
  file: File | undefined;
  /** No other file is taken. */
  isBusy: boolean;
  onChoose: (file: File) => void;
};

/** The field for a file, which is dropped there or chosen. */
export const FileField = ({ file, isBusy, onChoose }: FileFieldProps) => {
  const [isOver, setIsOver] = useState(false);
  const columnsId = useId();
  const choose = (chosen: File | undefined) => {
    if (chosen && !isBusy) onChoose(chosen);
  };
  // Otherwise the browser opens the file in place of the page.
  const take = (event: DragEvent, isOver: boolean) => {
    event.preventDefault();
    setIsOver(isOver && !isBusy);
  };
  return (
    <label
      className={`stack ${styles.field}`}
      data-is-over={isOver}
      onDragOver={(event) => take(event, true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        take(event, false);
        choose(event.dataTransfer.files[0]);
      }}
    >
      <span className={styles.name}>{file ? file.name : 'Choose a CSV file, or drop it here'}</span>
      <input
        className={styles.input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file"
        aria-describedby={columnsId}
        disabled={isBusy}
        // The same file may be chosen again, after it was changed.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
        onChange={({ target }) => choose(target.files?.[0])}
      />
      <span id={columnsId} className="soft">
        Columns: {columnsInWords.required}; {columnsInWords.optional} if you like. In UTF-8, in any order.
        Nothing changes until you’ve seen a preview.
      </span>
    </label>
  );
};
