import { screens } from '../contract/paths.ts';
import { dayText } from '../web/components/days.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { ada, openSignedIn, signIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { buyNow, checkoutButton, rowOf } from './visitor.ts';

test('a double click is one order, each further checkout another', async ({ page, context, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await openSignedIn(page, checkout);
  await checkoutButton(page).dblclick();
  await expect(page).toHaveURL('/orders');
  await page.waitForLoadState('networkidle');
  expect(await store.orders()).toHaveLength(1);

  const otherTab = await context.newPage();
  await Promise.all([page.goto(checkout), otherTab.goto(checkout)]);
  await Promise.all([checkoutButton(page).click(), checkoutButton(otherTab).click()]);

  await expect(page).toHaveURL('/orders');
  await expect(otherTab).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(3);
});

test('a session that ends at the checkout costs a sign-in, no order', async ({ page, store, provokes }) => {
  provokes(/401 .*\/addOrder/);
  const checkout = await store.checkoutOf(janeEyre.title);
  await openSignedIn(page, checkout);
  await checkoutButton(page).waitFor();
  await page.context().clearCookies();

  await checkoutButton(page).click();
  await expect(page).toHaveURL('/login');
  await signIn(page);
  await expect(page).toHaveURL(checkout);
  await expect(checkoutButton(page)).toBeVisible();
  // The store has not looked at the order, so it does not count as sent.
  await expect(page.getByRole('status')).toBeEmpty();
  await checkoutButton(page).click();

  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(1);
});

test('a price that changed meanwhile is shown before it is paid', async ({ page, store, provokes }) => {
  provokes(/409 .*\/addOrder/);
  await page.setViewportSize({ width: 320, height: 568 });
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await expect(page.getByRole('cell', { name: '$12.99' })).toBeVisible();
  await store.reprice(janeEyre.title, 1450);
  await page.reload();
  await expect(page.getByRole('cell', { name: '$14.50' })).toBeVisible();
  await store.reprice(janeEyre.title, 1550);

  await checkoutButton(page).click();

  const problem = page.getByText('The price is now $15.50. It was $14.50 when you opened this page.');
  await expect(problem).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('cell', { name: '$15.50' })).toBeVisible();
  const confirm = page.getByRole('button', { name: 'Checkout at the new price' });
  await expect(confirm).toBeInViewport({ ratio: 1 });
  const { y: top = 0 } = (await problem.boundingBox()) ?? {};
  const price = page.getByRole('cell', { name: '$15.50' });
  for (const line of [price, page.getByRole('link', { name: 'Back to the shelf' })]) {
    await expect(line).toBeInViewport({ ratio: 1 });
    const { y = top, height = 0 } = (await line.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(top);
  }
  expect(await store.orders()).toEqual([]);

  await confirm.click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toEqual([{ title: janeEyre.title, priceCents: 1550, email: ada.email }]);
});

test('of two books with one title, author and price the one is bought that was chosen', async ({
  page,
  store,
}) => {
  const twin = { title: 'Walden', author: 'Henry Thoreau', copies: 1 };
  const [chosen, other] = [await store.addBook(twin), await store.addBook(twin)];
  await openSignedIn(page, screens.checkout(chosen.id));
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');

  await page.goto(screens.checkout(chosen.id));
  await expect(page.getByText('Sold out: we have no copy left.')).toBeVisible();
  await page.goto(screens.checkout(other.id));
  await expect(page.getByText('Last copy')).toBeVisible();
});

test('a book that the shop has renamed is shown under its new name before it is bought', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  const { id } = await store.addBook({ title: 'Walden', author: 'Henry Thoreau' });
  await openSignedIn(page, screens.checkout(id));
  await checkoutButton(page).waitFor();
  await page.getByLabel('Send to').fill('1 High Street');
  await store.db
    .updateTable('books')
    .set({ title: 'Walden, annotated', author: 'H. D. Thoreau', price_cents: 2150 })
    .where('id', '=', id)
    .execute();

  await checkoutButton(page).click();

  const reason =
    'This book has changed. It is now “Walden, annotated” by H. D. Thoreau. It costs $21.50 now.';
  await expect(page.getByText(reason)).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Walden, annotated' })).toBeVisible();
  await expect(page.getByLabel('Send to')).toHaveValue('1 High Street');
  expect(await store.orders()).toEqual([]);

  await page.getByRole('button', { name: 'Checkout this book' }).click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toEqual([{ title: 'Walden, annotated', priceCents: 2150, email: ada.email }]);
});

