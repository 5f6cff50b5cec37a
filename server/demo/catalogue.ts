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
      const image = imageAddress(imageIdOf(`cover of ${book.title} by ${book.author}`));
      await addBook(db, { ...book, image }, null);
    }
  });
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
