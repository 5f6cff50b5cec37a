import type { Book } from '../../../contract/book.ts';
import { deskAddress } from '../../../contract/desk-paths.ts';
import { catalogueQuery } from '../../api/queries.ts';
import { addressOf, type useBookSearch, withQuery } from '../../components/book-search.ts';
import { useFoundBooks } from '../../components/found-books.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { NothingFound } from '../../components/nothing-found.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { SearchForm } from '../../components/search-form.tsx';
import { SearchSummary } from '../../components/search-summary.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { BookCell, bookRows } from './book-cell.tsx';
import { DeleteBook, type DeleteBookProps } from './delete-book.tsx';
import styles from './manage-books.module.css';

type ManageBooksProps = {
  bookSearch: ReturnType<typeof useBookSearch>;
  /** The book whose new row takes the focus. */
  restoredBook: Book | undefined;
  onDeleted: DeleteBookProps['onDeleted'];
};

/** The view Manage books: a search, and the catalogue's table with a Delete button in each row. */
export const ManageBooks = ({ bookSearch, restoredBook, onDeleted }: ManageBooksProps) => {
  const { search, changeSearch, hrefOf } = bookSearch;
  const found = useFoundBooks(catalogueQuery(search));

  const columns: Column<Book>[] = [
    {
      heading: 'SI',
      kind: 'number',
      width: '4.75rem',
      cell: (_, index) => index + 1,
      isLabelledWhenCompact: true,
    },
    { heading: 'Book Name', kind: 'title', cell: (book) => <BookCell book={book} /> },
    { heading: 'Author Name', kind: 'text', cell: (book) => book.author },
    {
      heading: 'Price ($)',
      kind: 'number',
      width: '6.5rem',
      cell: (book) => <Price value={book.price.value} />,
    },
    {
      heading: '',
      kind: 'action',
      width: '6rem',
      cell: (book) => (
        <DeleteBook book={book} shouldFocus={book._id === restoredBook?._id} onDeleted={onDeleted} />
      ),
    },
  ];
  return (
    <>
      <div className={styles.search}>
        <SearchForm search={search} hasSort={false} onSearch={changeSearch} />
        <p className={styles.desk}>
          Prices, orders and customers are on <a href={deskAddress}>the desk</a>.
        </p>
        <SearchSummary pages={found.pages} hrefOf={hrefOf} />
      </div>
      <Catalogue found={found} bookSearch={bookSearch} columns={columns} restoredId={restoredBook?._id} />
    </>
  );
};

type CatalogueProps = {
  found: ReturnType<typeof useFoundBooks>;
  bookSearch: ReturnType<typeof useBookSearch>;
  columns: readonly Column<Book>[];
  /** The book whose new row takes the focus. */
  restoredId: string | undefined;
};

const Catalogue = ({ found, bookSearch, columns, restoredId }: CatalogueProps) => {
  const { list, pages, books, isOutdated, isRestoring } = found;
  const { search, changeSearch, hrefOf } = bookSearch;
  const [page] = pages;
  if (list.isError && !page) {
    return (
      <TryAgain problem="The catalogue could not be fetched." error={list.error} onTryAgain={list.refetch} />
    );
  }
  if (!page || isRestoring) return <Loading />;
  if (books.length === 0 && page.search.q) {
    return (
      <NothingFound
        page={page}
        place="in the catalogue"
        hrefOf={hrefOf}
        onShowAll={() => changeSearch(withQuery(search, ''), 'chosen')}
      />
    );
  }
  if (books.length === 0) {
    return (
      <Notice>
        <p>The catalogue has no books.</p>
      </Notice>
    );
  }
  return (
    <div className={`${styles.table} ${bookRows}`} aria-busy={isOutdated}>
      <ResponsiveTable
        label="Books in the catalogue"
        columns={columns}
        rows={books}
        whenNarrow="compact rows"
        keyOf={idOf}
        isComplete={!list.hasNextPage}
        listId={addressOf('', page.search)}
        pinnedKey={restoredId}
      />
      <LoadMore list={list} />
    </div>
  );
};

const idOf = (book: Book): string => book._id;
