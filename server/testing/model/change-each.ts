/** A change of many books: each gets a price, or is deleted or restored. */

import type { Book, Shop } from './shop.ts';

type Target = { cents?: number; isDeleted?: boolean };

/** @param isStale true: the owner has seen other versions of the books. */
export function changeEach(
  shop: Shop,
  books: readonly Book[],
  targetOf: (book: Book) => Target,
  { isStale, isDryRun }: { isStale: boolean; isDryRun: boolean },
) {
  const result: Record<'changed' | 'skipped', object[]> = { changed: [], skipped: [] };
  for (const book of books) {
    const { cents = book.cents, isDeleted } = targetOf(book);
    const reason = isStale
      ? 'changed'
      : reasonAgainst(book, { cents, ...(isDeleted !== undefined && { isDeleted }) });
    if (reason) result.skipped.push({ _id: book.id, title: book.title, reason });
    else {
      const to = cents === book.cents ? { isDeleted } : { price: cents / 100 };
      if (!isDryRun && isDeleted) shop.remove(book);
      if (!isDryRun && isDeleted === false) shop.restore(book);
      if (!isDryRun) shop.change(book, { cents });
      result.changed.push({ _id: book.id, to, version: book.version });
    }
  }
  return result;
}

function reasonAgainst(book: Book, { cents, isDeleted }: Target): string | undefined {
  const wasDeleted = book.deletedAt !== null;
  if (cents === book.cents && (isDeleted ?? wasDeleted) === wasDeleted) return 'same';
  return wasDeleted && isDeleted === undefined ? 'gone' : undefined;
}
