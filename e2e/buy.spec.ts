import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, openPopup, signIn, signInAndOpen } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';

const checkoutButton = (page: Page) => page.getByRole('button', { name: 'Checkout' });

test('a visitor buys a book from the shelf, signs in on the way and sees the order in the history', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: `BUY NOW: ${frankenstein.title}` }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, ada);

  await expect(page).toHaveURL(/\/checkout\/[\w-]+$/);
  await checkoutButton(page).click();

  await expect(page).toHaveURL('/orders');
  await expect(page.getByText(ada.email)).toBeVisible();
  await expect(page.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    frankenstein.title,
    frankenstein.author,
    '1',
    '$10.99',
    new Date().toDateString(),
  ]);
});

test('Back after a purchase leads to the shelf, not to the finished checkout', async ({ page }) => {
  await signInAndOpen(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: `BUY NOW: ${janeEyre.title}` }).click();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');

  await page.goBack();

  await expect(page).toHaveURL('/');
});

test('the same book can be bought again', async ({ page, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await signInAndOpen(page, checkout);
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');

  await page.goto(checkout);
  await checkoutButton(page).click();

  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(2);
});

test('a double click on Checkout places one order', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));

  await checkoutButton(page).dblclick();

  await expect(page).toHaveURL('/orders');
  await page.waitForLoadState('networkidle');
  expect(await store.orders()).toHaveLength(1);
});

test('a session that ends at the checkout leads to the login and back, and one order is placed', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/401 .*\/addOrder/);
  const checkout = await store.checkoutOf(janeEyre.title);
  await signInAndOpen(page, checkout);
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

test('a book that was deleted meanwhile is not sold, and the checkout leads back to the shelf', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*\/addOrder/);
  provokes(/404 .*\/book\//);
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).waitFor();
  await store.remove(janeEyre.title);

  await checkoutButton(page).click();

  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();
  expect(await store.orders()).toEqual([]);
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page.getByRole('link', { name: `BUY NOW: ${frankenstein.title}` })).toBeVisible();
});

test('a price that changed meanwhile is shown, and no order is placed until it is confirmed', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).waitFor();
  await store.reprice(janeEyre.title, 1550);

  await checkoutButton(page).click();

  await expect(page.getByText('The price is now $15.50.')).toBeVisible();
  await expect(page.getByRole('cell', { name: '$15.50' })).toBeVisible();
  expect(await store.orders()).toEqual([]);

  await page.getByRole('button', { name: 'Checkout at the new price' }).click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toEqual([{ title: janeEyre.title, priceCents: 1550, email: ada.email }]);
});

test('a checkout that is opened again after a price change shows the new price', async ({ page, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await signInAndOpen(page, checkout);
  await expect(page.getByRole('cell', { name: '$12.99' })).toBeVisible();
  await store.reprice(janeEyre.title, 1550);

  await page.reload();

  await expect(page.getByRole('cell', { name: '$15.50' })).toBeVisible();
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const target = page.getByRole('link', { name }).or(page.getByRole('button', { name }));
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

test('a keyboard is enough to buy a book, including the sign-in in the popup', async ({ page, store }) => {
  await page.goto('/');
  await page.getByRole('link', { name: `BUY NOW: ${janeEyre.title}` }).waitFor();
  await tabTo(page, new RegExp(`^BUY NOW: ${janeEyre.title}$`));
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, /^Continue with/);
  const opening = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const popup = await opening;
  const closing = popup.waitForEvent('close');
  await popup.getByRole('button', { name: ada.name }).waitFor();
  await tabTo(popup, new RegExp(ada.name));
  await popup.keyboard.press('Enter');
  await closing;

  await checkoutButton(page).waitFor();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, /^Checkout$/);
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/orders');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await store.orders()).toHaveLength(1);
});

test('two tabs that check out the same book place one order each', async ({ page, context, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await signInAndOpen(page, checkout);
  const otherTab = await context.newPage();
  await otherTab.goto(checkout);

  await Promise.all([checkoutButton(page).click(), checkoutButton(otherTab).click()]);

  await expect(page).toHaveURL('/orders');
  await expect(otherTab).toHaveURL('/orders');
  expect(await store.orders()).toHaveLength(2);
});

test('a sign-in popup that stays open does not prevent the return to the checkout', async ({
  page,
  store,
}) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await page.goto(checkout);
  const openedBefore = await openPopup(page);
  await openedBefore.getByRole('button', { name: ada.name }).waitFor();

  await signIn(page);

  await expect(page).toHaveURL(checkout);
});
