import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { list, send } from '../../api/calls.ts';
import { frontQuery } from '../../api/catalogue.ts';
import { downloadAddress } from '../../api/changes.ts';
import { newBookId } from '../../books/drafts.ts';
import { ButtonLink } from '../../components/button.tsx';
import { pressedKey } from '../../components/pressed-key.ts';
import { money } from '../../store-config.ts';
import { whoOf } from '../activity-texts.ts';
import { ActButton, useAct } from '../acts.tsx';
import { action, amount, book, control, day, detail, number, Opener, time } from '../columns.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { AddPanel, EditPanel } from './book-panels.tsx';
import styles from './books.module.css';
import { ChangePanel, changeBooks, deleteBooks, restoreBooks, toldOf } from './changes.tsx';
import { FrontTablePanel, frontTableId } from './front-table.tsx';

const bookColumn = book<DeskBook>('Book', (cover) => ({
  cover,
  title: cover.title,
  opens: cover.removedAt === null ? cover._id : undefined,
  below: [[cover.author, cover.keywords].filter(Boolean).join(' · ')],
}));

const columnsForSale = [
  bookColumn,
  control<DeskBook>('Copies', (book) => <Copies book={book} />, { width: '9.5rem' }),
  control<DeskBook>(money.named('Price'), (book) => <PriceInRow book={book} />),
  number<DeskBook>('Sold', ({ sold }) => sold, { width: '4rem' }),
  amount<DeskBook>('Revenue', ({ revenue }) => revenue, { width: '6rem' }),
  day<DeskBook>('Last sale', ({ lastSoldAt }) => lastSoldAt),
  day<DeskBook>('Added', ({ addedAt }) => addedAt),
];

const deletedColumns = [
  bookColumn,
  amount<DeskBook>('Price', ({ price }) => price.value),
  time<DeskBook>('Deleted', ({ removedAt }) => removedAt),
  detail<DeskBook>('By', ({ removedBy }) => whoOf(removedBy ?? {}), { width: '20%' }),
  action<DeskBook>(
    (book) => <ActButton {...restoreBooks} what={book.title} run={() => restoreBooks.run([book])} />,
    '7rem',
  ),
];

const sorts = {
  title: 'A to Z',
  price: 'Lowest price',
  sold: 'Most sold',
  revenue: 'Revenue',
  'last-sale': 'Last sale',
};

/** The chosen subject may be none of those that the shop names. */
const Subjects = ({ chosen }: { chosen: string }) => {
  const { data } = useQuery(frontQuery);
  return [...new Set(['', chosen, ...(data?.subjects ?? [])])].map((subject) => (
    <option key={subject} value={subject}>
      {subject || 'All'}
    </option>
  ));
};

const BookPanel = ({ id, close }: PanelOf) => {
  if (id === newBookId) return <AddPanel onClose={close} />;
  return id === frontTableId ? <FrontTablePanel onClose={close} /> : <EditPanel id={id} onClose={close} />;
};

export const Books = listView<DeskBook>({
  name: 'Books',
  one: 'book',
  query: (filters) => list('desk', deskPaths.books, filters),
  nameOf: ({ title }) => title,
  columns: ({ state }) => (state === 'deleted' ? deletedColumns : columnsForSale),
  search: { placeholder: 'Title, author or subject' },
  choices: [
    { by: 'subject', label: 'Subject', Options: Subjects },
    {
      by: 'state',
      label: 'Show',
      names: () => ({
        '': 'For sale',
        'sold-out': 'Sold out',
        deleted: 'Deleted',
        'without-picture': 'Without a picture',
      }),
    },
    {
      by: 'sort',
      label: 'Sort by',
      names: ({ q }) => (q ? { '': 'Best match', newest: 'Newest', ...sorts } : { '': 'Newest', ...sorts }),
    },
  ],
  exports: () => ({ 'CSV of all books': downloadAddress(deskPaths.booksExport) }),
  Actions: () => (
    <>
      <ButtonLink href={deskViewAddress('import')}>Import</ButtonLink>
      <Opener name="Front table" id={frontTableId} />
      <Opener name="Add a book" id={newBookId} />
    </>
  ),
  acts: [
    { name: 'Change', where: deleteBooks.where, isMain: true, Panel: ChangePanel },
    deleteBooks,
    restoreBooks,
  ],
  Panel: BookPanel,
});

/** The number of copies, with a button for one that was sold elsewhere and one for one more. A change is never repeated automatically: it would count twice. */
const Copies = ({ book: { _id: id, title, copies } }: { book: DeskBook }) => {
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
const PriceInRow = ({ book }: { book: DeskBook }) => {
  const { act, isBusy, hasFailed } = useAct(false);
  const [typed, setTyped] = useState<string>();
  const price = money.write(book.price.value);
  const leave = () => setTyped(undefined);
  const store = () => {
    const value = typed?.trim() ?? price;
    let isStored = false;
    const run = async () => {
      const done = await changeBooks([book], { price: { value } });
      isStored = done.changed.length > 0;
      return toldOf(done);
    };
    if (value === price) leave();
    // If another editor changed the book meanwhile, the field keeps what was typed.
    else if (!isBusy) act({ run, onDone: () => isStored && leave() });
  };
  return (
    <input
      // The price is a text with a line below it, until it is changed.
      className={`box figures ${typed === undefined ? 'linkish' : ''} ${styles.price}`}
      // For a browser that does not fit a field to its text.
      size={6}
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
