import { type DragEvent, useId, useState } from 'react';
import { columnsInWords } from '../../../contract/book-fields.ts';
import styles from './drop-zone.module.css';

type DropZoneProps = {
  file: File | undefined;
  /** No other file is taken. */
  isBusy: boolean;
  onChoose: (file: File) => void;
};

/** The field for a file, which is dropped there or chosen. */
export const DropZone = ({ file, isBusy, onChoose }: DropZoneProps) => {
  const [isOver, setIsOver] = useState(false);
  const columnsId = useId();
  const choose = (chosen: File | undefined) => {
    if (chosen && !isBusy) onChoose(chosen);
  };
  const over = (event: DragEvent) => {
    // Otherwise the browser opens the file in place of the page.
    event.preventDefault();
    setIsOver(!isBusy);
  };
  return (
    <label
      className={`${styles.zone} ${isOver ? styles.isOver : ''}`}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
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
      <span id={columnsId} className={styles.columns}>
        Columns: {columnsInWords.required}; {columnsInWords.optional} if you like. In UTF-8, in any order.
        Nothing changes until you’ve seen a preview.
      </span>
    </label>
  );
};
