import type { ReactNode } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { BookCell } from '../../books/book-cell.tsx';
import { Button } from '../../components/button.tsx';
import { Price } from '../../components/price.tsx';
import type { Column } from '../../components/responsive-table.tsx';
import { SecondLine } from '../desk-list.tsx';
import { SelectCell } from '../selection-bar.tsx';
import { Day, Time } from '../time.tsx';
import type { Done } from './book-notice.tsx';
import { CopiesCell } from './copies-cell.tsx';
import { PriceCell } from './price-cell.tsx';
import { RestoreBook } from './restore-book.tsx';

type Selecting = { chosen: ReadonlySet<string>; onToggle: (id: string, isRange: boolean) => void };

const selectColumn = ({ chosen, onToggle }: Selecting): Column<DeskBook> => ({
  heading: 'Select',
  isHeadingHidden: true,
  kind: 'select',
  width: '2.75rem',
  cell: ({ _id, title }) => (
    <SelectCell id={_id} label={title} isChosen={chosen.has(_id)} onToggle={onToggle} />
  ),
});

const bookColumn: Column<DeskBook> = {
  heading: 'Book',
  kind: 'title',
  cell: (book) => (
    <BookCell book={book}>
      <SecondLine>{book.author}</SecondLine>
      {book.keywords && <SecondLine>{book.keywords}</SecondLine>}
    </BookCell>
  ),
};

type SaleColumns = Selecting & {
  onEdit: (id: string) => void;
  onDone: (done: Done) => void;
  /** @returns the heading of a column, which sorts by it. */
  head: (sort: string, name: string) => ReactNode;
  /** The order of the list. */
  sort: string;
};

/** The columns of the books for sale and of those that are sold out. */
export const columnsForSale = ({
  onEdit,
  onDone,
  head,
  sort,
  ...selecting
}: SaleColumns): Column<DeskBook>[] => {
  const sortable = (by: string, name: string, direction: 'ascending' | 'descending' = 'descending') => ({
    heading: name,
    head: head(by, name),
    sorted: sort === by ? direction : undefined,
    isLabelledWhenCompact: true,
  });
  return [
    selectColumn(selecting),
    bookColumn,
    {
      heading: 'Copies',
      kind: 'text',
      width: '11.5rem',
      cell: (book) => <CopiesCell book={book} onDone={onDone} />,
      isLabelledWhenCompact: true,
    },
    {
      ...sortable('price', 'Price', 'ascending'),
      kind: 'number',
      width: '6.5rem',
      cell: (book) => <PriceCell book={book} onDone={onDone} />,
      isLabelledWhenCompact: false,
    },
    {
      ...sortable('sold', 'Sold'),
      kind: 'number',
      width: '4.5rem',
      cell: ({ sold }) => sold.toLocaleString('en'),
    },
    {
      ...sortable('revenue', 'Revenue'),
      isExtra: true,
      kind: 'number',
      width: '7rem',
      cell: ({ revenue }) => <Price value={revenue} />,
    },
    {
      ...sortable('last-sale', 'Last sale'),
      isExtra: true,
      kind: 'label',
      width: '7.5rem',
      cell: ({ lastSoldAt }) => (lastSoldAt === null ? '–' : <Day iso={lastSoldAt} />),
    },
    {
      ...sortable('newest', 'Added'),
      isExtra: true,
      kind: 'label',
      width: '7.5rem',
      cell: ({ addedAt }) => <Day iso={addedAt} />,
    },
    {
      heading: '',
      kind: 'action',
      width: '4.5rem',
      cell: (book) => (
        <Button variant="subtle" aria-label={`Edit: ${book.title}`} onClick={() => onEdit(book._id)}>
          Edit
        </Button>
      ),
    },
  ];
};

/** The columns of deleted books. */
export const deletedColumns = (
  onRestored: (message: string) => void,
  selecting: Selecting,
): Column<DeskBook>[] => [
  selectColumn(selecting),
  bookColumn,
  {
    heading: 'Price',
    kind: 'number',
    width: '6.5rem',
    cell: (book) => <Price value={book.price.value} />,
  },
  {
    heading: 'Deleted',
    kind: 'label',
    width: '11rem',
    cell: ({ removedAt }) => removedAt !== null && <Time iso={removedAt} />,
    isLabelledWhenCompact: true,
  },
  { heading: 'By', kind: 'text', width: '20%', cell: removerOf, isLabelledWhenCompact: true },
  {
    heading: '',
    kind: 'action',
    width: '7rem',
    cell: (book) => <RestoreBook book={book} onRestored={onRestored} />,
  },
];

const removerOf = ({ removedBy }: DeskBook): string => {
  if (removedBy === null) return 'not known';
  return 'email' in removedBy ? removedBy.email : `token ${removedBy.token}`;
};
