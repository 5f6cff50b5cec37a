/** The demo catalogue: what an empty store shows while it runs without a provider of its own. */

import limitConcurrency from 'p-limit';
import { imageAddress, imageIdIn } from '../../contract/image-address.ts';
import { addBook, findBooksTitled, hasAnyBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { addDrawnImage, hasImage, imageIdOf } from '../images/images.ts';
import { demoBooks } from './books.ts';
import { drawCover } from './covers.ts';

/** Fills an empty database with the demo books, all or none. Their covers come after, see {@link drawMissingCovers}. */
export async function fillEmptyShelf(db: Db): Promise<void> {
  if (await hasAnyBook(db)) return;
  await db.transaction().execute(async (db) => {
    // The shelf shows the newest first, and the list is written in the order in which it should be seen.
    for (const book of demoBooks.toReversed()) {
      const image = imageAddress(imageIdOf(drawCover(book)));
      await addBook(db, { ...book, image }, null);
    }
  });
}

/** Draws the covers that demo books name and the store does not have yet: all at first, none after that. */
export async function drawMissingCovers(db: Db, signal: AbortSignal): Promise<void> {
  const drawing = limitConcurrency(2);
  await drawing.map(demoBooks, async (book) => {
    if (signal.aborted) return;
    const [shelved] = await findBooksTitled(db, book);
    const imageId = shelved && imageIdIn(shelved.image);
    if (imageId && !(await hasImage(db, imageId))) await addDrawnImage(db, imageId, drawCover(book));
  });
}
