import { bookListQuery } from '../../api/queries.ts';
import { addressOf, useBookSearch, withQuery } from '../../components/book-search.ts';
import { useFoundBooks } from '../../components/found-books.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { NothingFound } from '../../components/nothing-found.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { SearchForm } from '../../components/search-form.tsx';
import { SearchSummary } from '../../components/search-summary.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { useWhenIdle } from '../../components/when-idle.ts';
import { BookGrid } from './book-grid.tsx';
import { Colophon } from './colophon.tsx';
import styles from './home.module.css';

type HomeProps = {
  /** Called when the shelf is shown and the browser has nothing else to do. */
  onIdle: () => void;
  /** Called when the visitor is about to press BUY NOW. */
  onCheckoutLikely: () => void;
};

/** The home screen. */
export const Home = ({ onIdle, onCheckoutLikely }: HomeProps) => {
  const bookSearch = useBookSearch();
  const { search, changeSearch, hrefOf } = bookSearch;
  const found = useFoundBooks(bookListQuery(search));
  useWhenIdle(found.books.length > 0, onIdle);
  return (
    <>
      <NavigationBar />
      <main className={styles.shelf}>
        <div className={styles.head}>
          <ScreenHeading title="Home">On the shelf</ScreenHeading>
          <SearchForm search={search} hasSort onSearch={changeSearch} />
          <div className={styles.summary}>
            <SearchSummary pages={found.pages} hrefOf={hrefOf} />
          </div>
        </div>
        <Shelf found={found} bookSearch={bookSearch} onCheckoutLikely={onCheckoutLikely} />
      </main>
    </>
  );
};

type ShelfProps = {
  found: ReturnType<typeof useFoundBooks>;
  bookSearch: ReturnType<typeof useBookSearch>;
  onCheckoutLikely: () => void;
};

const Shelf = ({ found, bookSearch, onCheckoutLikely }: ShelfProps) => {
  const { list, pages, books, isOutdated, isRestoring } = found;
  const { search, changeSearch, hrefOf } = bookSearch;
  const [page] = pages;
  if (list.isError && !page) {
    return (
      <TryAgain problem="The shelf could not be fetched." error={list.error} onTryAgain={list.refetch} />
    );
  }
  if (!page || isRestoring) return <Loading />;
  if (books.length === 0 && page.search.q) {
    return (
      <NothingFound
        page={page}
        place="on the shelf"
        hrefOf={hrefOf}
        onShowAll={() => changeSearch(withQuery(search, ''), 'chosen')}
      />
    );
  }
  if (books.length === 0) return <Loading>{!isOutdated && <p>The shelf is still empty.</p>}</Loading>;
  return (
    <>
      <BookGrid
        listId={addressOf('', page.search)}
        books={books}
        isComplete={!list.hasNextPage}
        isOutdated={isOutdated}
        onCheckoutLikely={onCheckoutLikely}
      />
      <LoadMore list={list} />
      {!list.hasNextPage && <Colophon />}
    </>
  );
};
