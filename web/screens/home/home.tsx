import { useQuery } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import type { Front } from '../../../contract/shop-front.ts';
import { bookListQuery, frontQuery } from '../../api/catalogue.ts';
import { BookGrid } from '../../components/book-grid.tsx';
import { CoverRow, FrontRow } from '../../components/cover-row/cover-row.tsx';
import { FrontTable } from '../../components/front-table.tsx';
import { Loading } from '../../components/loading.tsx';
import { useList } from '../../list/use-list.ts';
import { addressOf, useBookSearch } from '../../search/book-search.ts';
import { FoundBooks } from '../../search/found-books.tsx';
import { SearchBar } from '../../search/search-bar.tsx';
import { SearchSummary } from '../../search/search-summary.tsx';
import styles from './home.module.css';
import { ShelfEnd } from './shelf-end.tsx';

type HomeProps = {
  /** Called when the pointer, a finger or the focus reaches the screen. */
  onReached: () => void;
};

/** The home screen: the front of the shop, and the shelf. During a search, it shows only what was found. */
export const Home = ({ onReached }: HomeProps) => {
  const { search, changeSearch, hrefOf } = useBookSearch();
  const isSearch = addressOf('', search) !== '';
  const front = useQuery(frontQuery);
  // The list waits for the content above it, but not for a retry of that content.
  const isHeld = !isSearch && front.isPending && front.failureCount === 0;
  const found = useList(bookListQuery(search), isHeld);
  const { list, listId, pages, items, isOutdated } = found;
  return (
    <main
      id="content"
      className={`stack loose ${styles.home}`}
      onPointerEnter={onReached}
      onFocus={onReached}
    >
      <FrontTable table={front.data?.table} isMissing={front.isError} isHidden={isSearch} />
      <SearchBar search={search} onSearch={changeSearch} />
      <SearchSummary pages={pages} hrefOf={hrefOf} />
      <FoundBooks
        found={found}
        hrefOf={hrefOf}
        problem="We couldn’t load the books."
        whenEmpty={<Loading>{!isOutdated && <p>The shelf is still empty.</p>}</Loading>}
      >
        {(books) => (
          <>
            {!isSearch && <Rows front={front.data} />}
            <BookGrid
              key={listId}
              books={books}
              isComplete={!list.hasNextPage}
              isOutdated={isOutdated}
              isFirstSeen={isSearch}
            />
            <ShelfEnd list={list} bookCount={books.length} />
          </>
        )}
      </FoundBooks>
      {isSearch && items?.length === 0 && <FrontRow />}
    </main>
  );
};

const shelfId = 'shelf';

const Rows = ({ front }: { front: Front | undefined }) => (
  <>
    <CoverRow
      id="new-this-week"
      heading="New this week"
      books={front?.newThisWeek}
      // The shelf begins with the newest books.
      more={<a href={`#${shelfId}`}>All {front && counted(front.bookCount, 'book')}</a>}
    />
    <CoverRow id="most-bought" heading="Most bought this month" books={front?.mostBought} />
    <h2 id={shelfId} tabIndex={-1}>
      On the shelf
      {front && `, ${counted(front.bookCount, 'book')}`}
    </h2>
  </>
);
