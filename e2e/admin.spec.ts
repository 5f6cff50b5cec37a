/** The admin screen: its form, deletions with Undo, its search. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { watchBookLists } from './requests.ts';
import { openSignedIn, signIn } from './sign-in.ts';
import { frankenstein, janeEyre, testBooks } from './test-books.ts';
import {
  addAndConfirm,
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

test('wrong fields show it, a failed upload is only logged, and each added book needs an image', async ({
  page,
  provokes,
}) => {
  provokes(/400 .*\/addBook/);
  provokes(/400 .*\/1\/upload/);
  const [name, price] = [page.getByLabel('Book Name'), page.getByLabel('Book Price')];
  await openSignedIn(page, '/admin');
  await openView(page, 'Add Book');
  await test.step('wrong fields are marked, and keep what was typed', async () => {
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
  });
  await test.step('the next book needs a picture of its own', async () => {
    await fillInBook(page);
    expect(await addAndConfirm(page)).toBe('Successfully added');
    await fillInBook(page, { title: 'Two', price: '2', author: 'B' });
    await expect(addButton(page)).toBeDisabled();
    await pickCover(page);
    await addAndConfirm(page);
  });
  await test.step('the newest is first, here and on the shelf', async () => {
    await openView(page, 'Manage books');
    await expect(row(page, 1)).toContainText('Two');
    await page.getByRole('link', { name: 'Colophon' }).click();
    await expect(titles(page).first()).toHaveText('Two');
    const card = page.getByRole('article').nth(1);
    await expect(card).toContainText('$12.50');
    await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  });
});

test('a failed deletion keeps the row; a deleted book stays in orders', async ({ page, store, provokes }) => {
  provokes(/503 .*\/deleteBook\//);
  provokes(/401 .*\/deleteBook\//);
  await buy(page, store, janeEyre.title);
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.route('**/deleteBook/*', (route) => route.fulfill({ status: 503 }));
  await deleteButton(page).click();
  await expect(page.getByText('The book was not deleted.')).toBeVisible();
  await page.unroute('**/deleteBook/*');
  await deleteButton(page).click();
  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(deleteButton(page, testBooks[1].title)).toBeFocused();

  await test.step('a book that another owner has deleted goes too', async () => {
    await store.remove(testBooks[1].title);
    await deleteButton(page, testBooks[1].title).click();
    await expect(rowOf(page, testBooks[1].title)).toHaveCount(0);
  });
  await test.step('the shelf has neither, and the orders have the book', async () => {
    await page.getByRole('link', { name: 'Colophon' }).click();
    await expect(titles(page)).toHaveText(testBooks.slice(2).map(({ title }) => title));
    await page.getByRole('link', { name: 'Orders' }).click();
    await expect(rowOf(page, janeEyre.title)).toBeVisible();
  });
  await test.step('a session that has ended costs a sign-in, no book', async () => {
    await page.getByRole('link', { name: 'Admin' }).click();
    await deleteButton(page, frankenstein.title).waitFor();
    await page.context().clearCookies();
    await deleteButton(page, frankenstein.title).click();
    await expect(page).toHaveURL('/login');
    await signIn(page);
    await expect(rowOf(page, frankenstein.title)).toBeVisible();
  });
});

test('Undo restores a deleted book: at its place, from the other view, into a search', async ({ page }) => {
  const [, , { title }] = testBooks;
  await openSignedIn(page, '/admin');
  await deleteButton(page, title).click();
  await expect(rowOf(page, title)).toHaveCount(0);
  const lists = watchBookLists(page);
  await undoButton(page).click();
  await expect(row(page, 3)).toContainText(title);
  await expect(deleteButton(page, title)).toBeFocused();
  await expect(undoButton(page)).toHaveCount(0);
  expect(lists).toEqual([]);

  await test.step('from the form of a new book', async () => {
    await deleteButton(page).click();
    await openView(page, 'Add Book');
    await undoButton(page).click();
    await expect(page.getByRole('heading', { name: 'A new book' })).toBeFocused();
    await openView(page, 'Manage books');
    await expect(row(page, 1)).toContainText(janeEyre.title);
    await page.reload();
    await expect(row(page, 1)).toContainText(janeEyre.title);
  });
  await test.step('into a search', async () => {
    await page.goto('/admin?q=jane');
    await deleteButton(page).click();
    await expect(page.getByText('No books match “jane”.')).toBeVisible();
    await undoButton(page).click();
    await expect(deleteButton(page)).toBeFocused();
    await searchField(page).press('Escape');
    await expect(row(page, 1)).toContainText(janeEyre.title);
  });
});

test('a search shows similar words or the best match, and never an earlier list or a deleted book', async ({
  page,
  store,
}) => {
  for (const title of ['Jane', 'Jane, Illustrated']) await store.addBook({ title });
  await openSignedIn(page, '/admin?q=frankenstien');
  const found = page.getByRole('row').locator('td:nth-child(2)');
  await test.step('similar words, or those that were typed', async () => {
    await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
    await page.getByRole('link', { name: 'Search for frankenstien as typed' }).click();
    await expect(page.getByText('No books match “frankenstien”.')).toBeVisible();
    await page.getByRole('button', { name: 'Show all books' }).click();
    await expect(found).toHaveCount(testBooks.length + 2);
  });
  await test.step('the best match first, and the price of now after Back', async () => {
    await searchField(page).fill('jane');
    await searchField(page).press('Enter');
    await expect(found).toHaveCount(3);
    await expect(found.first()).toHaveText('Jane');
    await expect(page).toHaveURL('/admin?q=jane');
    await searchField(page).fill('sult');
    await expect(rowOf(page, 'Sult')).toBeVisible();
    await store.reprice(janeEyre.title, 777);
    await page.goBack();
    await expect(page.getByRole('cell', { name: '$7.77' })).toBeVisible();
    await searchField(page).press('Escape');
    await expect(page).toHaveURL('/admin');
  });
  await test.step('a search that is under way during a deletion has the book no more', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: isFetched, resolve: onFetched } = Promise.withResolvers<void>();
    const hold = { times: 1 };
    await page.route(
      '**/books?q=ja',
      async (route) => {
        const response = await route.fetch();
        onFetched();
        await released;
        await route.fulfill({ response }).catch(() => {});
      },
      hold,
    );
    await searchField(page).fill('ja');
    await isFetched;
    await deleteButton(page).click();
    await undoButton(page).waitFor();
    release();
    await expect(rowOf(page, 'Ulysses')).toBeVisible();
    await expect(deleteButton(page)).toHaveCount(0);
  });
  await test.step('a price leads to the form that changes it', async () => {
    await page.goto('/admin?q=sult');
    await page.getByRole('link', { name: '$0.05: change the price of Sult' }).click();
    await expect(page.getByRole('dialog').getByLabel('Price ($)')).toHaveValue('0.05');
  });
});
