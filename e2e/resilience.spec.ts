import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { coverPng, janeEyre, testBooks } from './test-books.ts';

const checkoutButton = (page: Page) => page.getByRole('button', { name: 'Checkout' });

/** The store receives the request, but its response does not reach the page. */
const loseResponse = async (route: Route): Promise<void> => {
  await route.fetch();
  await route.abort();
};

test.describe('an order whose response is lost', () => {
  test.beforeEach(async ({ page, store }) => {
    await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  });

  test('is sent again automatically and placed once', async ({ page, store, provokes }) => {
    provokes(/ERR_FAILED .*\/addOrder/);
    await page.route('**/addOrder', loseResponse, { times: 1 });

    await checkoutButton(page).click();

    await expect(page).toHaveURL('/orders');
    await expect(page.getByRole('cell', { name: janeEyre.title })).toHaveCount(1);
    expect(await store.orders()).toHaveLength(1);
  });

  test('is placed once when the visitor presses Try again', async ({ page, store, provokes }) => {
    provokes(/ERR_FAILED .*\/addOrder/);
    await page.route('**/addOrder', loseResponse);
    await checkoutButton(page).click();
    await expect(page.getByText('We have not heard whether the order arrived.')).toBeVisible();
    await page.unroute('**/addOrder');

    await page.getByRole('button', { name: 'Try again' }).click();

    await expect(page).toHaveURL('/orders');
    expect(await store.orders()).toHaveLength(1);
  });

  test('is placed once when the visitor reloads the page and presses Checkout again', async ({
    page,
    store,
  }) => {
    let calls = 0;
    await page.route('**/addOrder', async (route) => {
      calls += 1;
      // The first call reaches the store. The page is reloaded before its response arrives.
      await (calls === 1 ? route.fetch() : route.continue());
    });
    await checkoutButton(page).click();
    await expect.poll(async () => (await store.orders()).length).toBe(1);
    await page.reload();
    await expect(page.getByText('This order was sent before.')).toBeVisible();

    await checkoutButton(page).click();

    await expect(page).toHaveURL('/orders');
    expect(await store.orders()).toHaveLength(1);
  });
});

test('a book whose response is lost is added once, also after Try again with the same fields', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/ERR_FAILED .*\/addBook/);
  await signInAndOpen(page, '/admin');
  await page.getByRole('navigation').getByRole('button', { name: 'Add Book' }).click();
  await page.getByLabel('Book Name').fill('The Lifted Veil');
  await page.getByLabel('Book Price').fill('12.50');
  await page.getByLabel('Author Name').fill('George Eliot');
  await page
    .getByLabel('Image')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng('#7a1f2b') });
  const addButton = page.getByRole('main').getByRole('button', { name: 'Add Book' });
  await page.route('**/addBook', loseResponse);
  await addButton.click();
  await expect(page.getByText('Trying again does not add it twice.')).toBeVisible({ timeout: 20_000 });
  await page.unroute('**/addBook');

  const alert = page.waitForEvent('dialog').then((dialog) => dialog.accept());
  await addButton.click();
  await alert;

  const added = await store.db
    .selectFrom('books')
    .select('id')
    .where('title', '=', 'The Lifted Veil')
    .execute();
  expect(added).toHaveLength(1);
});

test('a shelf that cannot be fetched is retried automatically, then by Try again', async ({
  page,
  provokes,
}) => {
  provokes(/ERR_FAILED .*\/books/);
  let calls = 0;
  await page.route('**/books', (route) => {
    calls += 1;
    return route.abort();
  });
  await page.goto('/');
  await expect(page.getByText('The shelf could not be fetched.')).toBeVisible({ timeout: 20_000 });
  expect(calls).toBeGreaterThan(1);
  await page.unroute('**/books');

  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByRole('article')).toHaveCount(testBooks.length);
});

test('a single failure of the shelf is retried without a message', async ({ page, provokes }) => {
  provokes(/503 .*\/books/);
  await page.route('**/books', (route) => route.fulfill({ status: 503 }), { times: 1 });

  await page.goto('/');

  await expect(page.getByRole('article')).toHaveCount(testBooks.length);
});

