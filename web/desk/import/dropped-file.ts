import { useEffect, useState } from 'react';

export type DroppedFile = {
  /** Waits for Import to take it. */
  dropped: File | undefined;
  onTaken: () => void;
};

/**
 * Any view takes a CSV file that is dropped on it, for Import.
 * @param onDrop is called when there is one.
 */
export const useDroppedFile = (onDrop: () => void): DroppedFile => {
  const [dropped, setDropped] = useState<File>();
  useEffect(() => {
    const over = (event: DragEvent) => {
      // Without this the browser opens the file in place of the page.
      if (isForDesk(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      if (!isForDesk(event) || !file) return;
      event.preventDefault();
      if (!isTextFile(file)) return;
      setDropped(file);
      onDrop();
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, [onDrop]);
  return { dropped, onTaken: () => setDropped(undefined) };
};

/** A panel has a field for pictures, and Import its own zone. */
const isForDesk = (event: DragEvent): boolean =>
  !event.defaultPrevented &&
  event.dataTransfer?.types.includes('Files') === true &&
  !document.querySelector('dialog[open]');

/** The type of a CSV file depends on the programs of the machine. */
const isTextFile = ({ name, type }: File): boolean =>
  type.startsWith('text/') || /\.(csv|tsv|txt)$/i.test(name);
