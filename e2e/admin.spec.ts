import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { Dialog, Page } from '@playwright/test';
import { paths } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { cookieHeader, signIn, signInAndOpen } from './sign-in.ts';
import { coverPng, frankenstein, janeEyre, testBooks } from './test-books.ts';

const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const addButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Add Book' });
const openAddBook = (page: Page) =>
  page.getByRole('navigation').getByRole('button', { name: 'Add Book' }).click();

const pickCover = async (page: Page, name = 'cover.png') =>
  page.getByLabel('Image').setInputFiles({ name, mimeType: 'image/png', buffer: await coverPng('#7a1f2b') });

/** Starts an upload of the signed-in customer, which lasts until the caller destroys it. */
async function startUpload(page: Page, origin: string): Promise<ClientRequest> {
  const upload = request(`${origin}${paths.upload}`, {
    method: 'POST',
    headers: {
      cookie: await cookieHeader(page, origin),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 1_000_000,
      expect: '100-continue',
    },
  });
  upload.on('error', () => {}).flushHeaders();
  return upload;
}

type BookTexts = { title: string; price: string; author: string };

async function fillInBook(page: Page, { title, price, author }: BookTexts): Promise<void> {
  await page.getByLabel('Book Name').fill(title);
  await page.getByLabel('Book Price').fill(price);
  await page.getByLabel('Author Name').fill(author);
}

/** Presses Add Book and closes the alert. @returns the alert's message. */
async function addAndConfirm(page: Page): Promise<string> {
  const alertMessage = page.waitForEvent('dialog').then(async (dialog: Dialog) => {
    await dialog.accept();
    return dialog.message();
  });
  await addButton(page).click();
  return await alertMessage;
}

test('a new book is first on the shelf, shows its image and can be bought', async ({ page, store }) => {
  await signInAndOpen(page, '/admin');
  await openAddBook(page);
  await fillInBook(page, { title: 'The Lifted Veil', price: '12.50', author: 'George Eliot' });
  await pickCover(page);
  await addAndConfirm(page);

  await page.getByRole('link', { name: 'Colophon' }).click();
  const card = page.getByRole('article').first();
  await expect(card.getByRole('heading')).toHaveText('The Lifted Veil');
  await expect(card).toContainText('$12.50');
  await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);

  await card.getByRole('link', { name: /^BUY NOW/ }).click();
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page).toHaveURL('/orders');
  expect(await store.orders()).toMatchObject([{ title: 'The Lifted Veil', priceCents: 1250 }]);
});

test('a deleted book disappears from the list and the shelf, and stays in the orders', async ({
  page,
  store,
}) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  await page.getByRole('button', { name: 'Checkout' }).click();
  await page.getByRole('link', { name: 'Admin' }).click();
  await rowOf(page, janeEyre.title)
    .getByRole('button', { name: /^Delete/ })
    .click();

  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
  await expect(page.getByRole('row')).toHaveCount(testBooks.length);
  await page.getByRole('link', { name: 'Colophon' }).click();
  await expect(page.getByRole('article')).toHaveCount(testBooks.length - 1);
  await expect(page.getByRole('article').filter({ hasText: janeEyre.title })).toHaveCount(0);
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
});

test('Undo restores a deleted book at its old position, and fetches no list again', async ({ page }) => {
  const { title } = testBooks[2];
  await signInAndOpen(page, '/admin');
  await rowOf(page, title)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(rowOf(page, title)).toHaveCount(0);
  const lists: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/books') lists.push(request.url());
  });

  await page.getByRole('button', { name: 'Undo' }).click();

  await expect(page.getByRole('row').nth(3)).toContainText(title);
  expect(lists).toEqual([]);
  await expect(page.getByRole('button', { name: `Delete: ${title}` })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('row').nth(3)).toContainText(title);
});

test('Undo restores the first book of the list at the top, after the view has changed too', async ({
  page,
}) => {
  await signInAndOpen(page, '/admin');
  const view = (name: string) => page.getByRole('navigation').getByRole('button', { name });
  const deleteFirst = () => page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await deleteFirst();
  await undo.click();
  await expect(page.getByRole('row').nth(1)).toContainText(janeEyre.title);

  await deleteFirst();
  await view('Add Book').click();
  await expect(page.getByLabel('Book Name')).toBeVisible();
  await view('Manage books').click();
  await expect(page.getByRole('row')).toHaveCount(testBooks.length);
  await undo.click();
  await expect(page.getByRole('row').nth(1)).toContainText(janeEyre.title);

  await deleteFirst();
  await view('Add Book').click();
  await undo.click();
  await expect(undo).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'A new book' })).toBeFocused();
  await view('Manage books').click();
  await expect(page.getByRole('row').nth(1)).toContainText(janeEyre.title);
});

