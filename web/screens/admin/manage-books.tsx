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
import { useLastDeleted } from './last-deleted.tsx';

export const ManageBooks = () => {
  const list = useInfiniteQuery(catalogueQuery);
  const { remember, returning, line } = useLastDeleted();
  const books = list.data?.pages.flatMap((page) => page.body);

  if (list.isError && !books) {
    return <TryAgain problem="The catalogue could not be fetched." onTryAgain={list.refetch} />;
  }
  if (!books) return <Loading />;

  const columns: Column<Book>[] = [
    { heading: 'SI', kind: 'figure', cell: (_, index) => index + 1 },
    { heading: 'Book Name', kind: 'title', cell: (book) => book.title },
    { heading: 'Author Name', kind: 'words', cell: (book) => book.author },
    { heading: 'Price ($)', kind: 'figure', cell: (book) => <Price value={book.price.value} /> },
    {
      heading: '',
      kind: 'action',
      cell: (book) => (
        <DeleteBook book={book} isReturning={book._id === returning?._id} onDeleted={remember} />
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
      {line}
    </>
  );
};
