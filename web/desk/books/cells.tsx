/** The cells of a row of books that change something. */
import { type SyntheticEvent, useState } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { formatPrice } from '../../../contract/price.ts';
import { restoreBook } from '../../api/changes.ts';
import { Button } from '../../components/button.tsx';
import { pressedKey } from '../../components/pressed-key.ts';
import { useAct } from '../acts.tsx';
import { changeBooks, changeCopies } from './api.ts';
import styles from './books.module.css';
import { toldOf } from './changes.ts';

/** The number of copies, with buttons that count one. A change is never sent again by itself: it would count twice. */
export const Copies = ({ book: { _id: id, title, copies } }: { book: DeskBook }) => {
  const { act, isBusy } = useAct(false);
  if (copies === null) return <span className={styles.unlimited}>unlimited</span>;
  const run = async (by: number) => {
    const changed = await changeCopies(id, by);
    const now = changed.copies ?? 0;
    const text = `${title}: ${now - by} → ${now} ${now === 1 ? 'copy' : 'copies'}.`;
    return { changed: [changed], text };
  };
  const problem = 'The copies may not have been changed: look at their number.';
  const button = (name: string, by: number) => (
    <Button
      variant="subtle"
      aria-label={`${name}: ${title}`}
      isBusy={isBusy}
      onClick={() => act({ run: () => run(by), problem })}
    >
      {name}
    </Button>
  );
  return (
    <span className={`cluster tight ${styles.copies}`}>
      {copies === 0 ? 'Sold out' : copies}
      {button('+1', 1)}
      {copies > 0 && button('Sold elsewhere', -1)}
    </span>
  );
};

/** The price of a book, which a click makes a field: Enter stores it, Escape leaves it. */
export const PriceInRow = ({ book }: { book: DeskBook }) => {
  const [state, setState] = useState<'text' | 'field' | 'text with the focus'>('text');
  if (state === 'field')
    return (
      <PriceField book={book} onClose={(hasFocus) => setState(hasFocus ? 'text with the focus' : 'text')} />
    );
  const price = formatPrice(book.price.value);
  return (
    <button
      type="button"
      className="linkish"
      aria-label={`Price: ${book.title}, ${price}`}
      // biome-ignore lint/a11y/noAutofocus: the field that had the focus is gone.
      autoFocus={state === 'text with the focus'}
      onClick={() => setState('field')}
    >
      {price}
    </button>
  );
};

type PriceFieldProps = { book: DeskBook; onClose: (hasFocus: boolean) => void };

const PriceField = ({ book, onClose }: PriceFieldProps) => {
  const { act, isBusy, hasFailed } = useAct(false);
  const before = book.price.value.toFixed(2);
  const [text, setText] = useState(before);
  const isSame = text.trim() === before;
  const run = async () => {
    const result = await changeBooks([book], { price: { value: text.trim() } });
    const changed = result.changed.map(({ _id, to, version }) => ({
      ...{ _id, version },
      price: { value: to.price },
    }));
    return { ...(result.skipped.length === 0 && { changed }), ...toldOf(result) };
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isSame) onClose(true);
    else if (!isBusy) act({ run, problem: 'The price was not changed.', onDone: () => onClose(true) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <input
        className={`box ${styles.price}`}
        inputMode="decimal"
        autoComplete="off"
        aria-label={`Price of ${book.title}`}
        aria-invalid={hasFailed || undefined}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field.
        autoFocus
        onFocus={({ target }) => target.select()}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => pressedKey(event) === 'Escape' && onClose(true)}
        onBlur={() => isSame && onClose(false)}
      />
    </form>
  );
};

/** Puts a deleted book back on sale. */
export const Restore = ({ book: { _id: id, title } }: { book: DeskBook }) => {
  const { act, isBusy } = useAct();
  const run = async () => {
    await restoreBook(id);
    return { gone: [id], text: `Restored ${title}: it is for sale again.` };
  };
  return (
    <Button
      variant="subtle"
      aria-label={`Restore: ${title}`}
      isBusy={isBusy}
      onClick={() => act({ run, problem: 'The book was not restored.' })}
    >
      Restore
    </Button>
  );
};
