/** The admin screen: its form, deletions with Undo, its search. */

import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import {
  addButton,
  buy,
  deleteButton,
  fillInBook,
  liftedVeil,
  openView,
  pickCover,
  rowOf,
  searchField,
  titles,
  undoButton,
} from './visitor.ts';

const row = (page: Page, number: number) => page.getByRole('row').nth(number);

test('wrong fields show it, and a failed upload is only logged', async ({ page, provokes }) => {
  provokes(/400 .*\/addBook/);
  provokes(/400 .*\/1\/upload/);
  const [name, price] = [page.getByLabel('Book Name'), page.getByLabel('Book Price')];
  await openSignedIn(page, '/admin');
  await openView(page, 'Add Book');
  await fillInBook(page, { ...liftedVeil, title: '', price: 'twelve' });
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
  const buffer = Buffer.from('not an image');
  await page.getByLabel('Image').setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer });
  expect((await warning).text()).toContain('The image was not uploaded.');
  await expect(addButton(page)).toBeDisabled();
  await pickCover(page);
  await addButton(page).click();
  await expect(name).toHaveAccessibleDescription(/\S/);
  await expect(name).toBeFocused();
  await expect(price).toHaveAccessibleDescription(/amount with at most two decimals/);
  await expect(price).toHaveValue('twelve');
  await expect(page.getByLabel('Author Name')).not.toHaveAttribute('aria-invalid');
  await expectAccessible(page, 'the Add Book form');
});

test('a failed deletion keeps the row; a deleted book stays in orders, and Undo restores one', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/503 .*\/deleteBook\//);
  await buy(page, store, janeEyre.title);
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.route('**/deleteBook/*', (route) => route.fulfill({ status: 503 }));
  await deleteButton(page).click();
  await expect(page.getByText('The book was not deleted.')).toBeVisible();
  await page.unroute('**/deleteBook/*');
  await deleteButton(page).click();
  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
  await undoButton(page).waitFor();
  await expectAccessible(page, 'Manage books');
  await page.getByRole('link', { name: 'Colophon' }).click();
  await expect(titles(page)).toHaveText(testBooks.slice(1).map(({ title }) => title));
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(rowOf(page, janeEyre.title)).toBeVisible();

  await test.step('after a deletion Undo has the focus, and restores the book at its place', async () => {
    const { title } = testBooks[2];
    await page.getByRole('link', { name: 'Admin' }).click();
    await deleteButton(page, title).press('Enter');
    await expect(rowOf(page, title)).toHaveCount(0);
    await expect(undoButton(page)).toBeFocused();
    await undoButton(page).press('Enter');
    await expect(row(page, 2)).toContainText(title);
    await expect(deleteButton(page, title)).toBeFocused();
  });
  await test.step('a search finds a book, whose price leads to the form that changes it', async () => {
    await searchField(page).fill('sult');
    await searchField(page).press('Enter');
    await expect(page).toHaveURL('/admin?q=sult');
    await page.getByRole('link', { name: '$0.05: change the price of Sult' }).click();
    await expect(page.getByRole('dialog').getByLabel('Price ($)')).toHaveValue('0.05');
  });
});
