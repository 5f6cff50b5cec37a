import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Book } from '../../../contract/book.ts';
import { type BookSearch, bookListQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { BookGrid } from './book-grid.tsx';
import { useBookSearch } from './book-search.ts';
import styles from './home.module.css';
import { ResultCount } from './result-count.tsx';
import { SearchForm } from './search-form.tsx';

const useShelf = (search: BookSearch) =>
  useInfiniteQuery({ ...bookListQuery(search), placeholderData: keepPreviousData });

/** The home screen. `onCheckoutLikely` is called when the visitor is about to press BUY NOW. */
export const Home = ({ onCheckoutLikely }: { onCheckoutLikely: () => void }) => {
  const [search, setSearch] = useBookSearch();
  const list = useShelf(search);
  const books = list.data?.pages.flatMap((page) => page.body) ?? [];
  // A placeholder is the list of the search before.
  const isCurrent = list.isSuccess && !list.isPlaceholderData;
  return (
    <>
      <NavigationBar />
      <main className={styles.shelf}>
        <div className={styles.head}>
          <ScreenHeading title="Home">On the shelf</ScreenHeading>
          <SearchForm search={search} onSearch={setSearch} />
          <ResultCount count={search.q && isCurrent ? books.length : 0} isComplete={!list.hasNextPage} />
        </div>
        <Shelf
          list={list}
          books={books}
          search={search}
          onClear={() => setSearch({ ...search, q: '' })}
          onCheckoutLikely={onCheckoutLikely}
        />
      </main>
    </>
  );
};

type ShelfProps = {
  list: ReturnType<typeof useShelf>;
  books: Book[];
  search: BookSearch;
  onClear: () => void;
  onCheckoutLikely: () => void;
};

const Shelf = ({ list, books, search, onClear, onCheckoutLikely }: ShelfProps) => {
  if (list.isError && books.length === 0) {
    return (
      <TryAgain problem="The shelf could not be fetched." error={list.error} onTryAgain={list.refetch} />
    );
  }
  if (books.length === 0 && list.isSuccess && search.q && !list.isPlaceholderData) {
    return (
      <Notice role="status">
        <p>Nothing on the shelf matches “{search.q}”.</p>
        <Button onClick={onClear}>Show all books</Button>
      </Notice>
    );
  }
  if (books.length === 0) {
    return <Loading>{list.isSuccess && !list.isPlaceholderData && <p>The shelf is still empty.</p>}</Loading>;
  }
  return (
    <>
      <BookGrid books={books} isOutdated={list.isPlaceholderData} onCheckoutLikely={onCheckoutLikely} />
      <LoadMore list={list} />
    </>
  );
};
