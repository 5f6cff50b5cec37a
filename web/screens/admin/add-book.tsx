import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import styles from './add-book.module.css';
import { BookForm } from './book-form.tsx';

const addedMessage = 'Successfully added';

/** The view Add Book: the form, and the message after each book that was added. */
export const AddBook = () => {
  const [formNumber, setFormNumber] = useState(0);
  const [isAdded, setIsAdded] = useState(false);
  const view = useRef<HTMLDivElement>(null);

  const showAdded = () => {
    flushSync(() => {
      setFormNumber(formNumber + 1);
      setIsAdded(true);
    });
    view.current?.querySelector('input')?.focus();
    afterPaint(() => window.alert(addedMessage));
  };

  return (
    <div ref={view} className={styles.view}>
      {/* A new form for each book, so that the next one starts empty. */}
      <BookForm key={formNumber} onSubmit={() => setIsAdded(false)} onAdded={showAdded} />
      <p className={styles.added} role="alert">
        {isAdded && addedMessage}
      </p>
    </div>
  );
};

/** Waits one frame: the dialog stops the page, and would otherwise open before the cleared form is painted. */
const afterPaint = (show: () => void) => requestAnimationFrame(() => setTimeout(show));
