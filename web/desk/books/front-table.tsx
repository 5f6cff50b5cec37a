import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Book } from '../../../contract/book.ts';
import { capitalized } from '../../../contract/book-fields.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import type { FrontTable } from '../../../contract/desk/front-table.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { maxFrontWords, maxOnFrontTable } from '../../../contract/front-limits.ts';
import { paths } from '../../../contract/paths.ts';
import type { Suggestions } from '../../../contract/suggestions.ts';
import { read, send } from '../../api/calls.ts';
import { BookCell } from '../../components/book-cell.tsx';
import { Combobox } from '../../components/combobox/combobox.tsx';
import { Cover } from '../../components/cover.tsx';
import row from '../../components/cover-row/cover-row.module.css';
import { Fetched } from '../../components/fetched.tsx';
import { FrontTableView } from '../../components/front-table.tsx';
import { pressedKey } from '../../components/pressed-key.ts';
import { ActTick, useAct } from '../acts.tsx';
import { Panel } from '../panel.tsx';
import styles from './front-table.module.css';

/** The panel's id in the desk's address. No book has it: ids have letters, digits, `-` and `_` alone. */
export const frontTableId = '*';

export const FrontTablePanel = ({ onClose }: { onClose: () => void }) => (
  <Panel heading="Front table" shape="wide" onClose={onClose}>
    <Fetched
      query={useQuery(read<FrontTable>('desk', deskPaths.frontTable))}
      problem="The front table could not be fetched."
    >
      {(table) => <Table table={table} />}
    </Fetched>
  </Panel>
);

/** A member that is missing stays as it is in the store. */
const editFrontTable = ({ books, ...words }: Partial<FrontTable>) =>
  send('PATCH', deskPaths.frontTable, { ...words, books: books?.map(({ _id }) => _id) });

const stepsOf: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** The table as the shop shows it. Each change is saved at once. */
const Table = ({ table }: { table: FrontTable }) => {
  const { act } = useAct();
  const { books } = table;
  const save = (change: Partial<FrontTable>, text: string) =>
    act({
      run: async () => {
        await editFrontTable(change);
        return { text, undo: () => editFrontTable(table) };
      },
    });
  const without = (book: Book) => books.filter((one) => one !== book);
  const move = (book: Book, to: number) =>
    books[to] &&
    books[to] !== book &&
    save({ books: without(book).toSpliced(to, 0, book) }, `${book.title} is at place ${to + 1}.`);
  /** A text that is typed where it stands. It is saved by Enter, and when the field is left. */
  const field = (name: 'heading' | 'words', placeholder: string, className = '') => (
    <textarea
      key={`${name} ${table[name]}`}
      className={`box ${styles.typed} ${className}`}
      dir="auto"
      rows={2}
      aria-label={capitalized(name)}
      placeholder={placeholder}
      maxLength={maxFrontWords[name]}
      defaultValue={table[name]}
      onKeyDown={(event) => {
        if (pressedKey(event) !== 'Enter') return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
      onBlur={({ target }) => {
        const text = target.value.replaceAll(/\s+/g, ' ').trim();
        if (text !== table[name]) save({ [name]: text }, `Saved the ${name}.`);
      }}
    />
  );
  const key = (sign: string, name: string, onClick: () => void, isOff = false) => (
    <button type="button" aria-label={name} aria-disabled={isOff} onClick={onClick}>
      {sign}
    </button>
  );
  return (
    <>
      <FrontTableView
        heading={field('heading', 'The shop’s own')}
        words={field('words', 'A sentence or two', 'prose')}
        covers={
          <ul className={`${row.covers} ${styles.covers}`} aria-label="Books on the front table">
            {books.map((book, at) => (
              <li
                key={book._id}
                data-key={book._id}
                onKeyDown={(event) => move(book, at + (stepsOf[pressedKey(event) ?? ''] ?? 0))}
              >
                <button type="button" aria-label={`Put first: ${book.title}`} onClick={() => move(book, 0)}>
                  <Cover book={book} size="table" isLabelled />
                </button>
                <span className="raised">
                  {key('←', `Move left: ${book.title}`, () => move(book, at - 1), at === 0)}
                  {key('×', `Remove: ${book.title}`, () =>
                    save({ books: without(book) }, `${book.title} is off the front table.`),
                  )}
                  {key('→', `Move right: ${book.title}`, () => move(book, at + 1), !books[at + 1])}
                </span>
              </li>
            ))}
          </ul>
        }
      />
      <p className="soft">
        {books.length > 0
          ? 'Changes are in the shop at once. Press a cover to put it first.'
          : 'No book is on it: the shop shows its newest ones.'}
      </p>
      <AddBook
        books={books}
        add={(book) => save({ books: [book, ...books] }, `${book.title} is on the front table.`)}
      />
    </>
  );
};

const AddBook = ({ books, add }: Pick<FrontTable, 'books'> & { add: (book: Book) => void }) => {
  const [text, setText] = useState('');
  const { data } = useQuery({
    ...read<Suggestions>('book', paths.suggest, { q: text.trim() }),
    enabled: text.trim().length > 1,
  });
  const isFull = books.length >= maxOnFrontTable;
  return (
    <div className="field">
      <Combobox
        className="box"
        aria-label="Add a book"
        placeholder={isFull ? 'Remove a book to add another' : 'Add a book: its title or author'}
        disabled={isFull}
        listLabel="Books"
        listClass="raised"
        maxLength={200}
        value={text}
        onText={setText}
        choices={(data?.books ?? [])
          .filter(({ _id }) => !books.some((book) => book._id === _id))
          .map((book) => ({
            key: book._id,
            content: <BookCell book={book} title={`${book.title}, ${book.author}`} />,
            choose: () => {
              setText('');
              add(book);
            },
          }))}
      />
    </div>
  );
};

/** Puts a book on the front table, or takes it off, at once: this checkbox is not saved with the fields. A repeated call changes nothing. */
export const FrontTableTick = ({ book: { _id, title, onFrontTable } }: { book: DeskBook }) => {
  const isOn = onFrontTable ?? false;
  const set = async (isNowOn: boolean) => {
    await send('POST', deskPaths.bookFrontTable(_id), { isOn: isNowOn }, { keepalive: true });
    return `${title} is ${isNowOn ? 'on' : 'off'} the front table.`;
  };
  return (
    <ActTick
      name="On the front table"
      isSet={isOn}
      run={async () => ({ text: await set(!isOn), undo: () => set(isOn) })}
    />
  );
};