test('an unknown session shows Try again, not the login', async ({ page, provokes }) => {
  provokes(/503 .*\/auth\/session/);
  await signInAndOpen(page, '/orders');
  await page.route('**/auth/session', (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(page.getByText('We could not see who is signed in.')).toBeVisible();
  await expect(page).toHaveURL('/orders');
  await page.unroute('**/auth/session');

  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByText('You have not bought a book here yet.')).toBeVisible();
});

test('orders that cannot be fetched can be fetched by Try again', async ({ page, provokes }) => {
  provokes(/503 .*\/allOrder\//);
  await page.route('**/allOrder/*', (route) => route.fulfill({ status: 503 }));
  await signInAndOpen(page, '/orders');
  // A proxy's own failure has no id of a request.
  await expect(page.getByText('Your orders could not be fetched.', { exact: true })).toBeVisible();
  await page.unroute('**/allOrder/*');

  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByText('You have not bought a book here yet.')).toBeVisible();
});

test.describe('a screen whose code does not load', () => {
  const checkoutCode = '**/assets/checkout-*.js';

  /** @returns the paths of the page's document requests; later requests are added to it. */
  const watchLoads = (page: Page): string[] => {
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
    });
    return loads;
  };

  test('reloads the page once, then offers Reload, which works when the code is available again', async ({
    page,
    store,
    provokes,
  }) => {
    provokes(/404 .*\/assets\/checkout-/);
    provokes(/^ChunkLoadError/);
    const checkout = await store.checkoutOf(janeEyre.title);
    await signInAndOpen(page, '/orders');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.route(checkoutCode, (route) => route.fulfill({ status: 404 }));
    const loads = watchLoads(page);
    await page.getByRole('link', { name: `BUY NOW: ${janeEyre.title}` }).click();

    await expect(page.getByText('This page could not be shown.')).toBeVisible();
    await expect(page).toHaveURL(checkout);
    expect(loads).toEqual([checkout]);

    await page.unroute(checkoutCode);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(checkoutButton(page)).toBeVisible();
  });

  test('loads when the device has a connection again, with one reload', async ({ page, provokes }) => {
    provokes(/ERR_INTERNET_DISCONNECTED/);
    provokes(/^ChunkLoadError/);
    await signInAndOpen(page, '/orders');
    await page.waitForLoadState('networkidle');
    const loads = watchLoads(page);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Admin' }).click();
    await expect(page.getByText('This device has no connection to the internet.')).toBeVisible();
    expect(loads).toEqual([]);

    await page.context().setOffline(false);

    await expect(page.getByRole('row').nth(1)).toBeVisible();
    expect(loads).toEqual(['/admin']);
  });

  test('that failed on another screen does not reload this one', async ({ page, provokes }) => {
    provokes(/ERR_INTERNET_DISCONNECTED/);
    provokes(/^ChunkLoadError/);
    await signInAndOpen(page, '/orders');
    await page.waitForLoadState('networkidle');
    const loads = watchLoads(page);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Admin' }).click();
    await page.getByText('This page could not be shown.').waitFor();
    await page.goBack();
    await expect(page.getByText('Ordered books list:')).toBeVisible();
    await page.evaluate(
      'void (globalThis.online = new Promise((resolve) => addEventListener("online", () => setTimeout(resolve))))',
    );
    await page.context().setOffline(false);
    await page.evaluate('online');

    expect(loads).toEqual([]);
  });

  test('fails after 120 seconds, and not before', async ({ page, store }) => {
    const checkout = await store.checkoutOf(janeEyre.title);
    await signInAndOpen(page, '/orders');
    await page.clock.install();
    let calls = 0;
    await page.route(checkoutCode, (route) => {
      calls += 1;
      // The first request gets no response and no error.
      return calls === 1 ? undefined : route.continue();
    });
    const loads = watchLoads(page);
    const requested = page.waitForRequest(checkoutCode);
    await page.goto(checkout);
    await requested;
    await expect(page.getByText('Loading...')).toBeVisible();
    await page.clock.runFor(119_000);
    expect(loads).toEqual([checkout]);
    await expect(page.getByText('Loading...')).toBeVisible();

    await page.clock.runFor(2_000);

    await expect(checkoutButton(page)).toBeVisible();
    expect(loads).toEqual([checkout, checkout]);
  });
});
