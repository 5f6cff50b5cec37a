import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { maxPageSize } from '../../contract/next-page.ts';
import { useIsPainted } from '../api/painted-screen.ts';
import { useIsPrinting } from '../list/blocks.ts';
import { observeNear } from '../memory/platform.ts';
import { tabStorage } from '../memory/tab-storage.ts';
import { Button } from './button.tsx';
import { TryAgain } from './fetched.tsx';

/** The next page is fetched when the end of the list is this close to the viewport. */
const preloadMargin = '4000px';

type LoadMoreProps = { list: UseInfiniteQueryResult };

/** The end of a list: fetches the next page when the visitor scrolls near it. After an error it offers to try again. */
export const LoadMore = ({ list }: LoadMoreProps) => {
  const { hasNextPage, isFetching, isFetchNextPageError, error, fetchNextPage } = list;
  const end = useRef<HTMLDivElement>(null);
  const isPrinting = useIsPrinting();
  // On paper, the end of the list would always be in view.
  const isWanted = !isFetching && !isPrinting;
  // The observer starts anew after each fetch, even a cancelled one: it reports an end that stays near only once.
  useEffect(() => {
    if (!end.current || !isWanted) return;
    return observeNear(end.current, preloadMargin, (isNear) => isNear && void fetchNextPage());
  }, [isWanted, fetchNextPage]);
  if (isFetchNextPageError && !isFetching) {
    const problem = 'The rest of the list could not be fetched.';
    return <TryAgain problem={problem} error={error} onTryAgain={fetchNextPage} />;
  }
  return hasNextPage && <div ref={end} className="list-end" aria-hidden="true" />;
};

/** In the tab's storage: true once the visitor has asked for more books. It lasts for the rest of the visit. */
const growsKey = 'shelf-grows';

type ShelfEndProps = LoadMoreProps & { bookCount: number };

/**
 * The end of the shelf. A long list ends in a button, so that the foot of the page can be reached. After the first press the list grows by
 * itself, because the visitor wants more.
 */
export const ShelfEnd = ({ list, bookCount }: ShelfEndProps) => {
  const [grows, setGrows] = useState(() => tabStorage.read<boolean>(growsKey) ?? false);
  // The server does not know what the tab has stored.
  if (useIsPainted()) return null;
  if (grows || !list.hasNextPage || bookCount < maxPageSize) return <LoadMore list={list} />;
  const showMore = async ({ currentTarget: button }: { currentTarget: HTMLElement }) => {
    tabStorage.write(growsKey, true);
    await list.fetchNextPage();
    // The button disappears. The next Tab leads to the first of the new books.
    if (document.activeElement === button) lastLinkOf(bookCount)?.focus({ preventScroll: true });
    setGrows(true);
  };
  return (
    <div className="middle list-end">
      <Button onClick={showMore} isBusy={list.isFetching}>
        Show more
      </Button>
    </div>
  );
};

const lastLinkOf = (bookCount: number) =>
  document.querySelector<HTMLElement>(`[data-index="${bookCount - 1}"] [id^="buy-"]`);
