/** Books that have a number of copies, in the shop and on the desk. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { screens } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { changeBook } from './test-books.ts';
import { checkoutButton, rowOf } from './visitor.ts';

test('a buyer who is late reads that the book is sold out, and keeps what was typed', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  const { id } = await store.addBook({ title: 'Emma', copies: 1 });
  await openSignedIn(page, screens.checkout(id));
  await expect(page.getByText('Last copy')).toBeVisible();
  await page.getByLabel('Send to').fill('1 High Street');
  await changeBook(store.db, id, { copies: 0 });

  await checkoutButton(page).click();

  await expect(page.getByText('Sold out: the last copy has just been sold.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Checkout' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(page.getByLabel('Send to')).toHaveValue('1 High Street');
  expect(await store.orders()).toEqual([]);
  await page.goto('/');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: 'Emma' })).toHaveCount(0);
});

test('the last copy is bought, home has the book no longer, and its checkout says so', async ({
  page,
  store,
}) => {
  const { id } = await store.addBook({ title: 'Emma', copies: 1 });
  await openSignedIn(page, screens.orders);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: /^BUY NOW.*Emma/ }).click();
  await checkoutButton(page).click();
  await expect(page).toHaveURL(screens.orders);

  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('link', { name: /^BUY NOW.*Emma/ })).toHaveCount(0);
  await page.goto(screens.checkout(id));
  await expect(page.getByText('Sold out: we have no copy left.')).toBeVisible();
  await expect(page.getByLabel('Send to')).toHaveCount(0);
  await expect(checkoutButton(page)).toHaveCount(0);
  await expect(page.getByText('Total')).toHaveCount(0);
  await expect(page.getByRole('columnheader')).toHaveCount(5);

  const others = page.getByRole('list', { name: 'Beside it on the shelf' }).getByRole('link');
  await others.first().click();
  await expect(page).toHaveURL(/\/books\//);
  await page.goBack();
  await page.getByRole('main').getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page).toHaveURL('/');
});

test('the owner counts copies on the desk, where a book that is sold out stays', async ({ page, store }) => {
  const { id } = await store.addBook({ title: 'Emma', copies: 1 });
  await openSignedIn(page, deskViewAddress('books'));
  const row = rowOf(page, 'Emma');

  await row.getByRole('button', { name: 'Sold elsewhere: Emma' }).click();
  await expect(page.getByText('Emma: 1 → 0 copies.')).toBeVisible();
  await expect(row).toContainText('Sold out');
  await page.getByLabel('Show').selectOption('Sold out');
  await expect(row).toContainText('Sold out');
  // Another owner has added three meanwhile: one more is added to these.
  await changeBook(store.db, id, { copies: 3 });
  await row.getByRole('button', { name: '+1: Emma' }).click();
  await expect(page.getByText('Emma: 3 → 4 copies.')).toBeVisible();

  await page.goto(deskViewAddress('activity'));
  // The trail has the changes of other tests too.
  for (const change of ['1 → 0', '0 → 3', '3 → 4'])
    await expect(page.getByText(`Copies ${change}`).first()).toBeVisible();
});

test('a number of copies that a sale has changed is not overwritten by an edit', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/book\//);
  const { id } = await store.addBook({ title: 'Emma', copies: 5 });
  await openSignedIn(page, deskViewAddress('books'));
  await page.getByRole('button', { name: 'Edit: Emma' }).click();
  await page.getByLabel('Copies').fill('9');
  await changeBook(store.db, id, { copies: 4 });

  await page.getByRole('button', { name: 'Save changes' }).click();

  await expect(page.getByText('Somebody else has changed this book meanwhile.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Copies: was 5, is now 4; you typed 9');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(rowOf(page, 'Emma')).toContainText('9');
});
