import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { formatPrice } from '../../../contract/price.ts';
import { ApiProblem } from '../../api/client.ts';
import { changeBooks } from '../../api/desk-book-changes.ts';
import { deskBooksKey, replaceInLists } from '../../api/desk-queries.ts';
import { pressedKey } from '../../components/pressed-key.ts';
import { withReason } from '../../components/with-reason.ts';
import styles from './books.module.css';
import { type Undoable, undoable } from './changes.ts';

type PriceCellProps = { book: DeskBook; onDone: (done: Undoable | string) => void };

/** The price of a book, which a click makes a field: Enter stores it, Escape leaves it. */
export const PriceCell = ({ book, onDone }: PriceCellProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!isOpen && hadFocus.current) opener.current?.focus({ preventScroll: true });
    hadFocus.current = isOpen;
  }, [isOpen]);
  if (isOpen) return <PriceField book={book} onDone={onDone} onClose={() => setIsOpen(false)} />;
  return (
    <button
      ref={opener}
      type="button"
      className={styles.price}
      aria-label={`Price: ${book.title}, ${formatPrice(book.price.value)}`}
      onClick={() => setIsOpen(true)}
    >
      {formatPrice(book.price.value)}
    </button>
  );
};

const PriceField = ({ book, onDone, onClose }: PriceCellProps & { onClose: () => void }) => {
  const queryClient = useQueryClient();
  const [text, setText] = useState(book.price.value.toFixed(2));
  const saving = useMutation({
    mutationFn: () => changeBooks([book], { price: { value: text.trim() } }, { dryRun: false }),
    onSuccess: async (result) => {
      const [changed] = result.changed;
      if (changed) {
        const price = { value: changed.to.price ?? book.price.value };
        await replaceInLists(queryClient, deskBooksKey, { ...book, price, version: changed.version });
      } else if (result.skipped.some(({ reason }) => reason !== 'same')) {
        void queryClient.invalidateQueries({ queryKey: deskBooksKey });
      }
      onDone(undoable(result));
      onClose();
    },
    onError: (error) => {
      const wrong = error instanceof ApiProblem ? error.errors[0] : undefined;
      const message = 'The price was not changed.';
      onDone(wrong ? `${message} ${wrong.message}` : withReason(message, error));
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() === book.price.value.toFixed(2)) onClose();
    else if (!saving.isPending) saving.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <input
        className={styles.priceField}
        inputMode="decimal"
        autoComplete="off"
        aria-label={`Price of ${book.title}`}
        aria-invalid={saving.isError || undefined}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field.
        autoFocus
        onFocus={({ target }) => target.select()}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (saving.isError) saving.reset();
        }}
        onKeyDown={(event) => pressedKey(event) === 'Escape' && onClose()}
        onBlur={() => text.trim() === book.price.value.toFixed(2) && onClose()}
      />
    </form>
  );
};
