import { openStore, type Store } from '../e2e/store.ts';
import { addTestBooks, addWorks } from '../e2e/test-books.ts';
import { fillCatalogue } from '../server/demo/catalogue.ts';

/** Opens a store without limits that has the demo's books. @param books how many others it has besides. */
export const openDemoStore = (books: number): Promise<Store> =>
  openStore({
    stock: async (db) => {
      await fillCatalogue(db);
      if (books === 0) return;
      await addTestBooks(db);
      await addWorks(db, books);
    },
    env: { RATE_LIMITS: 'off' },
  });
