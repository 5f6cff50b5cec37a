/** The specification's literals, and the calls of its section 7 as the browser makes them. */

import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { ada, openSignedIn, signIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import {
  addAndConfirm,
  addButton,
  checkoutButton,
  deleteButton,
  fillInBook,
  noOrders,
  openView,
  pickCover,
} from './visitor.ts';

/** The checkout day, such as `Sat Nov 21 2026`. */
const today = () => new Date().toDateString();

const cellsOf = (page: Page, row: number) => page.getByRole('row').nth(row).getByRole('cell');

test('each screen has its title, and all but home are protected', async ({ page, store }) => {
  const protectedScreens = [
    [await store.checkoutOf(janeEyre.title), 'Check Out'],
    ['/orders', 'Orders'],
    ['/admin', 'Admin'],
  ] as const;
  for (const [address] of protectedScreens) {
    await page.goto(address);
    await expect(page).toHaveURL('/login');
  }

  for (const [address, title] of [...protectedScreens, ['/', 'Home'], ['/home', 'Home']] as const) {
    await openSignedIn(page, address);
    await expect(page).toHaveTitle(title);
    await expect(page).toHaveURL(address);
  }
});

test('the navigation bar has the brand, four links and a button for the session', async ({ page }) => {
  await page.goto('/');
  const links = page.getByRole('banner').getByRole('link');
  const targets = { Colophon: '/', Home: '/', Orders: '/orders', Admin: '/admin', Checkout: '#' };
  await expect(links).toHaveText(Object.keys(targets));
  for (const [index, target] of Object.values(targets).entries()) {
    await expect(links.nth(index)).toHaveAttribute('href', target);
    await expect(links.nth(index)).toBeVisible();
  }
  const button = page.getByRole('banner').getByRole('button');
  await expect(button).toHaveText(['Login']);

  await button.click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('button')).toHaveText(['Continue with the demo provider']);
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await signIn(page);
  await expect(page).toHaveURL('/');
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(page.getByRole('banner').getByText(ada.name)).toBeVisible();
  await expect(button).toHaveText(['Log out']);
  // Orders that are still fetched would be refused after the sign-out.
  await expect(noOrders(page)).toBeVisible();

  await button.click();
  await expect(page).toHaveURL('/');
  await expect(button).toHaveText(['Login']);
});

const sizeOf = async (element: Locator) => {
  const box = await element.boundingBox();
  return { width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) };
};

test('a card shows the book, its price and BUY NOW, in its size', async ({ page, store }) => {
  await page.goto('/');
  const card = page.getByRole('article').filter({ hasText: janeEyre.title });

  await expect(card.getByText(janeEyre.title)).toBeVisible();
  await expect(card.getByText(janeEyre.author)).toBeVisible();
  const buy = card.getByRole('link', { name: /^BUY NOW/ });
  await expect(buy).toHaveText('BUY NOW');
  await expect(buy).toHaveAttribute('href', await store.checkoutOf(janeEyre.title));
  await expect(page.getByRole('article').getByText('$', { exact: false })).toHaveText([
    ...['$12.99', '$18.95', '$10.99', '$1,234.50', '$20.00', '$0.05'],
  ]);
  // Larger letters move what is below them, like after a key press.
  await page.keyboard.press('Shift');
  for (const rem of [16, 20]) {
    await page.evaluate(`document.documentElement.style.fontSize = '${rem}px'`);
    await expect.poll(async () => (await sizeOf(card)).width).toBe(16 * rem);
    expect((await sizeOf(card.locator('img'))).height).toBe(15 * rem);
  }
});

test('a centred spinner labelled Loading... is shown while the book list is empty', async ({ page }) => {
  const { requested, release } = await holdBack(page, '**/books');
  await page.goto('/');
  await requested;

  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const box = await page.getByText('Loading...', { exact: true }).boundingBox();
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 640)).toBeLessThan(10);

  release();
  await expect(page.getByText('Loading...')).toHaveCount(0);
});

