import { type ComponentProps, useState } from 'react';
import { maxPageSize } from '../../contract/next-page.ts';
import { tabStorage } from '../memory/tab-storage.ts';
import { Button } from './button.tsx';
import { LoadMore } from './load-more.tsx';

/** In the tab's storage: true once the visitor has asked for more books. It lasts for the rest of the visit. */
const growsKey = 'shelf-grows';

type ShelfEndProps = ComponentProps<typeof LoadMore> & { bookCount: number };

/**
 * The end of the shelf. A long list ends in a button, so that the foot of the page can be reached. After the first press the list grows by
 * itself, because the visitor wants more.
 */
export const ShelfEnd = ({ list, bookCount }: ShelfEndProps) => {
  const [grows, setGrows] = useState(() => tabStorage.read<boolean>(growsKey) ?? false);
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
