import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { screens, withFilters } from '../../../contract/paths.ts';
import type { Front } from '../../../contract/shop-front.ts';
import { bookListQuery, frontQuery } from '../../api/catalogue.ts';
import { BookGrid } from '../../components/book-grid.tsx';
import { CoverRow } from '../../components/cover-row/cover-row.tsx';
import { FrontTable } from '../../components/front-table.tsx';
import { Listed } from '../../components/listed.tsx';
import { Loading } from '../../components/loading.tsx';
import { ShelfEnd } from '../../components/shelf-end.tsx';
import { useList } from '../../list/use-list.ts';
import { useBookSearch } from '../../search/book-search.ts';
import { Narrow } from '../../search/narrow.tsx';
import styles from './home.module.css';

/** The home screen: the front of the shop, and the shelf. */
export const Home = () => {
  const { search, changeSearch } = useBookSearch();
  const front = useQuery(frontQuery);
  // The list waits for the content above it, but not for a retry of that content.
  const isHeld = front.isPending && front.failureCount === 0;
  const found = useList(bookListQuery(search), isHeld);
  return (
    <main id="content" className={`stack loose ${styles.home}`}>
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
            <Rows front={front.data} />
            <Narrow search={search} onSearch={changeSearch} />
            <BookGrid books={books} isComplete={!found.list.hasNextPage} />
            <ShelfEnd list={found.list} bookCount={books.length} />
          </>
        )}
      </Listed>
    </main>
  );
};

const Rows = ({ front }: { front: Front | undefined }) => (
  <>
    {front?.rows.map(({ heading, subject, books }, index) => (
      <CoverRow
        key={heading}
        // The id is the same after Back, even if the row has another heading then.
        id={`row-${index}`}
        heading={heading}
        books={books}
        more={
          subject && (
            <Link
              className="linkish"
              href={withFilters(screens.home, { subject })}
              aria-label={`See all: ${subject}`}
            >
              See all
            </Link>
          )
        }
      />
    ))}
    <h2>
      On the shelf
      {front && `, ${counted(front.bookCount, 'book')}`}
    </h2>
  </>
);
