import { useState } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { send } from '../../api/calls.ts';
import { pressedKey } from '../../components/pressed-key.ts';
import { money } from '../../store-config.ts';
import { ActButton, useAct } from '../acts.tsx';
import styles from './books.module.css';
import { changeBooks, toldOf } from './changes.ts';

/** The number of copies, with a button for one that was sold elsewhere and one for one more. A change is never repeated automatically: it would count twice. */
export const Copies = ({ book: { _id: id, title, copies } }: { book: DeskBook }) => {
  if (copies === null) return null;
  const run = async (by: number) => {
    const now = (await send<DeskBook>('POST', deskPaths.bookCopies(id), { by })).copies ?? 0;
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
    <span className={styles.copies}>
      {copies === 0 ? 'Sold out' : copies.toLocaleString('en')}
      {copies > 0 && button('−1', -1)}
      {button('+1', 1)}
    </span>
  );
};

/** The price of a book, in a field: Enter stores what was typed, Escape discards it. */
export const PriceInRow = ({ book }: { book: DeskBook }) => {
  const { act, isBusy, hasFailed } = useAct(false);
  const [typed, setTyped] = useState<string>();
  const price = money.write(book.price.value);
  const leave = () => setTyped(undefined);
  const store = () => {
    const value = typed?.trim() ?? price;
    const run = async () => toldOf(await changeBooks([book], { price: { value } }));
    if (value === price) leave();
    else if (!isBusy) act({ run, onDone: leave });
  };
  return (
    <input
      // The price is a text with a line below it, until it is changed.
      className={`box figures ${typed === undefined ? 'linkish' : ''} ${styles.price}`}
      inputMode="decimal"
      autoComplete="off"
      aria-label={`Price of ${book.title}`}
      aria-invalid={(hasFailed && typed !== undefined) || undefined}
      value={typed ?? price}
      onFocus={({ target }) => target.select()}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={(event) => {
        const key = pressedKey(event);
        if (key === 'Enter') store();
        else if (key === 'Escape') leave();
      }}
    />
  );
};
