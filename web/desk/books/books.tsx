import { useState } from 'react';
import { Link } from 'wouter';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { deskBooksQuery, downloadAddress, withFilters } from '../../api/desk-queries.ts';
import { newBookId } from '../../books/drafts.ts';
import { Button } from '../../components/button.tsx';
import { inPlace } from '../../list/places.ts';
import { DeskList, useDeskList } from '../desk-list.tsx';
import { ExportLinks } from '../export-links.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../filters.tsx';
import { useFilters } from '../use-filters.ts';
import { useOpenPanel } from '../use-open-panel.ts';
import { useSelection } from '../use-selection.ts';
import { ViewHead } from '../view-head.tsx';
import { AddPanel } from './add-panel.tsx';
import { columnsForSale, deletedColumns } from './book-columns.tsx';
import { BookNotice, type Done } from './book-notice.tsx';
import styles from './books.module.css';
import { ChangeBar } from './change-bar.tsx';
import { EditPanel } from './edit-panel.tsx';
import { FrontTablePanel, frontTableId } from './front-table-panel.tsx';
import { NoBookMatches, OtherWords } from './other-words.tsx';

const filterNames = ['q', 'state', 'sort'] as const;
const stateNames = {
  '': 'For sale',
  'sold-out': 'Sold out',
  deleted: 'Deleted',
  'without-picture': 'Without a picture',
};
const sortNames = {
  title: 'A to Z',
  price: 'Lowest price',
  sold: 'Most sold',
  revenue: 'Revenue',
  'last-sale': 'Last sale',
};

const listNames: Readonly<Record<string, string>> = {
  'sold-out': 'Books that are sold out',
  deleted: 'Deleted books',
  'without-picture': 'Books without a picture',
};
const emptyTexts: Readonly<Record<string, string>> = {
  'sold-out': 'No book is sold out.',
  deleted: 'No book was deleted.',
  'without-picture': 'No upload is missing.',
};

/** The books for sale and those that are sold out, each of which can be changed, and the deleted ones, which can be restored. */
export const Books = () => {
  const { filters, change } = useFilters(filterNames);
  const found = useDeskList(deskBooksQuery(filters));
  const { openId, open, close } = useOpenPanel('book');
  const [done, setDone] = useState<Done>();
  // The page that is shown decides, and not the address: until the next list arrives, its columns would not fit.
  const [page] = found.pages;
  const state = page?.filters['state'] ?? '';
  const isOfDeleted = state === 'deleted';
  const isSearch = Boolean((page?.filters ?? filters)['q']);
  const sort = (page?.filters ?? filters)['sort'] || (isSearch ? 'best' : 'newest');

  const start = (id: string) => {
    setDone(undefined);
    open(id);
  };
  const finish = (result: Done) => {
    setDone(result);
    close(openId);
  };
  const books = found.items ?? [];
  const selection = useSelection(books);
  const selecting = { chosen: selection.chosen, onToggle: selection.toggle };
  const head = (by: string, name: string) => (
    <Link
      className={styles.sort}
      href={withFilters(deskViewAddress('books'), {
        ...filters,
        sort: by === 'newest' && !filters.q ? '' : by,
      })}
      replace
      state={inPlace}
    >
      {name}
    </Link>
  );
  const columns = isOfDeleted
    ? deletedColumns(setDone, selecting)
    : columnsForSale({ ...selecting, onEdit: start, onDone: setDone, head, sort });
  return (
    <>
      <ViewHead name="Books" about="Add, change or delete a book, and bring a deleted one back.">
        <Button onClick={() => start(frontTableId)}>Front table</Button>
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
        values={[filters.state, filters.sort]}
      >
        <ChoiceFilter
          label="Show"
          value={filters.state}
          onChange={(state) => change({ state })}
          choices={stateNames}
        />
        <ChoiceFilter
          label="Sort by"
          value={filters.sort === 'newest' && !filters.q ? '' : filters.sort}
          onChange={(sort) => change({ sort })}
          choices={
            filters.q ? { '': 'Best match', newest: 'Newest', ...sortNames } : { '': 'Newest', ...sortNames }
          }
        />
        <ExportLinks label="Export all as" links={{ CSV: downloadAddress(deskPaths.booksExport) }} />
      </FilterBar>
      <DeskList
        found={found}
        problem="The books could not be fetched."
        label={listNames[state] ?? 'Books for sale'}
        columns={columns}
        whenEmpty={
          filters.q && page
            ? {
                text: <NoBookMatches page={page} />,
                button: 'Show all books',
                onClick: () => change({ q: '' }),
              }
            : { text: emptyTexts[filters.state] ?? 'The catalogue has no books.' }
        }
      >
        {page && <OtherWords page={page} />}
        <ChangeBar
          books={books}
          selection={selection}
          isComplete={!found.list.hasNextPage}
          isOfDeleted={isOfDeleted}
          onDone={setDone}
        />
      </DeskList>
      {openId === newBookId && <AddPanel onClose={finish} />}
      {openId === frontTableId && <FrontTablePanel onClose={finish} />}
      {openId && openId !== newBookId && openId !== frontTableId && (
        <EditPanel key={openId} id={openId} onClose={finish} onDeleted={finish} />
      )}
      <BookNotice done={done} isPanelOpen={openId !== ''} onDone={setDone} onContinue={start} />
    </>
  );
};
