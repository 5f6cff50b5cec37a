import type { Page, Request } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { watchRequests } from './requests.ts';
import { continueButton, openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { buyNow, checkoutButton, noOrders, titles } from './visitor.ts';

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();
const isLoad = (_path: string, request: Request) => request.isNavigationRequest();

// use-purchase.schedules.test.tsx covers all orders of these events.
test('an order whose response is lost is placed once, also after a reload', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  // The request reaches the store. The page is reloaded before the response arrives.
  await page.route('**/addOrder', async (route) => void (await route.fetch()), { times: 1 });
  await checkoutButton(page).click();
  await expect.poll(async () => (await store.orders()).length).toBe(1);
  await page.reload();
  await expect(page.getByText('This order was sent before.')).toBeVisible();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await expect(page.getByRole('cell', { name: janeEyre.title })).toHaveCount(1);
  expect(await store.orders()).toHaveLength(1);
});

test('what cannot be fetched is asked for again by itself, and then by Try again', async ({
  page,
  provokes,
}) => {
  provokes(/503 /);
  const nothing = 'You have not bought a book here yet.';
  await openSignedIn(page, '/orders');
  for (const [address, call, message, shown] of [
    ['/', '**/books', 'We couldn’t load the books.', janeEyre.title],
    ['/orders', '**/auth/session', 'We could not see who is signed in.', nothing],
    ['/orders', '**/allOrder/*', 'Your orders could not be fetched.', nothing],
  ] as const) {
    let calls = 0;
    // A proxy's own failure has no id of a request.
    await page.route(call, (route) => {
      calls += 1;
      return route.fulfill({ status: 503 });
    });
    await page.goto(address);
    await expect(page.getByText(message, { exact: true })).toBeVisible();
    await expect(page).toHaveURL(address);
    expect(calls, message).toBeGreaterThan(1);
    if (address === '/') await expectAccessible(page, message);
    await page.unroute(call);
    await tryAgain(page);
    await expect(page.getByText(shown, { exact: true })).toBeVisible();
  }
});

test('a screen whose code is gone reloads once, then offers Reload', async ({ page, store, provokes }) => {
  provokes(/404 .*\/assets\/checkout-/);
  provokes(/^ChunkLoadError/);
  const checkout = await store.checkoutOf(janeEyre.title);
  const checkoutCode = '**/assets/checkout-*.js';
  // The block is set before the home page opens, which preloads the checkout's code when the pointer reaches it.
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

test('a screen whose code arrives before the effects of its first frame is shown', async ({
  page,
  store,
}) => {
  await openSignedIn(page, '/orders');
  // React runs the effects of a frame in the next task of its scheduler, which posts messages.
  await page.addInitScript(`
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function () { setTimeout(() => postMessage.call(this, null), 500); };`);
  await page.goto(await store.checkoutOf(janeEyre.title), { waitUntil: 'commit' });
  const isRendered = `Object.keys(document.querySelector('main') ?? {}).some((key) => /^__react/.test(key))`;
  await expect.poll(() => page.evaluate(isRendered), { intervals: [50] }).toBe(true);
  await page.evaluate(`dispatchEvent(new Event('pointerdown'))`);
  await expect(checkoutButton(page)).toBeVisible();
});

test('a screen that opens offline loads with the connection', async ({ page, provokes }) => {
  provokes(/ERR_INTERNET_DISCONNECTED/);
  provokes(/^ChunkLoadError/);
  const offline = page.getByText('This device has no connection to the internet.');
  await openSignedIn(page, '/orders');
  await expect(noOrders(page)).toBeVisible();
  const loads = watchRequests(page, isLoad);
  const openOffline = async () => {
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Admin' }).click();
    await expect(offline).toBeVisible();
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

test('a screen that fails says so, as one whose elements an extension has removed, and Reload shows it', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/NotFoundError: .*removeChild/);
  provokes(/TypeError/);
  await page.goto('/');
  await titles(page).first().waitFor();
  // A move after a key press may be its answer, so it does not count.
  await page.keyboard.press('Shift');
  await page.evaluate('document.querySelector("main").remove()');
  await page.evaluate('history.pushState(null, "", "/login")');
  await expect(page.getByText('This page could not be shown.')).toBeVisible();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(continueButton(page)).toBeVisible();
  await page.getByRole('link', { name: 'Colophon' }).click();
  await expect(titles(page).first()).toBeVisible();

  await openSignedIn(page, '/orders');
  await page.route('**/book/*', (route) => route.fulfill({ json: {} }));
  await page.goto(await store.checkoutOf(janeEyre.title));
  await expect(page.getByText('This page could not be shown.')).toBeVisible();
  await page.unroute('**/book/*');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(checkoutButton(page)).toBeVisible();
});
