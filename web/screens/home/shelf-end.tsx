import { type ComponentProps, useState } from 'react';
import { maxPageSize } from '../../../contract/next-page.ts';
import { Button } from '../../components/button.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { tabStorage } from '../../memory/tab-storage.ts';

/** In the tab's storage: true once the visitor has asked for more, for the rest of the visit. */
const growsKey = 'shelf-grows';

type ShelfEndProps = ComponentProps<typeof LoadMore> & { bookCount: number };

/**
 * The end of the shelf. A long list has a button there, so that the foot of the page can be reached. A visitor who has pressed
 * it wants to see more: from then on the list grows by itself.
 */
export const ShelfEnd = ({ list, bookCount }: ShelfEndProps) => {
  const [grows, setGrows] = useState(() => tabStorage.read<boolean>(growsKey) ?? false);
  if (grows || !list.hasNextPage || bookCount < maxPageSize) return <LoadMore list={list} />;
  const showMore = async ({ currentTarget: button }: { currentTarget: HTMLElement }) => {
    tabStorage.write(growsKey, true);
    await list.fetchNextPage();
    // The button goes. The next Tab leads to the first one of the books that have come.
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
