import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { bookListQuery } from '../../api/catalogue.ts';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';
import { searchIn } from '../../search/book-search.ts';

/** Leads back to the search or the shelf that the visitor came from, as the browser's Back does; otherwise to the shelf. */
export const BackLink = () => {
  const queryClient = useQueryClient();
  const shelf = useBackToShelf();
  const search = searchIn(new URLSearchParams(shelf.href.split('?')[1]));
  const pages = queryClient.getQueryData(bookListQuery(search).queryKey)?.pages ?? [];
  const isComplete = pages.length > 0 && !pages.at(-1)?.next;
  const count = pages.reduce((sum, { body }) => sum + body.length, 0);
  const words = search.q || search.filters.subject;
  return (
    <Link className="linkish soft" {...shelf}>
      {words ? `Back to “${words}”${isComplete ? ` (${counted(count, 'book')})` : ''}` : 'Back to the shelf'}
    </Link>
  );
};
