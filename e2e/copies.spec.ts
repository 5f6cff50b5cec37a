/** Books that have a number of copies, in the shop and on the desk. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { screens } from '../contract/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { changeBook } from './test-books.ts';
import { checkoutButton, priceOf, rowOf } from './visitor.ts';

test('the last copy is bought once: home has the book no longer, and who is late reads why', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  const { id } = await store.addBook({ title: 'Emma', copies: 1 });
  const buyEmma = page.getByRole('link', { name: /^BUY NOW.*Emma/ });
  await test.step('the copy is sold while another buyer types', async () => {
    await openSignedIn(page, screens.checkout(id));
    await expect(page.getByText('Last copy')).toBeVisible();
    await page.getByLabel('Send to').fill('1 High Street');
    await changeBook(store.db, id, { copies: 0 });
    await checkoutButton(page).click();
    await expect(page.getByText('Sold out: the last copy has just been sold.')).toBeVisible();
    for (const name of ['Checkout', 'Try again'])
      await expect(page.getByRole('button', { name })).toHaveCount(0);
    await expect(page.getByLabel('Send to')).toHaveValue('1 High Street');
    expect(await store.orders()).toEqual([]);
  });
  await changeBook(store.db, id, { copies: 1 });
  await test.step('this buyer has the last copy', async () => {
    await page.goto('/');
    await buyEmma.click();
    await checkoutButton(page).click();
    await expect(page).toHaveURL(screens.orders);
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();
    await expect(buyEmma).toHaveCount(0);
  });
  await test.step('a checkout that is opened later says so, and leads on', async () => {
    await page.goto(screens.checkout(id));
    await expect(page.getByText('Sold out: we have no copy left.')).toBeVisible();
    await expectAccessible(page, 'checkout of a book that is sold out');
    await expect(page.getByLabel('Send to')).toHaveCount(0);
    await expect(checkoutButton(page)).toHaveCount(0);
    await page.getByRole('list', { name: 'Beside it on the shelf' }).getByRole('link').first().click();
    await expect(page).toHaveURL(/\/books\//);
  });
});

test('the owner counts copies on the desk, and overwrites no sale', async ({ page, store }) => {
  const { id } = await store.addBook({ title: 'Emma', copies: 1 });
  await openSignedIn(page, deskViewAddress('books'));
  const more = page.getByRole('button', { name: '+1: Emma' });
  await more.waitFor();
  await changeBook(store.db, id, { copies: 3 });
  await more.click();
  await expect(page.getByText('Emma: 3 → 4 copies.')).toBeVisible();
  await expect(rowOf(page, 'Emma')).toContainText('4');
  await expectAccessible(page, 'books with copies, and the fields of their prices');
  await priceOf(page, 'Emma').fill('9.5');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Emma: $12.99 → $9.50.')).toBeVisible();
  await expect(priceOf(page, 'Emma')).toBeFocused();
  await expect(priceOf(page, 'Emma')).toHaveValue('9.50');
  await priceOf(page, 'Emma').fill('nine');
  await page.keyboard.press('Escape');
  await expect(priceOf(page, 'Emma')).toHaveValue('9.50');
});
