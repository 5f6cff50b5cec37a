import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Book } from '../../../contract/book.ts';
import { deskAddress, deskViewAddress } from '../../../contract/desk/paths.ts';
import { catalogueQuery, cataloguesKey, homeKey } from '../../api/catalogue.ts';
import { removeBook, restoreBook, takeFromLists } from '../../api/changes.ts';
import { retryTransient } from '../../api/client.ts';
import { BookCell } from '../../components/book-cell.tsx';
import { Button } from '../../components/button.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Notice } from '../../components/notice.tsx';
import { notify } from '../../components/notify.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { withReason } from '../../components/with-reason.ts';
import { useList } from '../../list/use-list.ts';
import { useBookSearch } from '../../search/book-search.ts';
import { FoundBooks, SearchSummary } from '../../search/found-books.tsx';
import { SearchField } from '../../search/search-field.tsx';
import { money } from '../../store-config.ts';

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
  const { search } = useBookSearch();
  const found = useList(catalogueQuery(search));
  return (
    <>
      <div className="stack tight">
        <SearchField />
        <p className="soft">
          Prices, orders and customers are on <a href={deskAddress}>the desk</a>.
        </p>
        <SearchSummary pages={found.pages} />
      </div>
      <FoundBooks
        found={found}
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

const buttonOf = (id: string | undefined) => document.getElementById(`delete-${id}`);

type DeleteRowProps = { book: Book; neighbourId: string | undefined };

/** The Delete button of a row in the catalogue's table. A click deletes the book at once; Undo restores it. */
const DeleteRow = ({ book, neighbourId }: DeleteRowProps) => {
  const queryClient = useQueryClient();
  const { _id: id, title } = book;
  const deletion = useMutation({
    mutationFn: () => removeBook(id),
    retry: retryTransient,
    onSuccess: async () => {
      // The button is removed with its row. The focus moves to Undo, and Tab leads from there back to the rows.
      const hadFocus = document.activeElement === buttonOf(id);
      await takeFromLists(queryClient, cataloguesKey, id);
      queryClient.removeQueries({ queryKey: homeKey });
      notify({
        text: (
          <>
            Deleted <cite dir="auto">{title}</cite>
          </>
        ),
        undo: restore,
        ...(hadFocus && { beside: buttonOf(neighbourId) }),
      });
    },
    onError: (error) => notify({ text: withReason('The book was not deleted.', error) }),
  });
  const restore = async () => {
    await restoreBook(id);
    queryClient.removeQueries({ queryKey: homeKey });
    await queryClient.invalidateQueries({ queryKey: cataloguesKey });
    // If the view shows the row, it is rendered before the task that follows.
    await new Promise((resolve) => setTimeout(resolve));
    buttonOf(id)?.focus();
  };
  return (
    <Button
      id={`delete-${id}`}
      variant="subtle"
      aria-label={`Delete: ${title}`}
      isBusy={deletion.isPending}
      onClick={() => deletion.mutate()}
    >
      Delete
    </Button>
  );
};
