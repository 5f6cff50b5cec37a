import type { Book } from '../../../contract/book.ts';
import { deskAddress, deskViewAddress } from '../../../contract/desk/paths.ts';
import { formatPrice } from '../../../contract/price.ts';
import { catalogueQuery } from '../../api/catalogue.ts';
import { BookCell } from '../../books/book-cell.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import type { useBookSearch } from '../../search/book-search.ts';
import { FoundBooks, useFoundBooks } from '../../search/found-books.tsx';
import { SearchCorrection } from '../../search/search-correction.tsx';
import { SearchForm } from '../../search/search-form.tsx';
import { DeleteRow } from './delete-row.tsx';
import styles from './manage-books.module.css';
import type { Deletion } from './undo-deletion.tsx';

type ManageBooksProps = {
  bookSearch: ReturnType<typeof useBookSearch>;
  /** The book whose new row takes the focus. */
  restoredBook: Book | undefined;
  onDeleted: (deletion: Deletion) => void;
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
      // The desk changes it.
      cell: (book) => (
        <a
          href={`${deskViewAddress('books')}?book=${book._id}`}
          aria-label={`${formatPrice(book.price.value)}: change the price of ${book.title}`}
        >
          <Price value={book.price.value} />
        </a>
      ),
    },
    {
      heading: '',
      kind: 'action',
      width: '6rem',
      cell: (book) => (
        <DeleteRow book={book} shouldFocus={book._id === restoredBook?._id} onDeleted={onDeleted} />
      ),
    },
  ];
  return (
    <>
      <div className={styles.search}>
        <SearchForm search={search} isBar={false} onSearch={changeSearch} />
        <p className={styles.desk}>
          Prices, orders and customers are on <a href={deskAddress}>the desk</a>.
        </p>
        <SearchCorrection pages={found.pages} hrefOf={hrefOf} />
      </div>
      <FoundBooks
        found={found}
        bookSearch={bookSearch}
        problem="The catalogue could not be fetched."
        whenEmpty={
          <Notice>
            <p>The catalogue has no books.</p>
          </Notice>
        }
      >
        {(books) => (
          <div aria-busy={found.isOutdated}>
            <ResponsiveTable
              label="Books in the catalogue"
              columns={columns}
              rows={books}
              keyOf={idOf}
              isComplete={!found.list.hasNextPage}
              listId={found.listId}
              pinnedKey={restoredBook?._id}
            />
            <LoadMore list={found.list} />
          </div>
        )}
      </FoundBooks>
    </>
  );
};

const idOf = (book: Book): string => book._id;
