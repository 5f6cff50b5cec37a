/** The cells of a row of books that change something. */
import { type SyntheticEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { formatPrice } from '../../../contract/price.ts';
import { pressedKey } from '../../components/pressed-key.ts';
import { ActButton, useAct } from '../acts.tsx';
import { changeBooks, changeCopies } from './api.ts';
import styles from './books.module.css';
import { toldOf } from './changes.ts';

/** The number of copies, with buttons that count one. A change is never sent again by itself: it would count twice. */
export const Copies = ({ book: { _id: id, title, copies } }: { book: DeskBook }) => {
  if (copies === null) return <span className={styles.unlimited}>unlimited</span>;
  const run = async (by: number) => {
    const now = (await changeCopies(id, by)).copies ?? 0;
    return { text: `${title}: ${now - by} → ${now} ${now === 1 ? 'copy' : 'copies'}.` };
  };
  const button = (name: string, by: number) => (
    <ActButton
      name={name}
      what={title}
      isRepeatable={false}
      run={() => run(by)}
      problem="The copies may not have been changed: look at their number."
    />
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
  const { act, isBusy, hasFailed } = useAct(false);
  const [typed, setTyped] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const price = formatPrice(book.price.value);
  const before = book.price.value.toFixed(2);
  if (typed === undefined) {
    return (
      <button
        ref={button}
        type="button"
        className="linkish"
        aria-label={`Price: ${book.title}, ${price}`}
        onClick={() => setTyped(before)}
      >
        {price}
      </button>
    );
  }
  const close = () => {
    flushSync(() => setTyped(undefined));
    button.current?.focus();
  };
  const value = typed.trim();
  const isSame = value === before;
  const run = async () => toldOf(await changeBooks([book], { price: { value } }));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isSame) close();
    else if (!isBusy) act({ run, problem: 'The price was not changed.', onDone: close });
  };
  return (
    <form onSubmit={submit} noValidate>
      <input
        className={`box ${styles.price}`}
        inputMode="decimal"
        autoComplete="off"
        aria-label={`Price of ${book.title}`}
        aria-invalid={(hasFailed && !isSame) || undefined}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field.
        autoFocus
        onFocus={({ target }) => target.select()}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => pressedKey(event) === 'Escape' && close()}
        onBlur={() => isSame && setTyped(undefined)}
      />
    </form>
  );
};
