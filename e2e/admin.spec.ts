import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import type { Page } from '@playwright/test';
import { paths } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { holdBack, watchBookLists } from './requests.ts';
import { cookieHeader, openSignedIn, signIn } from './sign-in.ts';
import { coverPng, frankenstein, janeEyre, testBooks } from './test-books.ts';
import {
  addAndConfirm,
  addButton,
  buy,
  checkoutButton,
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

test('the sidebar goes down to the end of the window, also while the books are fetched', async ({ page }) => {
  const { requested, release } = await holdBack(page, '**/books');
  await openSignedIn(page, '/admin');
  await requested;
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  const sidebar = await page.getByRole('banner').boundingBox();
  expect(sidebar?.height).toBe(page.viewportSize()?.height);

  release();
});

test('wrong fields show it, and each added book needs an image', async ({ page, store, provokes }) => {
  provokes(/400 .*\/addBook/);
  const [name, price] = [page.getByLabel('Book Name'), page.getByLabel('Book Price')];
  await openSignedIn(page, '/admin');
  await openView(page, 'Add Book');
  await fillInBook(page, { ...liftedVeil, title: '', price: 'twelve' });
  await pickCover(page);
  await addButton(page).click();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toHaveAccessibleDescription(/\S/);
  await expect(name).toBeFocused();
  await expect(price).toHaveAccessibleDescription(/amount with at most two decimals/);
  await expect(price).toHaveValue('twelve');
  await expect(page.getByLabel('Author Name')).toHaveValue(liftedVeil.author);
  await expect(page.getByLabel('Author Name')).not.toHaveAttribute('aria-invalid');

  await fillInBook(page);
  expect(await addAndConfirm(page)).toBe('Successfully added');
  await fillInBook(page, { title: 'Two', price: '2', author: 'B' });
  await expect(addButton(page)).toBeDisabled();
  await pickCover(page);
  await addAndConfirm(page);
  await openView(page, 'Manage books');
  await expect(row(page, 1)).toContainText('Two');

  await page.getByRole('link', { name: 'Colophon' }).click();
  await expect(titles(page).first()).toHaveText('Two');
  const card = page.getByRole('article').nth(1);
  await expect(card.getByRole('heading')).toHaveText(liftedVeil.title);
  await expect(card).toContainText('$12.50');
  await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  await card.getByRole('link', { name: /^BUY NOW/ }).click();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toMatchObject([{ title: liftedVeil.title, priceCents: 1250 }]);
});

test('the price of a row leads to the form that changes it', async ({ page }) => {
  await openSignedIn(page, '/admin?q=jane');

  await page.getByRole('link', { name: `$12.99: change the price of ${janeEyre.title}` }).click();

  await expect(page.getByRole('dialog').getByLabel('Price ($)')).toHaveValue('12.99');
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
  await expect(page.getByRole('row')).toHaveCount(testBooks.length);

  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(undoButton(page)).toHaveCount(0);
  await expect(deleteButton(page, testBooks[1].title)).toBeFocused();
  // Another owner deletes it first.
  await store.remove(testBooks[1].title);
  await deleteButton(page, testBooks[1].title).click();
  await expect(rowOf(page, testBooks[1].title)).toHaveCount(0);

  await page.getByRole('link', { name: 'Colophon' }).click();
  await expect(titles(page)).toHaveText(testBooks.slice(2).map(({ title }) => title));
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(rowOf(page, janeEyre.title)).toBeVisible();

  // The session ends on the admin screen.
  await page.getByRole('link', { name: 'Admin' }).click();
  await deleteButton(page, frankenstein.title).waitFor();
  await page.context().clearCookies();
  await deleteButton(page, frankenstein.title).click();
  await expect(page).toHaveURL('/login');
  await signIn(page);
  await expect(page).toHaveURL('/admin');
  await expect(rowOf(page, frankenstein.title)).toBeVisible();
});

test('Undo restores a deleted book at its old position, and fetches no list', async ({ page }) => {
  const { title } = frankenstein;
  await openSignedIn(page, '/admin');
  await deleteButton(page, title).click();
  await expect(rowOf(page, title)).toHaveCount(0);
  const lists = watchBookLists(page);
  await undoButton(page).click();
  await expect(row(page, 3)).toContainText(title);
  await expect(deleteButton(page, title)).toBeFocused();
  await expect(undoButton(page)).toHaveCount(0);
  expect(lists).toEqual([]);

  await deleteButton(page).click();
  await openView(page, 'Add Book');
  await expect(page.getByLabel('Book Name')).toBeVisible();
  await openView(page, 'Manage books');
  await expect(page.getByRole('row')).toHaveCount(testBooks.length);
  await undoButton(page).click();
  await expect(row(page, 1)).toContainText(janeEyre.title);

  await deleteButton(page).click();
  await openView(page, 'Add Book');
  await undoButton(page).click();
  await expect(undoButton(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'A new book' })).toBeFocused();
  await openView(page, 'Manage books');
  await expect(row(page, 1)).toContainText(janeEyre.title);

  await page.reload();
  await expect(row(page, 1)).toContainText(janeEyre.title);
  await expect(row(page, 3)).toContainText(title);
});

