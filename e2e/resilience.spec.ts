import type { Page, Request } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { loseResponse, watchRequests } from './requests.ts';
import { continueButton, openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import {
  addAndConfirm,
  addButton,
  buyNow,
  checkoutButton,
  fillInBook,
  liftedVeil,
  noOrders,
  openView,
  pickCover,
  titles,
} from './visitor.ts';

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();

test('an order whose response is lost is placed once, by each way on', async ({ page, store, provokes }) => {
  provokes(/ERR_FAILED .*\/addOrder/);
  const checkout = await store.checkoutOf(janeEyre.title);
  const expectOrders = async (count: number) => {
    await expect(page).toHaveURL('/orders');
    await expect(page.getByRole('cell', { name: janeEyre.title })).toHaveCount(count);
    expect(await store.orders()).toHaveLength(count);
  };
  await openSignedIn(page, checkout);
  await page.route('**/addOrder', loseResponse, { times: 1 });
  await checkoutButton(page).click();
  await expectOrders(1);

  await page.goto(checkout);
  await page.route('**/addOrder', loseResponse);
  await checkoutButton(page).click();
  await expect(page.getByText('We have not heard whether the order arrived.')).toBeVisible();
  await page.unroute('**/addOrder');
  await tryAgain(page);
  await expectOrders(2);

  await page.goto(checkout);
  // It reaches the store. The page is reloaded before its response arrives.
  await page.route('**/addOrder', async (route) => void (await route.fetch()), { times: 1 });
  await checkoutButton(page).click();
  await expect.poll(async () => (await store.orders()).length).toBe(3);
  await page.reload();
  await expect(page.getByText('This order was sent before.')).toBeVisible();
  await checkoutButton(page).click();
  await expectOrders(3);
});

test('a book whose response is lost is added once, by each way on', async ({ page, store, provokes }) => {
  provokes(/ERR_FAILED .*\/addBook/);
  await page.route('**/addBook', loseResponse);
  await openSignedIn(page, '/admin');
  await openView(page, 'Add Book');
  await fillInBook(page);
  await pickCover(page);
  await addButton(page).click();
  await expect(page.getByText('Trying again does not add it twice.')).toBeVisible();
  await page.unroute('**/addBook');

  await addAndConfirm(page);

  expect(await store.booksNamed(liftedVeil.title)).toHaveLength(1);
});

/** The queries that Try again repeats, with the message until then. */
for (const [what, { address, call, message, shown }] of Object.entries({
  'the shelf': {
    address: '/',
    call: '**/books',
    message: 'We couldn’t load the books.',
    shown: janeEyre.title,
  },
  'the session': {
    address: '/orders',
    call: '**/auth/session',
    message: 'We could not see who is signed in.',
    shown: 'You have not bought a book here yet.',
  },
  // A proxy's own failure has no id of a request.
  'the orders': {
    address: '/orders',
    call: '**/allOrder/*',
    message: 'Your orders could not be fetched.',
    shown: 'You have not bought a book here yet.',
  },
})) {
  test(`${what} that cannot be fetched can be by Try again`, async ({ page, provokes }) => {
    provokes(new RegExp(`503 .*${call.replaceAll('*', '')}`));
    let calls = 0;
    await openSignedIn(page, '/orders');
    await page.route(call, (route) => {
      calls += 1;
      return route.fulfill({ status: 503 });
    });
    await page.goto(address);
    await expect(page.getByText(message, { exact: true })).toBeVisible();
    await expect(page).toHaveURL(address);
    expect(calls).toBeGreaterThan(1);
    await page.unroute(call);

    await tryAgain(page);

    await expect(page.getByText(shown, { exact: true })).toBeVisible();
  });
}

test('a single failure of the shelf is retried without a message', async ({ page, provokes }) => {
  provokes(/503 .*\/books/);
  await page.route('**/books', (route) => route.fulfill({ status: 503 }), { times: 1 });

  await page.goto('/');

  await expect(titles(page).first()).toBeVisible();
});

const isLoad = (_path: string, request: Request) => request.isNavigationRequest();

test('a screen whose code is gone reloads once, then offers Reload', async ({ page, store, provokes }) => {
  provokes(/404 .*\/assets\/checkout-/);
  provokes(/^ChunkLoadError/);
  const checkout = await store.checkoutOf(janeEyre.title);
  const checkoutCode = '**/assets/checkout-*.js';
  // Before the home page opens, which preloads the checkout's code when the pointer reaches it.
  await page.route(checkoutCode, (route) => route.fulfill({ status: 404 }));
  await openSignedIn(page, '/orders');
  const loads = watchRequests(page, isLoad);
  await page.getByRole('link', { name: 'Home' }).click();
  await buyNow(page).click();

  await expect(page.getByText('This page could not be shown.')).toBeVisible();
  await expect(page).toHaveURL(checkout);
  expect(loads).toEqual([checkout]);

  await page.unroute(checkoutCode);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(checkoutButton(page)).toBeVisible();
});

test('a screen whose code fails offline loads with the connection', async ({ page, provokes }) => {
  provokes(/ERR_INTERNET_DISCONNECTED/);
  provokes(/^ChunkLoadError/);
  await openSignedIn(page, '/orders');
  await expect(noOrders(page)).toBeVisible();
  const loads = watchRequests(page, isLoad);
  const openOffline = async () => {
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Admin' }).click();
    await expect(page.getByText('This device has no connection to the internet.')).toBeVisible();
  };

  await openOffline();
  await page.goBack();
  await expect(page.getByText('Ordered books list:')).toBeVisible();
  await page.evaluate(
    'void (globalThis.online = new Promise((resolve) => addEventListener("online", () => setTimeout(resolve))))',
  );
  await page.context().setOffline(false);
  await page.evaluate('online');
  expect(loads).toEqual([]);

  await openOffline();
  await page.context().setOffline(false);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(loads).toEqual(['/admin']);
});

test('a checkout that opens offline fetches its book when it can', async ({ page, provokes }) => {
  provokes(/ERR_INTERNET_DISCONNECTED/);
  await openSignedIn(page, '/orders');
  const isCode = (request: Request) => /\/checkout-[^/]*\.js$/.test(request.url());
  const codeLoaded = page.waitForEvent('requestfinished', isCode);
  await page.getByRole('link', { name: 'Home' }).click();
  await codeLoaded;
  await page.getByRole('link', { name: 'Under $10' }).waitFor();
  await page.context().setOffline(true);
  await buyNow(page).click();

  await expect(
    page.getByText('The book could not be fetched. This device has no connection to the internet.'),
  ).toBeVisible();
  await page.context().setOffline(false);
  await expect(checkoutButton(page)).toBeVisible();
});

test('a screen whose elements an extension has removed is shown anew', async ({ page, provokes }) => {
  provokes(/NotFoundError: .*removeChild/);
  await page.goto('/');
  await titles(page).first().waitFor();
  // A move after a key may be the answer to it, and is not counted.
  await page.keyboard.press('Shift');
  await page.evaluate('document.querySelector("header").remove()');

  await page.evaluate('history.pushState(null, "", "/login")');

  await expect(continueButton(page)).toBeVisible();
  await page.getByRole('link', { name: 'Colophon' }).click();
  await expect(titles(page).first()).toBeVisible();
});

test('a screen that fails again says so', async ({ page, store, provokes }) => {
  provokes(/TypeError/);
  const checkout = await store.checkoutOf(janeEyre.title);
  // The login shows the book too.
  await openSignedIn(page, '/orders');
  await page.route('**/book/*', (route) => route.fulfill({ json: {} }));
  await page.goto(checkout);

  await expect(page.getByText('This page could not be shown.')).toBeVisible();

  await page.unroute('**/book/*');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(checkoutButton(page)).toBeVisible();
});
