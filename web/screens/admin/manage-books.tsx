import type { Book } from '../../../contract/book.ts';
import { deskAddress, deskViewAddress } from '../../../contract/desk/paths.ts';
import { catalogueQuery } from '../../api/catalogue.ts';
import { BookCell } from '../../components/book-cell.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { useList } from '../../list/use-list.ts';
import { useBookSearch } from '../../search/book-search.ts';
import { FoundBooks } from '../../search/found-books.tsx';
import { SearchField } from '../../search/search-field.tsx';
import { SearchSummary } from '../../search/search-summary.tsx';
import { money } from '../../store-config.ts';
import styles from './admin.module.css';
import { DeleteRow } from './delete-row.tsx';

const columns: readonly Column<Book>[] = [
  { heading: 'SI', kind: 'number', width: '4.75rem', cell: (_, index) => index + 1 },
  { heading: 'Book Name', kind: 'title', cell: (book) => <BookCell book={book} /> },
  { heading: 'Author Name', kind: 'text', cell: ({ author }) => author },
  {
    heading: money.named('Price'),
    kind: 'number',
    width: '6.5rem',
    // The price leads to the desk, where it can be changed.
    cell: ({ _id, title, price: { value } }) => (
      <a
        href={deskViewAddress('books', { book: _id })}
        aria-label={`${money.format(value)}: change the price of ${title}`}
      >
        <Price value={value} />
      </a>
    ),
  },
];

const deleteColumn = (books: readonly Book[]): Column<Book> => ({
  heading: '',
  kind: 'action',
  width: '6rem',
  cell: (book, index) => <DeleteRow book={book} neighbourId={(books[index + 1] ?? books[index - 1])?._id} />,
});

export const ManageBooks = () => {
  const { search, hrefOf } = useBookSearch();
  const found = useList(catalogueQuery(search));
  return (
    <>
      <div className={`stack tight ${styles.search}`}>
        <SearchField />
        <p className="soft">
          Prices, orders and customers are on <a href={deskAddress}>the desk</a>.
        </p>
        <SearchSummary pages={found.pages} hrefOf={hrefOf} />
      </div>
      <FoundBooks
        found={found}
        hrefOf={hrefOf}
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
              key={found.listId}
              label="Books in the catalogue"
              columns={[...columns, deleteColumn(books)]}
              rows={books}
              isComplete={!found.list.hasNextPage}
            />
            <LoadMore list={found.list} />
          </div>
        )}
      </FoundBooks>
    </>
  );
};
