import { useQuery } from '@tanstack/react-query';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { list } from '../../api/calls.ts';
import { frontQuery } from '../../api/catalogue.ts';
import { downloadAddress } from '../../api/changes.ts';
import { newBookId } from '../../books/drafts.ts';
import { ButtonLink } from '../../components/button.tsx';
import { money } from '../../store-config.ts';
import { whoOf } from '../activity-texts.ts';
import { ActButton } from '../acts.tsx';
import { action, amount, book, control, day, detail, number, Opener, time } from '../columns.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { AddPanel, EditPanel } from './book-panels.tsx';
import { Copies, PriceInRow } from './cells.tsx';
import { ChangePanel } from './change-panel.tsx';
import { deleteBooks, restoreBooks } from './changes.ts';
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
      names: {
        '': 'For sale',
        'sold-out': 'Sold out',
        deleted: 'Deleted',
        'without-picture': 'Without a picture',
      },
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
