import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { Front } from '../../../contract/shop-front.ts';
import { bookListQuery, frontQuery } from '../../api/catalogue.ts';
import { CoverRow } from '../../components/cover-row/cover-row.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { addressOf, useBookSearch } from '../../search/book-search.ts';
import { FoundBooks, useFoundBooks } from '../../search/found-books.tsx';
import { SearchCorrection } from '../../search/search-correction.tsx';
import { SearchForm } from '../../search/search-form.tsx';
import { BookGrid } from './book-grid.tsx';
import { FrontTable } from './front-table.tsx';
import styles from './home.module.css';
import { ShelfEnd } from './shelf-end.tsx';

type HomeProps = {
  /** Called when the pointer, a finger or the focus is on the screen. */
  onReached: () => void;
};

/** The home screen: the front of the shop, and the shelf. A search shows what it finds alone. */
export const Home = ({ onReached }: HomeProps) => {
  const bookSearch = useBookSearch();
  const { search, changeSearch, hrefOf } = bookSearch;
  const isSearch = addressOf('', search) !== '';
  const front = useQuery(frontQuery);
  // The list waits for what is above it, but not for a second try.
  const isHeld = !isSearch && front.isPending && front.failureCount === 0;
  const found = useFoundBooks(bookListQuery(search), isHeld);
  const { list, listId, pages, isOutdated } = found;
  return (
    <>
      <NavigationBar />
      <main id="content" className={`stack ${styles.home}`} onPointerEnter={onReached} onFocus={onReached}>
        <FrontTable table={front.data?.table} isMissing={front.isError} isHidden={isSearch} />
        <SearchForm search={search} isBar onSearch={changeSearch} />
        <div className={isSearch ? styles.summary : 'hidden'}>
          <SearchCorrection pages={pages} hrefOf={hrefOf} />
        </div>
        <FoundBooks
          found={found}
          bookSearch={bookSearch}
          problem="We couldn’t load the books."
          hasOthers
          whenEmpty={<Loading>{!isOutdated && <p>The shelf is still empty.</p>}</Loading>}
        >
          {(books) => (
            <>
              {!isSearch && <Rows front={front.data} />}
              <div className={`stack loose ${styles.shelf}`}>
                <BookGrid
                  key={listId}
                  books={books}
                  isComplete={!list.hasNextPage}
                  isOutdated={isOutdated}
                  isFirstSeen={isSearch}
                />
                <ShelfEnd list={list} bookCount={books.length} />
              </div>
            </>
          )}
        </FoundBooks>
      </main>
    </>
  );
};

const shelfId = 'shelf';

const showShelf = (event: MouseEvent) => {
  // As with the link to the content: a place in the page is no entry of the history.
  event.preventDefault();
  const heading = document.getElementById(shelfId);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
};

/** The rows above the shelf, and its heading. */
const Rows = ({ front }: { front: Front | undefined }) => (
  <>
    {front && front.newThisWeek.length > 0 && (
      <CoverRow
        id="new-this-week"
        heading="New this week"
        books={front.newThisWeek}
        // The shelf begins with the newest books.
        more={
          <a href={`#${shelfId}`} onClick={showShelf}>
            All {counted(front.bookCount, 'book')}
          </a>
        }
      />
    )}
    {front && front.mostBought.length > 0 && (
      <CoverRow id="most-bought" heading="Most bought this month" books={front.mostBought} />
    )}
    <h2 id={shelfId} tabIndex={-1} className={styles.heading}>
      On the shelf
      {front && `, ${counted(front.bookCount, 'book')}`}
    </h2>
  </>
);