test('an order that an older page of this tab has sent goes again as it was', async ({ page, store }) => {
  const path = await store.checkoutOf(janeEyre.title);
  const { title, author, priceCents } = janeEyre;
  const ordered = { title, author, price: priceCents / 100, time: new Date().toDateString() };
  const pending = { key: 'key-of-an-older-page', email: ada.email, ordered, wasSent: true };
  await openSignedIn(page, '/orders');
  const stored = [path.replace('/checkout/', 'checkout:'), JSON.stringify(pending)];
  await page.evaluate((entry) => sessionStorage.setItem(...(entry as [string, string])), stored);
  await page.goto(path);
  await expect(page.getByText('This order was sent before.')).toBeVisible();
  const [request] = await Promise.all([page.waitForRequest('**/addOrder'), checkoutButton(page).click()]);

  await expect(page).toHaveURL('/orders');
  expect(request.headers()['idempotency-key']).toBe(pending.key);
  expect(request.postDataJSON()).not.toHaveProperty('bookId');
});

test('a book that was deleted meanwhile is not sold', async ({ page, store, provokes }) => {
  provokes(/404 .*\/addOrder/);
  provokes(/404 .*\/book\//);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).waitFor();
  await store.remove(janeEyre.title);

  await checkoutButton(page).click();

  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'On the front table' }).getByRole('link').first(),
  ).toBeVisible();
  expect(await store.orders()).toEqual([]);
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(buyNow(page)).toHaveCount(0);
});

test('an order that never left the device does not count as sent', async ({ page, store, provokes }) => {
  provokes(/ERR_INTERNET_DISCONNECTED/);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).waitFor();
  await page.context().setOffline(true);
  await checkoutButton(page).click();
  await expect(page.getByText('This device has no connection to the internet.')).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();

  await checkoutButton(page).waitFor();
  await expect(page.getByRole('status')).toBeEmpty();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(1);
});

test('a checkout that is left and opened again is busy until its order is answered', async ({
  page,
  store,
}) => {
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  const order = await holdBack(page, '**/addOrder');
  await checkoutButton(page).click();
  await order.requested;
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await page.goBack();
  await expect(page.getByText('Placing your order…')).toBeVisible();

  order.release();

  await expect(page.getByText('This order was sent before.')).toBeVisible();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(1);
});

test('the checkout says when its customer bought the book, unless it was withdrawn', async ({
  page,
  store,
}) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/allOrder/')) requests.push(new URL(request.url()).search);
  });
  const earlier = page.getByText(/^You bought this on/);
  await openSignedIn(page, checkout);
  await checkoutButton(page).waitFor();
  await page.waitForLoadState('networkidle');
  await expect(earlier).toHaveCount(0);
  expect(requests).toEqual([`?book=${checkout.replace('/checkout/', '')}`]);
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await expect(rowOf(page, janeEyre.title)).toBeVisible();

  requests.length = 0;
  await page.getByRole('link', { name: 'Home' }).click();
  await buyNow(page).click();
  await expect(earlier).toHaveText(`You bought this on ${dayText(new Date())}.`);
  // The orders were at hand.
  expect(requests).toEqual([]);
  await store.db.updateTable('orders').set({ time: 'Sun Nov 23 2025' }).execute();
  await page.reload();
  await expect(earlier).toHaveText('You bought this on 23 Nov 2025.');

  await store.db.updateTable('orders').set({ withdrawn_at: 1, withdrawn_by: 'customer' }).execute();
  await page.reload();
  await checkoutButton(page).waitFor();
  await page.waitForLoadState('networkidle');
  await expect(earlier).toHaveCount(0);
});