test('Undo restores a book when another admin has deleted the one above it meanwhile', async ({
  page,
  store,
}) => {
  const [, above, { title }] = testBooks;
  await signInAndOpen(page, '/admin');
  await page.getByRole('button', { name: `Delete: ${title}` }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await store.remove(above.title);
  await page.getByLabel('Search').fill('jane');
  await expect(page.getByText('1 book for jane', { exact: true })).toBeVisible();
  await page.getByLabel('Search').press('Escape');
  await expect(page.getByRole('row')).toHaveCount(testBooks.length - 1);

  await page.getByRole('button', { name: 'Undo' }).click();

  await expect(page.getByRole('row').nth(2)).toContainText(title);
});

test('a pointer dismisses Undo', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();

  await page.getByRole('button', { name: 'Dismiss' }).click();

  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Delete: ${testBooks[1].title}` })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(testBooks.length);
});

test('a search shows the books that match, best match first, and Escape shows all of them', async ({
  page,
  store,
}) => {
  await store.addBook({ title: 'Jane' });
  await store.addBook({ title: 'Jane Eyre, Illustrated' });
  await signInAndOpen(page, '/admin');
  const titles = page.getByRole('row').locator('td:nth-child(2)');
  await page.getByLabel('Search').fill('jane');

  await expect(page.getByText('3 books for jane', { exact: true })).toBeVisible();
  await expect(titles.first()).toHaveText('Jane');
  await expect(titles).toHaveCount(3);
  await expect(page.getByLabel('Sort by')).toHaveCount(0);
  await expect(page).toHaveURL('/admin?q=jane');
  await page.getByLabel('Search').press('Escape');

  await expect(titles).toHaveCount(testBooks.length + 2);
  await expect(page).toHaveURL('/admin');
});

test('a misspelt search shows what similar words find, and one that finds nothing a message', async ({
  page,
}) => {
  await signInAndOpen(page, '/admin?q=frankenstien');

  await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
  await page.getByRole('link', { name: 'Search for frankenstien as typed' }).click();
  await expect(page.getByText('Nothing in the catalogue matches “frankenstien”.')).toBeVisible();
  await page.getByText('Did you mean frankenstein?').getByRole('link').click();
  await expect(rowOf(page, frankenstein.title)).toBeVisible();
  await page.getByLabel('Search').fill('qwertz');
  await page.getByRole('button', { name: 'Show all books' }).click();
  await expect(page.getByRole('row')).toHaveCount(testBooks.length + 1);
});

test('the list of a search is never an earlier one', async ({ page, store }) => {
  await signInAndOpen(page, '/admin?q=jane');
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
  await page.getByLabel('Search').fill('sult');
  await expect(rowOf(page, 'Sult')).toBeVisible();
  await store.reprice(janeEyre.title, 777);

  await page.goBack();

  await expect(rowOf(page, janeEyre.title)).toContainText('$7.77');
});

test('Undo restores a book that was found by a search', async ({ page }) => {
  await signInAndOpen(page, '/admin?q=jane');
  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  await expect(page.getByText('Nothing in the catalogue matches “jane”.')).toBeVisible();

  await page.getByRole('button', { name: 'Undo' }).click();

  await expect(page.getByRole('button', { name: `Delete: ${janeEyre.title}` })).toBeFocused();
  await page.getByLabel('Search').fill('sult');
  await expect(rowOf(page, 'Sult')).toBeVisible();
  await page.getByLabel('Search').press('Escape');
  await expect(page.getByRole('row').nth(1)).toContainText(janeEyre.title);
  await expect(page.getByLabel('Search')).toBeFocused();
});

test('a search that is under way during a deletion still finds its books, without the deleted one', async ({
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await signInAndOpen(page, '/admin');
  await rowOf(page, janeEyre.title).waitFor();
  await page.route(
    '**/books?q=ja',
    async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response }).catch(() => {});
    },
    { times: 1 },
  );
  const requested = page.waitForRequest('**/books?q=ja');
  await page.getByLabel('Search').fill('ja');
  await requested;

  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  release();

  await expect(page.getByText('1 book for ja', { exact: true })).toBeVisible();
  await expect(rowOf(page, 'Ulysses')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
});

test('a book that was deleted elsewhere can be deleted again', async ({ page, store }) => {
  await signInAndOpen(page, '/admin');
  await rowOf(page, janeEyre.title).waitFor();
  await store.remove(janeEyre.title);

  await rowOf(page, janeEyre.title)
    .getByRole('button', { name: /^Delete/ })
    .click();

  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
});

test('a deletion that fails keeps the row, shows a message and can be repeated', async ({
  page,
  provokes,
}) => {
  provokes(/503 .*\/deleteBook\//);
  await signInAndOpen(page, '/admin');
  await page.route('**/deleteBook/*', (route) => route.fulfill({ status: 503 }));

  await rowOf(page, janeEyre.title)
    .getByRole('button', { name: /^Delete/ })
    .click();

  await expect(page.getByText('The book was not deleted.')).toBeVisible();
  await page.unroute('**/deleteBook/*');
  await rowOf(page, janeEyre.title)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
});

test('an image that the store has no room for is uploaded later, by itself', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/503 .*\/1\/upload/);
  await signInAndOpen(page, '/admin');
  await openAddBook(page);
  const starting = Array.from({ length: 7 }, () => startUpload(page, store.origin));
  const uploads = await Promise.all(starting);
  // Two are under way and four wait for their turn, when the seventh is refused.
  await Promise.race(uploads.map((upload) => once(upload, 'response')));
  const refusal = page.waitForResponse('**/1/upload');
  await page.getByLabel('Image').setInputFiles({
    name: 'cover.png',
    mimeType: 'image/png',
    // Large: the store refuses it while the browser is still sending.
    buffer: Buffer.concat([await coverPng('#7a1f2b'), Buffer.alloc(8_000_000)]),
  });

  expect((await refusal).status()).toBe(503);
  await expect(page.getByText('Uploading...')).toBeVisible();
  for (const upload of uploads) upload.destroy();

  await expect(addButton(page)).toBeEnabled();
});

test('a failed upload is only logged to the console, Add Book stays disabled, and another image works', async ({
  page,
  provokes,
}) => {
  provokes(/400 .*\/1\/upload/);
  await signInAndOpen(page, '/admin');
  await openAddBook(page);
  await fillInBook(page, { title: 'The Lifted Veil', price: '12.50', author: 'George Eliot' });
  const textBefore = await page.getByRole('main').textContent();
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
  await page
    .getByLabel('Image')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });

  expect((await warning).text()).toContain('The image was not uploaded.');
  expect(await page.getByRole('main').textContent()).toBe(textBefore);
  await expect(addButton(page)).toBeDisabled();

  await pickCover(page, 'another.png');
  await expect(addButton(page)).toBeEnabled();
  await addAndConfirm(page);
  await page.getByRole('navigation').getByRole('button', { name: 'Manage books' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('The Lifted Veil');
});

test('a rejected field shows its error, and every field keeps its text', async ({ page, provokes }) => {
  provokes(/400 .*\/addBook/);
  await signInAndOpen(page, '/admin');
  await openAddBook(page);
  await fillInBook(page, { title: 'The Lifted Veil', price: 'twelve', author: 'George Eliot' });
  await pickCover(page);
  await addButton(page).click();

  const price = page.getByLabel('Book Price');
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await expect(price).toHaveAccessibleDescription(/amount with at most two decimals/);
  await expect(price).toBeFocused();
  await expect(price).toHaveValue('twelve');
  await expect(page.getByLabel('Book Name')).toHaveValue('The Lifted Veil');
  await expect(page.getByLabel('Book Name')).not.toHaveAttribute('aria-invalid');

  await price.fill('12');
  expect(await addAndConfirm(page)).toBe('Successfully added');
  await expect(price).toHaveValue('');
});

test('a book without a name shows the error at Book Name', async ({ page, provokes }) => {
  provokes(/400 .*\/addBook/);
  await signInAndOpen(page, '/admin');
  await openAddBook(page);
  await fillInBook(page, { title: '', price: '1', author: 'George Eliot' });
  await pickCover(page);
  await addButton(page).click();

  await expect(page.getByLabel('Book Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Book Name')).toHaveAccessibleDescription(/\S/);
  await expect(page.getByLabel('Author Name')).toHaveValue('George Eliot');
});

test('a second book needs another image upload', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  await openAddBook(page);
  await fillInBook(page, { title: 'One', price: '1', author: 'A' });
  await pickCover(page);
  await addAndConfirm(page);
  await fillInBook(page, { title: 'Two', price: '2', author: 'B' });
  await expect(addButton(page)).toBeDisabled();

  await pickCover(page);
  await addAndConfirm(page);

  await page.getByRole('navigation').getByRole('button', { name: 'Manage books' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('Two');
  await expect(page.getByRole('row').nth(2)).toContainText('One');
});

test('a session that ends on the admin screen leads to the login and back', async ({ page, provokes }) => {
  provokes(/401 .*\/deleteBook\//);
  await signInAndOpen(page, '/admin');
  await rowOf(page, janeEyre.title).waitFor();
  await page.context().clearCookies();
  await rowOf(page, janeEyre.title)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page).toHaveURL('/login');

  await signIn(page);

  await expect(page).toHaveURL('/admin');
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
});
