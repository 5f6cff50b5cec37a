/** The books of the browser tests' store. */

import sharp from 'sharp';
import { imageAddress } from '../contract/image-address.ts';
import { commandActor } from '../server/activity/activity.ts';
import { addBook } from '../server/catalogue/books.ts';
import { type BookEdit, editBook } from '../server/catalogue/edit-book.ts';
import { newId } from '../server/database/ids.ts';
import type { Database } from '../server/database/open.ts';
import { imageIdOf, storeImage } from '../server/images/images.ts';
import { resizeUpload } from '../server/images/resize-upload.ts';
import { textColumnsOf } from '../server/search/text-columns.ts';

type Db = Database['db'];

/** Newest first, as on the shelf. */
export const testBooks = [
  { title: 'Jane Eyre', author: 'Charlotte Brontë', priceCents: 1299 },
  { title: 'Преступление и наказание', author: 'Фёдор Достоевский', priceCents: 1895 },
  { title: 'Frankenstein; or, The Modern Prometheus', author: 'Mary Shelley', priceCents: 1099 },
  { title: '紅樓夢', author: '曹雪芹', priceCents: 123_450 },
  { title: 'Ulysses', author: 'James Joyce', priceCents: 2000 },
  { title: 'Sult', author: 'Knut Hamsun', priceCents: 5 },
] as const;

export const [janeEyre, , frankenstein] = testBooks;

/** @returns a PNG in the shape of a cover. */
export const coverPng = (colour = '#2f4a3c'): Promise<Buffer> =>
  sharp({ create: { width: 400, height: 600, channels: 3, background: colour } })
    .png()
    .toBuffer();

const picture = await coverPng();
const pictureId = imageIdOf(picture);

/** The address of an image that the tests' store hosts, once {@link addTestBooks} has run. */
export const testImage = imageAddress(pictureId);

const addBookRows = async (db: Db) => {
  for (const book of testBooks.toReversed()) await addBook(db, { ...book, image: testImage }, null);
};

/** Adds the test books, and the image that they all have. */
export async function addTestBooks(db: Db): Promise<void> {
  await storeImage(db, { ...(await resizeUpload(picture)), id: pictureId });
  await db.transaction().execute(addBookRows);
}

/** Removes all orders, and sets the shelf back to what {@link addTestBooks} added. */
export const resetBooks = (db: Db): Promise<void> =>
  db.transaction().execute(async (db) => {
    for (const table of ['orders', 'payments', 'charges', 'pages'] as const)
      await db.deleteFrom(table).execute();
    await db.deleteFrom('books').execute();
    await addBookRows(db);
  });

/** Changes a book as another customer or the owner does meanwhile. */
export const changeBook = (db: Db, id: string, edit: BookEdit) =>
  editBook(db, id, edit, { actor: commandActor, isExpected: () => true });

/** Adds this many books. `Volume 0001` is added first, so it is last on the shelf. */
export const addVolumes = (db: Db, count: number): Promise<void> =>
  db.transaction().execute(async (db) => {
    for (let number = 1; number <= count; number += 1) {
      const title = `Volume ${String(number).padStart(4, '0')}`;
      await addBook(db, { title, author: 'A. Writer', priceCents: 100 + number, image: testImage }, null);
    }
  });

const booksPerStatement = 1_000;

/**
 * Adds many books at once, without their words, which only a misspelt search needs. The first on the shelf is `Work 1`; each
 * third title takes two lines on a card.
 */
export async function addWorks(db: Db, count: number): Promise<void> {
  const works = Array.from({ length: count }, (_, index) => {
    const number = count - index;
    const title = `Work ${number}${number % 3 === 0 ? ', with a title that is too long for a line of its card' : ''}`;
    return {
      ...textColumnsOf({ title, author: 'A. Writer' }),
      id: newId(),
      title,
      author: 'A. Writer',
      image: testImage,
      price_cents: 100 + number,
      added_at: index,
    };
  });
  await db.transaction().execute(async (db) => {
    for (let start = 0; start < count; start += booksPerStatement) {
      await db
        .insertInto('books')
        .values(works.slice(start, start + booksPerStatement))
        .execute();
    }
  });
}
