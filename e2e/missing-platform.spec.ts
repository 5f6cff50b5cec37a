/** Browsers that lack what platform.ts asks for, or refuse it. */

import { expect, test } from './fixtures.ts';
import { continueButton, signIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { buyNow, checkoutButton, rowOf, searchFor, titles } from './visitor.ts';

/** Members of the browser, by their path from `window`. */
const members = [
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'caches',
  'BroadcastChannel',
  'Notification',
  'SharedWorker',
  'matchMedia',
  'ResizeObserver',
  'IntersectionObserver',
  'PerformanceNavigationTiming',
  'BarcodeDetector',
  'requestIdleCallback',
  'navigator.locks',
  'navigator.clipboard',
  'navigator.serviceWorker',
  'navigator.mediaDevices',
  'navigator.onLine',
  'document.cookie',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'performance.getEntriesByType',
  'AbortSignal.any',
  'AbortSignal.timeout',
  'history.scrollRestoration',
];

/** Each member is undefined, or throws: when it is read, called or constructed. */
const without = (isRefused: boolean) => `
  const throwing = function () { throw new DOMException('The operation is insecure.', 'SecurityError'); };
  for (const path of ${JSON.stringify(members)}) {
    const [name, owner = 'window'] = path.split('.').reverse();
    for (let one = window[owner]; one; one = Object.getPrototypeOf(one)) {
      const known = Object.getOwnPropertyDescriptor(one, name);
      if (!known) continue;
      const value = ${isRefused} && typeof known.value === 'function' ? throwing : undefined;
      const get = ${isRefused} ? throwing : () => undefined;
      Object.defineProperty(one, name, { configurable: true, ...(value ? { value } : { get, set: get }) });
    }
  }`;

for (const what of ['lacks', 'refuses']) {
  test(`a visitor whose browser ${what} all of it searches, signs in and buys, and sees the desk`, async ({
    page,
    context,
    store,
  }) => {
    await context.addInitScript(without(what === 'refuses'));
    await page.goto('/');
    await searchFor(page, 'jane');
    await expect(titles(page)).toHaveText([janeEyre.title]);
    await page.getByRole('link', { name: janeEyre.title, exact: true }).first().click();
    await page.waitForURL('**/books/*');
    await page.goBack();
    await buyNow(page).click();
    await continueButton(page).waitFor();
    await signIn(page);
    // Without a channel, the page asks for the session when the visitor returns to it.
    await page.locator('body').dispatchEvent('focus');
    await checkoutButton(page).click();
    await page.waitForURL('/orders');
    await expect(page.getByRole('cell', { name: janeEyre.title })).toBeVisible();
    expect(await store.orders()).toHaveLength(1);

    await page.goto('/desk/books');
    await expect(rowOf(page, janeEyre.title)).toBeVisible();
    await page.getByRole('button', { name: 'Add a book' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
}

test('a browser that takes no more entries of the history loads the page', async ({ page }) => {
  await page.goto('/');
  await titles(page).first().waitFor();
  await page.evaluate(
    'for (const name of ["pushState", "replaceState"]) history[name] = () => { throw new DOMException("too many", "SecurityError"); }',
  );
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(continueButton(page)).toBeVisible();
});
