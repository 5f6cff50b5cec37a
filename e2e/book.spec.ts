/** The public page of a book, and what only it and the checkout show. */

import { hueOf } from '../contract/drawn-cover.ts';
import { screens } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { unpaint } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, heading, scrollY, tabTo, titles } from './visitor.ts';

/** The line of the owner on delivery and payment. */
const note = 'Sent from Lisbon within two working days & signed.';
test.use({ storeOptions: { env: { SHOP_NOTE: note } } });

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
  await expect(shown.getByText(note, { exact: true })).toBeVisible();

  await tabTo(page.getByRole('link', { name: 'BUY NOW' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await page.goBack();
  await expect(page.getByRole('link', { name: 'BUY NOW' })).toBeFocused();

  await openSignedIn(page, address.replace('/books/', '/checkout/'));
  await checkoutButton(page).waitFor();
  await expect(page.getByRole('main')).toContainText(description, { useInnerText: true });
  await expect(page.getByText(note, { exact: true })).toBeVisible();
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
  await edit(4);
  await expect(page.getByRole('link', { name: 'BUY NOW' })).toBeVisible();
  await expect(page.getByText(/left$|Last copy|Sold out/)).toHaveCount(0);
});

test('a book whose fetch fails can be fetched again', async ({ page, store, provokes }) => {
  provokes(/400 .*\/book\//);
  const [book] = await store.booksNamed(janeEyre.title);
  await unpaint(page);
  await page.route('**/book/*', (route) => route.fulfill({ status: 400 }));
  await page.goto(screens.book(book?.id ?? ''));
  await page.getByText('The book could not be fetched.').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page)).toHaveText(janeEyre.title);
});

