import { useQuery } from '@tanstack/react-query';
import { bookListQuery, frontQuery } from '../../api/catalogue.ts';
import { BookGrid } from '../../components/book-grid.tsx';
import { FrontRow } from '../../components/cover-row/cover-row.tsx';
import { Loading } from '../../components/loading.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { ShelfEnd } from '../../components/shelf-end.tsx';
import { useList } from '../../list/use-list.ts';
import { useBookSearch } from '../../search/book-search.ts';
import { spelled } from '../../search/chips.tsx';
import { FoundBooks } from '../../search/found-books.tsx';
import { Narrow } from '../../search/narrow.tsx';
import { SearchSummary } from '../../search/search-summary.tsx';
import styles from './results.module.css';

/** The books of a search, a subject or an order, at the address of home. */
export const Results = () => {
  const { search, changeSearch, hrefOf } = useBookSearch();
  const { data: front } = useQuery(frontQuery);
  const found = useList(bookListQuery(search));
  const { list, listId, pages, items, isOutdated } = found;
  const { subject } = search.filters;
  return (
    <main id="content" className={`stack ${styles.results}`}>
      <div className={`cluster ${styles.heading}`}>
        {/* Other words are another list, whose heading takes the focus. */}
        <ScreenHeading key={search.q} title="Home">
          {search.q ? (
            <>
              “<bdi>{search.q}</bdi>”
            </>
          ) : (
            <span dir="auto">{subject ? spelled(subject, front) : 'All books'}</span>
          )}
        </ScreenHeading>
        <SearchSummary pages={pages} hrefOf={hrefOf} />
      </div>
      <Narrow search={search} onSearch={changeSearch} />
      <FoundBooks
        found={found}
        hrefOf={hrefOf}
        problem="We couldn’t load the books."
        whenEmpty={<Loading>{!isOutdated && <p>The shelf is still empty.</p>}</Loading>}
      >
        {(books) => (
          <>
            <BookGrid
              key={listId}
              books={books}
              isComplete={!list.hasNextPage}
              isOutdated={isOutdated}
              isFirstSeen
              asRows
            />
            <ShelfEnd list={list} bookCount={books.length} />
          </>
        )}
      </FoundBooks>
      {items?.length === 0 && <FrontRow />}
    </main>
  );
};
