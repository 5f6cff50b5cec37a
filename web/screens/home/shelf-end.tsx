import { type ComponentProps, useState } from 'react';
import { maxPageSize } from '../../../contract/next-page.ts';
import { storeNow } from '../../api/store-clock.ts';
import { Button } from '../../components/button.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { tabStorage } from '../../memory/tab-storage.ts';
import { storeConfig } from '../../store-config.ts';
import styles from './home.module.css';

/** In the tab's storage: true once the visitor has asked for more, for the rest of the visit. */
const growsKey = 'shelf-grows';

type ShelfEndProps = ComponentProps<typeof LoadMore> & {
  /** How many books are shown. */
  bookCount: number;
};

/**
 * The end of the shelf. A long list has a button there, so that the foot of the page can be reached. A visitor who has pressed
 * it wants to see more: from then on the list grows by itself.
 */
export const ShelfEnd = ({ list, bookCount }: ShelfEndProps) => {
  const [grows, setGrows] = useState(() => tabStorage.read<boolean>(growsKey) ?? false);
  const isHeld = list.hasNextPage && bookCount >= maxPageSize && !grows;
  const showMore = async ({ currentTarget: button }: { currentTarget: HTMLElement }) => {
    tabStorage.write(growsKey, true);
    await list.fetchNextPage();
    // The button goes. The next Tab leads to the first one of the books that have come.
    if (document.activeElement === button) lastLinkOf(bookCount)?.focus({ preventScroll: true });
    setGrows(true);
  };
  return (
    <>
      {isHeld ? (
        <div className={`stack ${styles.more}`}>
          <Button onClick={showMore} isBusy={list.isFetching}>
            Show more
          </Button>
        </div>
      ) : (
        <LoadMore list={list} />
      )}
      {(isHeld || !list.hasNextPage) && <Colophon />}
    </>
  );
};

const lastLinkOf = (bookCount: number) =>
  document.querySelector<HTMLElement>(`[data-index="${bookCount - 1}"] [id^="buy-"]`);

/** The foot of the home screen: the note that a book has on its last page. */
const Colophon = () => (
  <footer className={`stack ${styles.colophon}`}>
    <svg viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22.5" />
      <path d="M24 17.5c-2.6-2.2-6.2-3.2-11-3.2v17.4c4.8 0 8.4 1 11 3.2 2.6-2.2 6.2-3.2 11-3.2V14.3c-4.8 0-8.4 1-11 3.2zv17.4" />
    </svg>
    <p>
      A colophon is the note on a book’s last page that tells how it was made. This shop is set in Literata,
      which TypeTogether drew for long reading. Its books are sold one at a time, as they are read.
    </p>
    <p className={styles.imprint}>
      {storeConfig.name}, <time>{new Date(storeNow()).getFullYear()}</time>
    </p>
  </footer>
);
