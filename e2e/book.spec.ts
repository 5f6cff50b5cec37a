/** The public page of a book, and what only it and the checkout show. */

import { screens } from '../contract/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, heading, tabTo } from './visitor.ts';

const description = 'A clean copy, in its wrapper.\n\nThe name of an earlier owner is on the flyleaf.';

/** @returns the address of its page. */
const addEmma = async (store: Store, copies: number | null = null): Promise<string> =>
  screens.book((await store.addBook({ title: 'Emma', isbn: '9780141439587', description, copies })).id);

test('a visitor comes to a book by its link, buys it with the keyboard, and comes back', async ({
  page,
  store,
}) => {
  const address = await addEmma(store);
  const response = await page.goto(address);
  expect(response?.status()).toBe(200);

  await expect(heading(page)).toHaveText('Emma');
  await expect(page).toHaveTitle('Emma by A. Writer – Colophon');
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', store.origin + address);
  const shown = page.getByRole('article');
  await expect(shown).toContainText('$12.99');
  await expect(shown).toContainText('ISBN 978-0-14-143958-7');
  await expect(shown).toContainText(description, { useInnerText: true });
  await expectAccessible(page);

  await tabTo(page.getByRole('link', { name: 'BUY NOW' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await page.goBack();
  await expect(page.getByRole('link', { name: 'BUY NOW' })).toBeFocused();

  await openSignedIn(page, address.replace('/books/', '/checkout/'));
  await checkoutButton(page).waitFor();
  await expect(page.getByRole('main')).toContainText(description, { useInnerText: true });
  await expectAccessible(page);
});

test('a book that is not for sale has a page that says so', async ({ page, store, provokes }) => {
  provokes(/404 .*\/books\//);
  provokes(/404 .*\/book\//);
  const address = await addEmma(store);
  await store.remove('Emma');
  for (const missing of [address, '/books/no-such-book']) {
    const response = await page.goto(missing);
    expect(response?.status()).toBe(404);
    await expect(heading(page)).toHaveText('This book is not for sale');
  }
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page).toHaveURL('/');
});

test('a book whose last copies are for sale says how many, and then that it is sold out', async ({
  page,
  store,
}) => {
  const address = await addEmma(store, 3);
  const edit = async (copies: number) => {
    const headers = { 'if-match': '*' };
    const path = address.replace('/books/', '/book/');
    expect((await page.request.patch(path, { data: { copies }, headers })).status()).toBe(200);
    await page.goto(address);
  };
  await openSignedIn(page, '/orders');
  await page.goto(address);
  await expect(page.getByText('3 left')).toBeVisible();
  await edit(1);
  await expect(page.getByText('Last copy')).toBeVisible();
  await edit(0);
  await expect(page.getByText('Sold out')).toBeVisible();
  await expect(page.getByRole('link', { name: 'BUY NOW' })).toHaveCount(0);
  await expectAccessible(page);
  await edit(4);
  await expect(page.getByRole('link', { name: 'BUY NOW' })).toBeVisible();
  await expect(page.getByText(/left$|Last copy|Sold out/)).toHaveCount(0);
});

test('a book whose fetch fails can be fetched again', async ({ page, store, provokes }) => {
  provokes(/400 .*\/book\//);
  const [book] = await store.booksNamed(janeEyre.title);
  await page.route('**/book/*', (route) => route.fulfill({ status: 400 }));
  await page.goto(screens.book(book?.id ?? ''));
  await page.getByText('The book could not be fetched.').waitFor();
  await expectAccessible(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page)).toHaveText(janeEyre.title);
});
