import { useQuery } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import { bookListQuery, frontQuery } from '../../api/catalogue.ts';
import { BookGrid } from '../../components/book-grid.tsx';
import { CoverRow } from '../../components/cover-row/cover-row.tsx';
import { Listed } from '../../components/fetched.tsx';
import { FrontTable } from '../../components/front-table.tsx';
import { ShelfEnd } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { useList } from '../../list/use-list.ts';
import { useBookSearch } from '../../search/book-search.ts';
import { Narrow } from '../../search/narrow.tsx';
import styles from './home.module.css';

/** The home screen: the front of the shop, and the shelf. */
export const Home = () => {
  const { search } = useBookSearch();
  const front = useQuery(frontQuery);
  // The list waits for the content above it, but not for a retry of that content.
  const isHeld = front.isPending && front.failureCount === 0;
  const found = useList(bookListQuery(search), isHeld);
  return (
    <main id="content" className={`page ${styles.home}`}>
      <FrontTable table={front.data?.table} isMissing={front.isError} />
      <Listed
        found={found}
        problem="We couldn’t load the books."
        whenEmpty={
          <Loading>
            <p>The shelf is still empty.</p>
          </Loading>
        }
      >
        {(books) => (
          <>
            {front.data?.rows.map((row, index) => (
              // The id is the same after Back, even if the row has another heading then.
              <CoverRow key={row.heading} id={`row-${index}`} {...row} />
            ))}
            <h2>
              On the shelf
              {front.data && `, ${counted(front.data.bookCount, 'book')}`}
            </h2>
            <Narrow />
            <BookGrid books={books} isComplete={!found.list.hasNextPage} />
            <ShelfEnd list={found.list} bookCount={books.length} />
          </>
        )}
      </Listed>
    </main>
  );
};
