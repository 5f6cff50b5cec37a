import { useQuery } from '@tanstack/react-query';
import type { Book } from '../../../contract/book.ts';
import { type BookFilters, searchIn } from '../../../contract/book-search.ts';
import { bookListQuery, bookQuery, forgivenIn, frontQuery } from '../../api/catalogue.ts';
import { BookGrid } from '../../components/book-grid.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { BesideRows, FrontRow } from '../../components/cover-row/cover-row.tsx';
import { Lines } from '../../components/lines.tsx';
import { ShelfEnd } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { type FoundList, useList } from '../../list/use-list.ts';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';
import { useBookSearch } from '../../search/book-search.ts';
import { FoundBooks, SearchSummary } from '../../search/found-books.tsx';
import { headingOf, Narrow } from '../../search/narrow.tsx';
import { storeConfig } from '../../store-config.ts';
import styles from './results.module.css';

/** @param named the author or the series, on the screen of one; otherwise the address of home has the search. */
export const Results = ({ named }: { named?: BookFilters }) => {
  const { search: searched } = useBookSearch();
  // Those screens are painted without what else their address has.
  const search = named ? { ...searchIn(new URLSearchParams()), filters: named } : searched;
  const { data: front } = useQuery({ ...frontQuery, enabled: !named });
  const found = useList(bookListQuery(search));
  const { list, listId, pages, items, isOutdated } = found;
  const one = items?.length === 1 && !list.hasNextPage ? items[0] : undefined;
  const { data: shown } = useQuery({ ...bookQuery(one?._id ?? ''), enabled: one !== undefined });
  const heading = named ? nameIn(found) : search.q ? `“${search.q}”` : headingOf(search.filters, front);
  return (
    <main id="content" className={`page tall ${styles.results}`}>
      <div className={`cluster ${styles.heading}`}>
        {/* Other words are another list, whose heading takes the focus. */}
        <ScreenHeading key={search.q} title={named ? `${heading} – ${storeConfig.name}` : 'Home'}>
          <span dir="auto">{heading}</span>
        </ScreenHeading>
        <SearchSummary pages={pages} />
      </div>
      {/* A single book is not narrowed further. */}
      {!named && (Object.keys(search.filters).length > 0 || (items && items.length > 1)) && <Narrow />}
      <FoundBooks
        found={found}
        problem="We couldn’t load the books."
        whenEmpty={named ? <NoList /> : <Loading>{!isOutdated && <p>The shelf is still empty.</p>}</Loading>}
      >
        {(books) => (
          <>
            <div className={one && styles.one}>
              <BookGrid key={listId} {...{ books, isOutdated, named }} isComplete={!list.hasNextPage} asRows>
                <Lines text={shown?.description} isProse />
              </BookGrid>
            </div>
            <ShelfEnd list={list} bookCount={books.length} />
            {shown && <BesideRows bookId={shown._id} />}
          </>
        )}
      </FoundBooks>
      {items?.length === 0 && <FrontRow />}
    </main>
  );
};

/** @returns the name of the author or the series; a space until it is known. */
const nameIn = ({ pages: [page], items }: FoundList<Book>): string =>
  items?.length === 0 ? 'We can’t find that page' : ((page && forgivenIn(page.headers).listName) ?? '\u00a0');

const NoList = () => (
  <Notice>
    <p>We have none of these books, or the address is mistyped.</p>
    <ButtonLink {...useBackToShelf()}>Back to the shelf</ButtonLink>
  </Notice>
);
