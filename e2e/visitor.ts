/** Places and actions of visitors and admins that many tests share. */

import type { Dialog, Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { coverPng, janeEyre } from './test-books.ts';

/** The titles of the books on the shelf. */
export const titles = (page: Page) =>
  page.getByRole('list', { name: 'Books' }).getByRole('heading', { level: 2 });
export const heading = (page: Page) => page.getByRole('heading', { level: 1 });
export const searchField = (page: Page) => page.getByLabel('Search');
/** Searches the shop, or the list of the screen. */
export const searchFor = async (page: Page, words: string): Promise<void> => {
  await searchField(page).fill(words);
  await searchField(page).press('Enter');
};
export const buyNow = (page: Page, { title }: { title: string } = janeEyre) =>
  page.getByRole('link', { name: `BUY NOW: ${title}` });
export const noOrders = (page: Page) => page.getByText('You have not bought a book here yet.');
export const checkoutButton = (page: Page) => page.getByRole('button', { name: 'Checkout' });
export const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
/** The field in a row of the desk's books. */
export const priceOf = (page: Page, title: string) => page.getByLabel(`Price of ${title}`);
/** A link from a row to the page of the order. */
export const orderLink = (page: Page, title: string) => rowOf(page, title).getByRole('link');
export const deleteButton = (page: Page, title: string = janeEyre.title) =>
  page.getByRole('button', { name: `Delete: ${title}` });
export const undoButton = (page: Page) => page.getByRole('button', { name: 'Undo' });
export const addButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Add Book' });

export const scrollY = (page: Page) => page.evaluate<number>('window.scrollY');

/** Buys a book as a signed-in customer, and sees the order. */
export async function buy(page: Page, store: Store, title: string): Promise<void> {
  await openSignedIn(page, await store.checkoutOf(title));
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
}

/** Opens a view of the admin screen. */
export const openView = (page: Page, name: 'Manage books' | 'Add Book') =>
  page.getByRole('navigation').getByRole('button', { name }).click();

export const pickCover = async (page: Page, label = 'Image') =>
  page
    .getByLabel(label)
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng('#7a1f2b') });

export const liftedVeil = { title: 'The Lifted Veil', price: '12.50', author: 'George Eliot' };

export async function fillInBook(page: Page, { title, price, author } = liftedVeil): Promise<void> {
  await page.getByLabel('Book Name').fill(title);
  await page.getByLabel('Book Price').fill(price);
  await page.getByLabel('Author Name').fill(author);
}

/** Presses Add Book and closes the alert. @returns the alert's message. */
export async function addAndConfirm(page: Page): Promise<string> {
  const message = page.waitForEvent('dialog').then(async (dialog: Dialog) => {
    await dialog.accept();
    expect(dialog.type()).toBe('alert');
    return dialog.message();
  });
  await addButton(page).click();
  return await message;
}

/** The most presses of Tab: more than any task of the tests needs. */
const maxPresses = 60;

/** Waits for an element, and presses Tab until it has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < maxPresses && (await focused.count()) === 0; presses += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}
