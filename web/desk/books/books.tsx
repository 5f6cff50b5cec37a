import { useState } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { deskBooksQuery, downloadAddress } from '../../api/desk-queries.ts';
import { BookCell, bookRows } from '../../books/book-cell.tsx';
import { newBookId } from '../../books/drafts.ts';
import { Button } from '../../components/button.tsx';
import { Price } from '../../components/price.tsx';
import type { Column } from '../../components/responsive-table.tsx';
import { DeskList, SecondLine, useDeskList } from '../desk-list.tsx';
import { ExportLinks } from '../export-links.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../filters.tsx';
import { Time } from '../time.tsx';
import { useFilters } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';
import { AddPanel } from './add-panel.tsx';
import { BookNotice, type Done } from './book-notice.tsx';
import styles from './books.module.css';
import { CopiesCell } from './copies-cell.tsx';
import { EditPanel } from './edit-panel.tsx';
import { RestoreBook } from './restore-book.tsx';
import { useOpenBook } from './use-open-book.ts';

const filterNames = ['q', 'state'] as const;
const stateNames = { '': 'For sale', 'sold-out': 'Sold out', deleted: 'Deleted' };

const listNames: Readonly<Record<string, string>> = {
  'sold-out': 'Books that are sold out',
  deleted: 'Deleted books',
};
const emptyTexts: Readonly<Record<string, string>> = {
  'sold-out': 'No book is sold out.',
  deleted: 'No book was deleted.',
};

/** The books for sale and those that are sold out, each of which can be changed, and the deleted ones, which can be restored. */
export const Books = () => {
  const { filters, change } = useFilters(filterNames);
  const found = useDeskList(deskBooksQuery(filters));
  const { openId, open, close } = useOpenBook();
  const [done, setDone] = useState<Done>();
  // Those of a list that is on its way would be shown with the columns of the other one.
  const state = found.list.data?.pages[0]?.filters['state'] ?? '';
  const isOfDeleted = state === 'deleted';

  const start = (id: string) => {
    setDone(undefined);
    open(id);
  };
  const finish = (result: Done) => {
    setDone(result);
    close(openId);
  };
  const columns = isOfDeleted ? deletedColumns(setDone) : columnsForSale(start, setDone);
  return (
    <>
      <ViewHead name="Books" about="Add, change or delete a book, and bring a deleted one back.">
        <Button onClick={() => start(newBookId)}>Add a book</Button>
      </ViewHead>
      <FilterBar
        label="Filter the books"
        main={
          <TextFilter
            label="Search"
            value={filters.q}
            onChange={(q) => change({ q })}
            placeholder="Title, author or keyword"
          />
        }
        values={[filters.state]}
      >
        <ChoiceFilter
          label="Show"
          value={filters.state}
          onChange={(state) => change({ state })}
          choices={stateNames}
        />
        <ExportLinks label="Export all as" links={{ CSV: downloadAddress(deskPaths.booksExport) }} />
      </FilterBar>
      <DeskList
        found={found}
        problem="The books could not be fetched."
        label={listNames[state] ?? 'Books for sale'}
        columns={columns}
        className={`${bookRows} ${styles.table}`}
        whenEmpty={
          filters.q
            ? { text: 'No book matches.', button: 'Show all books', onClick: () => change({ q: '' }) }
            : { text: emptyTexts[filters.state] ?? 'The catalogue has no books.' }
        }
      />
      {openId === newBookId && <AddPanel onClose={finish} />}
      {openId && openId !== newBookId && (
        <EditPanel key={openId} id={openId} onClose={finish} onDeleted={finish} />
      )}
      <BookNotice done={done} isPanelOpen={openId !== ''} onDone={setDone} onContinue={start} />
    </>
  );
};

const bookColumn: Column<DeskBook> = {
  heading: 'Book',
  kind: 'title',
  cell: (book) => (
    <BookCell book={book}>
      <SecondLine>{book.author}</SecondLine>
    </BookCell>
  ),
};

const priceColumn: Column<DeskBook> = {
  heading: 'Price',
  kind: 'number',
  width: '6.5rem',
  cell: (book) => <Price value={book.price.value} />,
};

const columnsForSale = (
  onEdit: (id: string) => void,
  onDone: (message: string) => void,
): Column<DeskBook>[] => [
  bookColumn,
  {
    heading: 'Keywords',
    kind: 'text',
    width: '18%',
    cell: ({ keywords }) => keywords,
    isLabelledWhenCompact: true,
  },
  {
    heading: 'Copies',
    kind: 'text',
    width: '13rem',
    cell: (book) => <CopiesCell book={book} onDone={onDone} />,
    isLabelledWhenCompact: true,
  },
  priceColumn,
  {
    heading: 'Added',
    kind: 'number',
    width: '11rem',
    cell: ({ addedAt }) => <Time iso={addedAt} />,
    isLabelledWhenCompact: true,
  },
  {
    heading: '',
    kind: 'action',
    width: '5rem',
    cell: (book) => (
      <Button variant="subtle" aria-label={`Edit: ${book.title}`} onClick={() => onEdit(book._id)}>
        Edit
      </Button>
    ),
  },
];

const deletedColumns = (onRestored: (message: string) => void): Column<DeskBook>[] => [
  bookColumn,
  priceColumn,
  {
    heading: 'Deleted',
    kind: 'number',
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
