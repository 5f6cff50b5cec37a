/** What every browser test gets: a store of its worker's own, and a browser in which no error goes unnoticed. */

import { test as base, expect } from '@playwright/test';
import { openStore, type Store, type StoreOptions } from './store.ts';
import { resetBooks } from './test-books.ts';

type WorkerFixtures = {
  store: Store;
  /** For a file or a group that needs a store of its own kind. */
  storeOptions: StoreOptions | undefined;
};

type TestFixtures = {
  /**
   * Says that the test itself brings about an error that the browser reports. Any other error in a page, a popup or the
   * store's log fails the test, and so does one that was announced and did not come.
   */
  provokes: (message: RegExp) => void;
  freshBooks: undefined;
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  storeOptions: [undefined, { scope: 'worker', option: true }],

  store: [
    async ({ storeOptions }, use) => {
      const store = await openStore(storeOptions);
      await use(store);
      await store.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  freshBooks: [
    async ({ store, storeOptions }, use) => {
      if (!storeOptions?.stock) await resetBooks(store.db);
      await use(undefined);
    },
    { auto: true },
  ],

  baseURL: async ({ store }, use) => use(store.origin),

  provokes: [
    async ({ context, store }, use) => {
      const expected: RegExp[] = [];
      const errors: string[] = [];
      context.on('weberror', (webError) => errors.push(String(webError.error().stack)));
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
      });

      await use((message) => expected.push(message));

      errors.push(...store.takeErrors());
      const isExpected = (error: string) => expected.some((message) => message.test(error));
      expect(errors.filter((error) => !isExpected(error))).toEqual([]);
      const missed = expected.filter((message) => !errors.some((error) => message.test(error)));
      expect(missed, 'errors that were announced and did not come').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
