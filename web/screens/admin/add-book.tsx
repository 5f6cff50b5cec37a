import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import styles from './add-book.module.css';
import { BookForm } from './book-form.tsx';

const added = 'Successfully added';

export const AddBook = () => {
  const [formNumber, setFormNumber] = useState(0);
  const [isAdded, setIsAdded] = useState(false);
  const view = useRef<HTMLDivElement>(null);

  const celebrate = () => {
    flushSync(() => {
      setFormNumber(formNumber + 1);
      setIsAdded(true);
    });
    view.current?.querySelector('input')?.focus();
    afterPaint(() => window.alert(added));
  };

  return (
    <div ref={view} className={styles.view}>
      {/* A form of its own for every book: the next one starts with nothing of the last. */}
      <BookForm key={formNumber} onSubmit={() => setIsAdded(false)} onAdded={celebrate} />
      <p className={styles.added} role="alert">
        {isAdded && added}
      </p>
    </div>
  );
};

/** The dialog stops the page: without a frame in between, the full form would still stand behind it. */
const afterPaint = (show: () => void) => requestAnimationFrame(() => setTimeout(show));
