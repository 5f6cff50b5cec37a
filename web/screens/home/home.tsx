import { bookListQuery } from '../../api/queries.ts';
import { useBookSearch } from '../../components/book-search.ts';
import { FoundBooks, useFoundBooks } from '../../components/found-books.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { SearchCorrection } from '../../components/search-correction.tsx';
import { SearchForm } from '../../components/search-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { BookGrid } from './book-grid.tsx';
import styles from './home.module.css';

type HomeProps = {
  /** Called when the pointer, a finger or the focus is on the screen. */
  onReached: () => void;
  /** Called when the visitor is about to press BUY NOW. */
  onCheckoutLikely: () => void;
};

/** The home screen. */
export const Home = ({ onReached, onCheckoutLikely }: HomeProps) => {
  const bookSearch = useBookSearch();
  const { search, changeSearch, hrefOf } = bookSearch;
  const found = useFoundBooks(bookListQuery(search));
  const { list, listId, pages, isOutdated } = found;
  return (
    <>
      <NavigationBar />
      <main className={styles.shelf} onPointerEnter={onReached} onFocus={onReached}>
        <div className={styles.head}>
          <ScreenHeading title="Home">On the shelf</ScreenHeading>
          <SearchForm search={search} hasSort onSearch={changeSearch} />
          <div className={styles.summary}>
            <SearchCorrection pages={pages} hrefOf={hrefOf} />
          </div>
        </div>
        <FoundBooks
          found={found}
          bookSearch={bookSearch}
          problem="The shelf could not be fetched."
          place="on the shelf"
          whenEmpty={<Loading>{!isOutdated && <p>The shelf is still empty.</p>}</Loading>}
        >
          {(books) => (
            <>
              <BookGrid
                listId={listId}
                books={books}
                isComplete={!list.hasNextPage}
                isOutdated={isOutdated}
                onCheckoutLikely={onCheckoutLikely}
              />
              <LoadMore list={list} />
              {!list.hasNextPage && <Colophon />}
            </>
          )}
        </FoundBooks>
      </main>
    </>
  );
};

/** The foot of the home screen: the note that a book has on its last page. */
const Colophon = () => (
  <footer className={styles.colophon}>
    <svg className={styles.mark} viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22.5" />
      <path d="M24 17.5c-2.6-2.2-6.2-3.2-11-3.2v17.4c4.8 0 8.4 1 11 3.2 2.6-2.2 6.2-3.2 11-3.2V14.3c-4.8 0-8.4 1-11 3.2zv17.4" />
    </svg>
    <p>
      A colophon is the note on a book’s last page that tells how it was made. This shop is set in Literata,
      which TypeTogether drew for long reading. Its books are sold one at a time, as they are read.
    </p>
    <p className={styles.imprint}>
      {storeConfig.name}, <time>{new Date().getFullYear()}</time>
    </p>
  </footer>
);
