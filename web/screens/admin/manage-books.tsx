import { useInfiniteQuery } from '@tanstack/react-query';
import type { Book } from '../../../contract/book.ts';
import { catalogueQuery } from '../../api/queries.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { DeleteBook } from './delete-book.tsx';
import { useUndoDelete } from './undo-delete.tsx';

/** The view Manage books: the catalogue's table, newest first, with a Delete button in each row. */
export const ManageBooks = () => {
  const list = useInfiniteQuery(catalogueQuery);
  const { offerUndo, undoNotice, restoredBook } = useUndoDelete();
  const books = list.data?.pages.flatMap((page) => page.body);

  if (list.isError && !books) {
    return (
      <TryAgain problem="The catalogue could not be fetched." error={list.error} onTryAgain={list.refetch} />
    );
  }
  if (!books) return <Loading />;

  const columns: Column<Book>[] = [
    { heading: 'SI', kind: 'number', cell: (_, index) => index + 1 },
    { heading: 'Book Name', kind: 'title', cell: (book) => book.title },
    { heading: 'Author Name', kind: 'text', cell: (book) => book.author },
    { heading: 'Price ($)', kind: 'number', cell: (book) => <Price value={book.price.value} /> },
    {
      heading: '',
      kind: 'action',
      cell: (book) => (
        <DeleteBook book={book} shouldFocus={book._id === restoredBook?._id} onDeleted={offerUndo} />
      ),
    },
  ];
  return (
    <>
      {books.length > 0 ? (
        <ResponsiveTable
          label="Books in the catalogue"
          columns={columns}
          rows={books}
          keyOf={(book) => book._id}
        />
      ) : (
        <Notice>
          <p>The catalogue has no books.</p>
        </Notice>
      )}
      <LoadMore list={list} />
      {undoNotice}
    </>
  );
};
