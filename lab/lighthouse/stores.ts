/** The stores that are measured, in demo mode with their own databases. */

import { openStore, type Store } from '../../e2e/store.ts';
import { addBook } from '../../server/catalogue/books.ts';
import type { Db } from '../../server/database/tables.ts';
import { demoBooks } from '../../server/demo/books.ts';
import { fillCatalogue } from '../../server/demo/catalogue.ts';
import { inventBook } from '../bench/invented-books.ts';

/** The demo's catalogue, and a large one. */
export const shelves = ['60', '10000'] as const;
export type Shelf = (typeof shelves)[number];

export const openShelf = (shelf: Shelf): Promise<Store> =>
  openStore({ stock: (db) => fill(db, Number(shelf)), env: { RATE_LIMITS: 'off', LOG_LEVEL: 'error' } });

/** Adds the demo's books, and invented ones with the demo's covers. */
async function fill(db: Db, count: number): Promise<void> {
  await fillCatalogue(db);
  const images = await db.selectFrom('books').select('image').execute();
  await db.transaction().execute(async (db) => {
    for (let number = 0; number < count - demoBooks.length; number += 1) {
      const { image = '' } = images[number % images.length] ?? {};
      await addBook(db, { ...inventBook(number), image }, null);
    }
  });
}
