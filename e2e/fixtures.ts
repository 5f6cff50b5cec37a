/** Fixtures of every browser test: one store per worker, and a check that neither an error nor a move goes unnoticed. */

import { test as base, expect, type Page } from '@playwright/test';
import { endWatch, watchLayout } from './layout-watch.ts';
import { openStore, type Store, type StoreOptions } from './store.ts';
import { resetBooks } from './test-books.ts';

type WorkerFixtures = {
  store: Store;
  /** Settings for a file or a group that needs another store than {@link openStore} starts by default. */
  storeOptions: StoreOptions | undefined;
};

type TestFixtures = {
  /**
   * Announces an error that the test itself causes. Any other error in the console of a page or popup, or in the store's
   * log, fails the test, and so does an announced error that did not occur. That a page moves by itself, or scrolls sideways,
   * is such an error (layout-watch.ts).
   */
  provokes: (message: RegExp) => void;
  /** For a test that changes a page's text or looks: its pages are not watched. */
  movesByItself: boolean;
  /** Resets the store before each test: the test books and no orders, unless the store has other stock. */
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

  movesByItself: [false, { option: true }],

  baseURL: async ({ store }, use) => use(store.origin),

  page: async ({ page }, use) => {
    const route = page.route.bind(page);
    page.route = async (...options) => {
      const added = await route(...options);
      await untilIntercepted(page, route);
      return added;
    };
    await use(page);
  },

  provokes: [
    async ({ context, store, javaScriptEnabled, movesByItself }, use) => {
      const isWatched = javaScriptEnabled && !movesByItself;
      const expected: RegExp[] = [];
      const errors: string[] = [];
      context.on('weberror', (webError) => errors.push(String(webError.error().stack)));
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
      });

      if (isWatched) await watchLayout(context, store.origin);

      await use((message) => expected.push(message));

      if (isWatched) await endWatch(context);
      errors.push(...store.takeErrors());
      const isExpected = (error: string) => expected.some((message) => message.test(error));
      expect(errors.filter((error) => !isExpected(error))).toEqual([]);
      const missing = expected.filter((message) => !errors.some((error) => message.test(error)));
      expect(missing, 'announced errors that did not occur').toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Waits until a request of the page is intercepted. Playwright's `route` resolves before a busy page has heard of it, and a request that
 * the page sends until then is neither intercepted nor reported.
 */
async function untilIntercepted(page: Page, route: Page['route']): Promise<void> {
  if (page.url() === 'about:blank') return;
  let isIntercepted = false;
  await route('**/healthz', async (probe) => {
    isIntercepted = true;
    await probe.fulfill();
  });
  while (!isIntercepted) await page.evaluate(`fetch('/healthz')`);
  await page.unroute('**/healthz');
}

export { expect };
