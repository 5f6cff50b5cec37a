import { screens } from '../contract/paths.ts';
import { dayText } from '../web/components/days.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { ada, openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { buyNow, checkoutButton, rowOf } from './visitor.ts';

test('a double click is one order, each further checkout another', async ({ page, context, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await openSignedIn(page, checkout);
  await checkoutButton(page).dblclick();
  await expect(page).toHaveURL('/orders');
  await page.waitForLoadState('networkidle');
  expect(await store.orders()).toHaveLength(1);

  const tabs = [page, await context.newPage()];
  await Promise.all(tabs.map((tab) => tab.goto(checkout)));
  await Promise.all(tabs.map((tab) => checkoutButton(tab).click()));
  for (const tab of tabs) await expect(tab).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(3);
});

test('a price that changed meanwhile is shown before it is paid, and so is a new name', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  const sold = { title: janeEyre.title, priceCents: 1550, email: ada.email };
  await page.setViewportSize({ width: 320, height: 568 });
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await expect(page.getByRole('cell', { name: '$12.99' })).toBeVisible();
  await store.reprice(janeEyre.title, 1550);
  await checkoutButton(page).click();
  const problem = page.getByText('The price is now $15.50. It was $12.99 when you opened this page.');
  const confirm = page.getByRole('button', { name: 'Checkout at the new price' });
  await expect(page.getByRole('cell', { name: '$15.50' })).toBeVisible();
  const total = page.getByText('Total $15.50');
  for (const part of [problem, total, confirm]) await expect(part).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, 'checkout of a book whose price has changed');
  expect(await store.orders()).toEqual([]);
  await confirm.click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toEqual([sold]);

  await test.step('a name, and what was typed stays', async () => {
    const { id } = await store.addBook({ title: 'Walden', author: 'Henry Thoreau' });
    await page.goto(screens.checkout(id));
    await page.getByLabel('Send to').fill('1 High Street');
    const renamed = { title: 'Walden, annotated', author: 'H. D. Thoreau', price_cents: 2150 };
    await store.db.updateTable('books').set(renamed).where('id', '=', id).execute();
    await checkoutButton(page).click();
    const reason =
      'This book has changed. It is now “Walden, annotated” by H. D. Thoreau. It costs $21.50 now.';
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Walden, annotated' })).toBeVisible();
    await expect(page.getByLabel('Send to')).toHaveValue('1 High Street');
    expect(await store.orders()).toEqual([sold]);
    await page.getByRole('button', { name: 'Checkout this book' }).click();
    await expect(page).toHaveURL('/orders');
    expect(await store.orders()).toEqual([
      sold,
      { title: 'Walden, annotated', priceCents: 2150, email: ada.email },
    ]);
  });
});

test('a book that was deleted meanwhile is not sold', async ({ page, store, provokes }) => {
  provokes(/404 .*\/addOrder/);
  provokes(/404 .*\/book\//);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).waitFor();
  await store.remove(janeEyre.title);
  await checkoutButton(page).click();
  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();
  await expectAccessible(page, 'checkout of a book that was deleted');
  expect(await store.orders()).toEqual([]);
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(buyNow(page)).toHaveCount(0);
});

test('an order that never left the device does not count as sent, nor does one beyond a limit', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/ERR_INTERNET_DISCONNECTED/);
  provokes(/429 .*\/addOrder/);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  const headers = { 'retry-after': '60' };
  await page.route('**/addOrder', (route) => route.fulfill({ status: 429, headers }), { times: 1 });
  await checkoutButton(page).click();
  await expect(page.getByText('There were too many requests at once. Try again in a minute.')).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('This device has no connection to the internet.')).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();
  await checkoutButton(page).waitFor();
  await expect(page.getByRole('status')).toBeEmpty();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(1);
});

test('the checkout says when its customer bought the book, unless it was withdrawn or cancelled', async ({
  page,
  store,
}) => {
  const earlier = page.getByText(/^You bought this on/);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).click();
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await buyNow(page).click();
  await expect(earlier).toHaveText(`You bought this on ${dayText(new Date())}.`);
  // A late response moves nothing.
  const late = await holdBack(page, '**/allOrder/*');
  await page.reload();
  await checkoutButton(page).waitFor();
  late.release();
  await expect(earlier).toBeVisible();
  for (const withdrawn_at of [1, null]) {
    await store.db
      .updateTable('orders')
      .set({ withdrawn_at, cancelled_at: withdrawn_at ? null : 1 })
      .execute();
    await page.reload();
    await checkoutButton(page).waitFor();
    await page.waitForLoadState('networkidle');
    await expect(earlier).toHaveCount(0);
  }
});