test('the checkout and the orders have their tables, and make their calls', async ({ page, store }) => {
  const cells = [janeEyre.title, janeEyre.author, '1', '$12.99', today()];
  const checkout = await store.checkoutOf(janeEyre.title);
  const bookRequest = page.waitForRequest(`**${checkout.replace('/checkout/', '/book/')}`);
  await openSignedIn(page, checkout);
  expect((await bookRequest).method()).toBe('GET');
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['Book Name', 'Author name', 'Quantity', 'Price', 'Checkout time'],
  ]);
  await expect(cellsOf(page, 1)).toHaveText(cells);
  await expect(page.getByText('Log out', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveText(['Checkout']);

  const orderRequest = page.waitForRequest('**/addOrder');
  const ordersRequest = page.waitForRequest(`**/allOrder/${encodeURIComponent(ada.email)}`);
  await checkoutButton(page).click();

  expect((await orderRequest).method()).toBe('POST');
  expect((await orderRequest).postDataJSON()).toEqual({
    userName: ada.name,
    email: ada.email,
    photo: '',
    title: janeEyre.title,
    author: janeEyre.author,
    price: 12.99,
    time: today(),
    // The spec's body lacks this field.
    bookId: checkout.replace('/checkout/', ''),
  });
  expect((await ordersRequest).method()).toBe('GET');
  await expect(page).toHaveURL('/orders');
  await expect(page.getByRole('heading', { name: 'Ordered books list:', exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByText(ada.name)).toBeVisible();
  await expect(page.getByRole('main').getByText(ada.email)).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['Book Name', 'Author name', 'Quantity', 'Price ($)', 'Order placed time'],
  ]);
  await expect(cellsOf(page, 1)).toHaveText(cells);
});

test('the sidebar toggles Manage books, which deletes, and Add Book, which uploads, posts and clears its fields', async ({
  page,
  store,
}) => {
  const id = (await store.checkoutOf(janeEyre.title)).replace('/checkout/', '');
  const sidebar = page.getByRole('banner');
  const upload = await holdBack(page, '**/1/upload');
  await openSignedIn(page, '/admin');
  await expect(sidebar.getByRole('link')).toHaveText(['Colophon']);
  await expect(sidebar.getByRole('link')).toHaveAttribute('href', '/');
  await expect(sidebar.getByRole('button')).toHaveText(['Manage books', 'Add Book']);
  await expect(page.getByRole('columnheader')).toHaveText(['SI', 'Book Name', 'Author Name', 'Price ($)']);
  await expect(cellsOf(page, 1)).toHaveText(['1', janeEyre.title, janeEyre.author, '$12.99', 'Delete']);
  await expect(page.getByRole('main').getByRole('button')).toHaveText(testBooks.map(() => 'Delete'));
  await expect(page.getByText('Log out', { exact: true })).toHaveCount(0);
  const deleteRequest = page.waitForRequest('**/deleteBook/*');
  await deleteButton(page).click();
  expect((await deleteRequest).method()).toBe('DELETE');
  expect(new URL((await deleteRequest).url()).pathname).toBe(`/deleteBook/${id}`);
  await expect(deleteButton(page)).toHaveCount(0);

  await openView(page, 'Add Book');
  await expect(page.getByRole('table')).toHaveCount(0);
  await fillInBook(page);
  await expect(addButton(page)).toBeDisabled();
  const uploaded = page.waitForResponse('**/1/upload');
  await pickCover(page);
  await expect(page.getByText('Uploading...', { exact: true })).toBeVisible();
  await expect(addButton(page)).toBeDisabled();
  upload.release();
  const { data } = await (await uploaded).json();
  await expect(addButton(page)).toBeEnabled();
  await expect(page.getByText('Uploading...')).toHaveCount(0);
  const addRequest = page.waitForRequest('**/addBook');
  expect(await addAndConfirm(page)).toBe('Successfully added');
  expect((await addRequest).postDataJSON()).toMatchObject({
    title: 'The Lifted Veil',
    price: { value: '12.50' },
    author: 'George Eliot',
    image: data.display_url,
  });
  for (const field of ['Book Name', 'Book Price', 'Author Name', 'Image']) {
    await expect(page.getByLabel(field, { exact: true })).toHaveValue('');
  }
  await expect(addButton(page)).toBeDisabled();
  await openView(page, 'Manage books');
  await expect(page.getByLabel('Book Name')).toHaveCount(0);
});