test('a card’s title and cover lead to the page, which leads back to the search as the browser does', async ({
  page,
}) => {
  await page.goto('/?q=jane');
  const title = page.getByRole('article').getByRole('link', { name: janeEyre.title, exact: true });
  await title.click();
  await expect(page).toHaveURL(/\/books\//);
  await page.getByRole('link', { name: 'Back to “jane” (1 book)' }).click();
  await expect(page).toHaveURL('/?q=jane');
  await expect(title).toBeFocused();

  await page.getByRole('article').locator('[data-cover]').click();
  await expect(page).toHaveURL(/\/books\//);
  await expect(heading(page)).toHaveText(janeEyre.title);
  await page.reload();
  await page.getByRole('link', { name: 'Back to “jane”' }).click();
  await expect(page).toHaveURL('/?q=jane');
});

test('from the checkout, and from a book that is gone, the shelf comes back with its search and its place', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*\/book/);
  for (let book = 0; book < 20; book += 1) await store.addBook({ title: `Jane, volume ${book}` });
  await openSignedIn(page, '/orders');
  await page.goto('/?q=jane');
  const card = page.getByRole('article').last();
  const title = card.getByRole('heading').getByRole('link');
  const back = page.getByRole('link', { name: 'Back to the shelf' });
  await expect(page.getByRole('article')).toHaveCount(21);
  await card.scrollIntoViewIfNeeded();
  const before = await scrollY(page);
  expect(before).toBeGreaterThan(0);

  await title.click();
  await page.getByRole('link', { name: 'BUY NOW' }).click();
  await expect(page.getByRole('heading', { name: 'Check Out' })).toBeVisible();
  expect((await back.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await back.click();
  await expect(page).toHaveURL('/?q=jane');
  await expect(title).toBeFocused();
  expect(Math.abs((await scrollY(page)) - before)).toBeLessThan(2);

  await page.route('**/book/*', (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await card.getByRole('link', { name: /^BUY NOW/ }).click();
  await page.getByText('This book is no longer for sale.').waitFor();
  await back.click();
  await expect(page).toHaveURL('/?q=jane');
});

test('below are books of the author and others beside it, which lead on, and move nothing as they come', async ({
  page,
  store,
}) => {
  const address = await addEmma(store);
  await store.addBook({ title: 'Persuasion' });
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/books/*/beside', async (route) => {
    await hold;
    await route.continue();
  });
  await page.goto(address);
  await expect(page.getByText(description)).toBeVisible();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate(`new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted = (window.shifted ?? 0) + value;
  }).observe({ type: 'layout-shift' })`);
  release();

  const row = (name: string) => page.getByRole('region', { name }).getByRole('link');
  await expect(row('By the same author')).toHaveCount(1);
  await expect(row('Beside it on the shelf')).toHaveCount(6);
  await expect(page.getByRole('region').locator('img').first()).toBeVisible();
  expect(await page.evaluate('window.shifted ?? 0')).toBe(0);
  await row('By the same author').click();
  await expect(heading(page)).toHaveText('Persuasion');
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page).toHaveURL('/');
});

test('a visitor copies the address of a book, or sees it where the browser copies nothing', async ({
  page,
  context,
  store,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const address = await addEmma(store);
  await page.goto(`${address}?utm_source=mail`);
  const copy = page.getByRole('button', { name: 'Copy link' });
  await copy.click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(store.origin + address);

  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))`);
  await copy.click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText(store.origin + address);
});

test('the author and the subjects lead to the books of each, and the cover stands on a tint of its colour', async ({
  page,
  store,
}) => {
  const book = {
    title: 'Emma',
    author: 'Jane Austen, A. Editor, Jr.',
    keywords: 'England, Comedy & manners',
  };
  const { id } = await store.addBook(book);
  await page.goto(screens.book(id));

  const hrefOf = async (name: string) => {
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
    return [...new URL(href ?? '', store.origin).searchParams].join();
  };
  expect(await hrefOf('Jane Austen')).toBe('q,Jane Austen');
  expect(await hrefOf('A. Editor, Jr.')).toBe('q,A. Editor, Jr.');
  expect(await hrefOf('Comedy & manners')).toBe('subject,Comedy & manners');
  const colour = hueOf((await (await page.request.get(`/book/${id}`)).json()).coverColour);
  await expect(page.getByRole('article').locator('svg').first()).toHaveAttribute('color', colour);
});

test('a subject leads to its books alone, and Back from one of them to the subject', async ({
  page,
  store,
}) => {
  const { id } = await store.addBook({ title: 'Emma', keywords: 'Regency' });
  await store.addBook({ title: 'The Regency', keywords: 'History' });
  await page.goto(screens.book(id));

  await page.getByRole('link', { name: 'Regency', exact: true }).click();

  await expect(page).toHaveURL('/?subject=Regency');
  await expect(titles(page)).toHaveText(['Emma']);
  await expect(page.getByRole('link', { name: 'Regency', exact: true })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await page.getByRole('article').getByRole('link', { name: 'Emma', exact: true }).click();
  await page.getByRole('link', { name: 'Back to “Regency” (1 book)' }).click();
  await expect(page).toHaveURL('/?subject=Regency');
  await page.goBack();
  await expect(heading(page)).toHaveText('Emma');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('price and button are in a bar at the bottom, which covers nothing at the end of the page', async ({
    page,
    store,
  }) => {
    await page.goto(await addEmma(store, 2));
    const button = page.getByRole('link', { name: 'BUY NOW' });
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('2 left')).toBeInViewport({ ratio: 1 });
    await page.getByRole('region', { name: 'Beside it on the shelf' }).waitFor();
    const last = page.getByRole('link', { name: 'Withdraw from contract' });
    await last.scrollIntoViewIfNeeded();
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await expect(async () => {
      const [lastBox, bar] = [await last.boundingBox(), await button.locator('..').boundingBox()];
      expect((lastBox?.y ?? 0) + (lastBox?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }).toPass();
    await last.click();
    await expect(page).toHaveURL('/withdrawal');
  });
});

test('the sign between a title and its subtitle is heard, and not seen', async ({ page, store }) => {
  const { id } = await store.addBook({ title: 'Cinderella: Dispatches' });
  await page.goto(screens.book(id));
  await expect(heading(page)).toHaveAccessibleName('Cinderella: Dispatches');
  await expect(heading(page).getByText(':', { exact: true })).toHaveCSS('font-size', '0px');
});