test('Undo restores a book into a search, and into a changed list', async ({ page, store }) => {
  const [, above, { title }] = testBooks;
  await openSignedIn(page, '/admin?q=jane');
  await deleteButton(page).click();
  await expect(page.getByText('No books match “jane”.')).toBeVisible();
  await undoButton(page).click();
  await expect(deleteButton(page)).toBeFocused();
  await searchField(page).fill('sult');
  await expect(rowOf(page, 'Sult')).toBeVisible();
  await searchField(page).press('Escape');
  await expect(row(page, 1)).toContainText(janeEyre.title);
  await expect(searchField(page)).toBeFocused();

  await deleteButton(page, title).click();
  await undoButton(page).waitFor();
  await store.remove(above.title);
  await searchField(page).fill('jane');
  await expect(page.getByText('1 book for jane', { exact: true })).toBeVisible();
  await searchField(page).press('Escape');
  await expect(page.getByRole('row')).toHaveCount(testBooks.length - 1);
  await undoButton(page).click();
  await expect(row(page, 2)).toContainText(title);
});

test('a search shows similar words or the best match, and never an earlier list', async ({ page, store }) => {
  await store.addBook({ title: 'Jane' });
  await store.addBook({ title: 'Jane Eyre, Illustrated' });
  await openSignedIn(page, '/admin?q=frankenstien');
  await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
  await page.getByRole('link', { name: 'Search for frankenstien as typed' }).click();
  await expect(page.getByText('No books match “frankenstien”.')).toBeVisible();
  await page.getByText('Did you mean frankenstein?').getByRole('link').click();
  await expect(rowOf(page, frankenstein.title)).toBeVisible();
  await searchField(page).fill('qwertz');
  await page.getByRole('button', { name: 'Show all books' }).click();
  const found = page.getByRole('row').locator('td:nth-child(2)');
  await expect(found).toHaveCount(testBooks.length + 2);

  await searchField(page).fill('jane');
  await searchField(page).press('Enter');
  await expect(page.getByText('3 books for jane', { exact: true })).toBeVisible();
  await expect(found.first()).toHaveText('Jane');
  await expect(found).toHaveCount(3);
  await expect(page.getByLabel('Sort by')).toHaveCount(0);
  await expect(page).toHaveURL('/admin?q=jane');
  await searchField(page).fill('sult');
  await expect(rowOf(page, 'Sult')).toBeVisible();
  await store.reprice(janeEyre.title, 777);
  await page.goBack();
  await expect(found).toHaveCount(3);
  await expect(page.getByRole('cell', { name: '$7.77' })).toBeVisible();
  await searchField(page).press('Escape');

  await expect(found).toHaveCount(testBooks.length + 2);
  await expect(page).toHaveURL('/admin');
});

test('a search that is under way during a deletion does not show the deleted book', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: isFetched, resolve: onFetched } = Promise.withResolvers<void>();
  await openSignedIn(page, '/admin');
  await deleteButton(page).waitFor();
  await page.route(
    '**/books?q=ja',
    async (route) => {
      const response = await route.fetch();
      onFetched();
      await released;
      await route.fulfill({ response }).catch(() => {});
    },
    { times: 1 },
  );
  await searchField(page).fill('ja');
  await isFetched;

  await deleteButton(page).click();
  await undoButton(page).waitFor();
  release();

  await expect(page.getByText('1 book for ja', { exact: true })).toBeVisible();
  await expect(rowOf(page, 'Ulysses')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
});

/** Starts an upload of the signed-in customer, which lasts until the caller destroys it. */
function startUpload(cookie: string, origin: string): ClientRequest {
  const upload = request(`${origin}${paths.upload}`, {
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 1_000_000,
      expect: '100-continue',
    },
  });
  upload.on('error', () => {}).flushHeaders();
  return upload;
}

test('an image that finds no room is uploaded later', async ({ page, store, provokes }, testInfo) => {
  provokes(/503 .*\/1\/upload/);
  await openSignedIn(page, '/admin');
  await openView(page, 'Add Book');
  const cookie = await cookieHeader(page, store.origin);
  let uploads: ClientRequest[] = [];
  // Filled when the page has sent its request: the store gives up silent uploads after five seconds.
  await page.route(
    '**/1/upload',
    async (route) => {
      uploads = Array.from({ length: 7 }, () => startUpload(cookie, store.origin));
      // Two are under way and four wait for their turn, when the seventh is refused.
      await Promise.race(uploads.map((upload) => once(upload, 'response')));
      await route.continue();
    },
    { times: 1 },
  );
  const refusal = page.waitForResponse('**/1/upload');
  // Large: the store refuses it while the browser is still sending.
  const file = testInfo.outputPath('cover.png');
  await writeFile(file, Buffer.concat([await coverPng(), Buffer.alloc(8_000_000)]));
  await page.getByLabel('Image').setInputFiles(file);

  expect((await refusal).status()).toBe(503);
  await expect(page.getByText('Uploading...')).toBeVisible();
  for (const upload of uploads) upload.destroy();

  await expect(addButton(page)).toBeEnabled();
});

test('a failed upload is only logged, and another image works', async ({ page, provokes }) => {
  provokes(/400 .*\/1\/upload/);
  await openSignedIn(page, '/admin');
  await openView(page, 'Add Book');
  await fillInBook(page);
  const textBefore = await page.getByRole('main').textContent();
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
  await page
    .getByLabel('Image')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });

  expect((await warning).text()).toContain('The image was not uploaded.');
  await expect.poll(() => page.getByRole('main').textContent()).toBe(textBefore);
  await expect(addButton(page)).toBeDisabled();
  await pickCover(page);
  await addAndConfirm(page);
});
