import { useQueryClient } from '@tanstack/react-query';
import { useHistoryState } from 'wouter/use-browser-location';
import { counted } from '../../../contract/counted.ts';
import { screens } from '../../../contract/paths.ts';
import { bookListQuery } from '../../api/queries.ts';
import { searchIn } from '../../search/book-search.ts';
import styles from './book.module.css';

/** Leads back to the search or the shelf that the visitor came from, as the browser's Back does; otherwise to the shelf. */
export const BackLink = () => {
  const queryClient = useQueryClient();
  const from = useHistoryState<{ from?: string } | null>()?.from ?? '';
  const [path = '', query = ''] = from.split('?');
  const isFromShelf = path === screens.home || path === screens.homeAlias;
  if (!isFromShelf) {
    return (
      <a className={styles.link} href={screens.home}>
        Back to the shelf
      </a>
    );
  }
  const search = searchIn(new URLSearchParams(query));
  const pages = queryClient.getQueryData(bookListQuery(search).queryKey)?.pages ?? [];
  const isComplete = pages.length > 0 && !pages.at(-1)?.next;
  const count = pages.reduce((sum, { body }) => sum + body.length, 0);
  return (
    <a
      className={styles.link}
      href={from}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        window.history.back();
      }}
    >
      {search.q
        ? `Back to “${search.q}”${isComplete ? ` (${counted(count, 'book')})` : ''}`
        : 'Back to the shelf'}
    </a>
  );
};
