/** The demo catalogue: what an empty store shows while it runs without a provider of its own. */

import { imageAddress, imageIdIn } from '../../contract/image-address.ts';
import { addBook, findBooksTitled, hasAnyBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { hasImage, imageIdOf } from '../images/images.ts';
import { type DemoBook, demoBooks } from './books.ts';

/** Fills an empty database with the demo books, all or none. Their covers are drawn after, by draw-covers.ts. */
export async function fillEmptyShelf(db: Db): Promise<void> {
  if (await hasAnyBook(db)) return;
  await db.transaction().execute(async (db) => {
    // The shelf shows the newest first, and the list is written in the order in which it should be seen.
    for (const book of demoBooks.toReversed()) {
      await addBook(db, { ...book, image: coverAddress(book) }, null);
    }
  });
}

const coverAddress = ({ title, author }: DemoBook): string =>
  imageAddress(imageIdOf(`cover of ${title} by ${author}`));

/**
 * Takes the demo books off the shelf of a shop that was tried out in demo mode first. They are known by their covers'
 * addresses and by having been added by nobody. Their rows stay, as those of all removed books do.
 * @returns how many were taken off.
 */
export async function removeDemoBooks(db: Db): Promise<number> {
  const removed = await db
    .updateTable('books')
    .set({ removed_at: Date.now() })
    .where('image', 'in', demoBooks.map(coverAddress))
    .where('added_by', 'is', null)
    .where('removed_at', 'is', null)
    .returning('id')
    .execute();
  return removed.length;
}

/** The demo books for sale whose cover is not drawn yet, with the id under which their row names it. */
export async function listMissingCovers(db: Db): Promise<{ book: DemoBook; imageId: string }[]> {
  const missing = [];
  for (const book of demoBooks) {
    const [shelved] = await findBooksTitled(db, book);
    const imageId = shelved && imageIdIn(shelved.image);
    if (imageId && !(await hasImage(db, imageId))) missing.push({ book, imageId });
  }
  return missing;
}
