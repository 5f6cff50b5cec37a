/** The desk's calls that change many books at once. */
import type {
  ChangeBooks,
  ChangedBooks,
  ManyBooksChange,
  UndoBooks,
} from '../../contract/desk/changed-books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { callApi } from './client.ts';

type Ref = { _id: string; version: number };

const inParts = async <Item>(
  items: readonly Item[],
  send: (part: Item[]) => Promise<ChangedBooks>,
): Promise<ChangedBooks> => {
  const result: ChangedBooks = { changed: [], skipped: [] };
  for (let start = 0; start < items.length; start += maxPageSize) {
    const { changed, skipped } = await send(items.slice(start, start + maxPageSize));
    result.changed.push(...changed);
    result.skipped.push(...skipped);
  }
  return result;
};

/** Changes books of these versions, or only tells what the change would do. Again it changes none of them twice. */
export const changeBooks = (
  books: readonly Ref[],
  change: ManyBooksChange,
  { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal },
): Promise<ChangedBooks> =>
  inParts(books, async (part) => {
    const json: ChangeBooks = {
      books: part.map(({ _id, version }) => ({ _id, version })),
      change,
      dryRun,
    };
    const aborted = signal && { signal };
    return (await callApi<ChangedBooks>(deskPaths.booksChange, { method: 'POST', json, ...aborted })).body;
  });

/** Takes a change of books back, except of those that were changed since. */
export const undoBooks = (changed: ChangedBooks['changed']): Promise<ChangedBooks> =>
  inParts(changed, async (part) => {
    const json: UndoBooks = { books: part.map(({ _id, version, from }) => ({ _id, version, ...from })) };
    return (await callApi<ChangedBooks>(deskPaths.booksUndo, { method: 'POST', json })).body;
  });
