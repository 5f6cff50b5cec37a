/** The public page of a book, and what only it and the checkout show. */

import { hueOf } from '../contract/drawn-cover.ts';
import { screens } from '../contract/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { type Store, shop } from './store.ts';
import { changeBook } from './test-books.ts';
import { heading, titles } from './visitor.ts';

const description = 'A clean copy, in its wrapper.\n\nThe name of an earlier owner is on the flyleaf.';

/** @returns the address of the book's page. */
const addEmma = async (store: Store, copies: number | null = null): Promise<string> => {
  const book = {
    title: 'Emma',
    author: 'Jane Austen, A. Editor, Jr.',
    isbn: '9780141439587',
    keywords: 'Regency, Comedy & manners',
    ...{
      pages: 474,
      language: 'en-GB',
      published: '1815-12-23',
      publisher: 'John Murray',
      format: 'Hardback',
    },
  };
  return screens.book((await store.addBook({ ...book, description, copies })).id);
};

test('the page of a book has what the shop tells of it, and leads to its author, its subjects and other books', async ({
  page,
  store,
}) => {
  await store.addBook({ title: 'Persuasion', author: 'Jane Austen, A. Editor, Jr.' });
  const address = await addEmma(store);
  const beside = await holdBack(page, '**/books/*/beside');
  expect((await page.goto(`${address}?utm_source=mail`))?.status()).toBe(200);
  await expect(page).toHaveTitle('Emma by Jane Austen, A. Editor, Jr. – Colophon');
  const shown = page.getByRole('article');
  const facts = ['Pages 474', 'Language British English', 'Published 23 Dec 1815', 'Publisher John Murray'];
  for (const part of [
    '$12.99',
    'In stock.',
    shop.note,
    ...facts,
    'Format Hardback',
    'ISBN 978-0-14-143958-7',
  ])
    await expect(shown).toContainText(part);
  await expect(shown).toContainText(description, { useInnerText: true });
  const { coverColour } = await (await page.request.get(address.replace('books', 'book'))).json();
  await expect(shown.locator('svg').first()).toHaveAttribute('color', hueOf(coverColour));
  const hrefOf = async (name: string) => {
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
    return href && decodeURIComponent(href);
  };
  expect(await hrefOf('Jane Austen')).toBe('/authors/jane-austen');
  expect(await hrefOf('A. Editor, Jr.')).toBe('/authors/a-editor-jr');
  expect(await hrefOf('Comedy & manners')).toBe('/?subject=Comedy+&+manners');
  await beside.requested;
  beside.release();
  const row = (name: string) => page.getByRole('region', { name }).getByRole('link');
  await expect(row('By the same author')).toHaveCount(1);
  await expect(row('Beside it on the shelf')).toHaveCount(6);
  await expectAccessible(page, 'a book');

  await page.getByRole('link', { name: 'Regency', exact: true }).click();
  await expect(page).toHaveURL('/?subject=Regency');
  await expect(titles(page)).toHaveText(['Emma']);
  await page.getByRole('article').getByRole('link', { name: 'Emma', exact: true }).click();
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page).toHaveURL('/?subject=Regency');
});

test('a book says how many copies are left, that it is sold out, or not for sale', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*\/books?\//);
  const address = await addEmma(store, 3);
  await openSignedIn(page, '/orders');
  const edit = async (copies: number) => {
    const headers = { 'if-match': '*' };
    await page.request.patch(address.replace('/books/', '/book/'), { data: { copies }, headers });
    await page.goto(address);
  };
  for (const [copies, words] of [
    [3, '3 left'],
    [1, 'Last copy'],
    [0, 'Sold out'],
  ] as const) {
    await edit(copies);
    await expect(page.getByText(words)).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'BUY NOW' })).toHaveCount(0);
  // The author has no page without a book for sale.
  await expect(page.getByRole('link', { name: /Austen/ })).toHaveCount(0);
  await expectAccessible(page, 'a book that is sold out');
  await edit(4);
  await expect(page.getByRole('link', { name: 'BUY NOW' })).toBeVisible();
  await expect(page.getByText(/left$|Last copy|Sold out/)).toHaveCount(0);

  await store.remove('Emma');
  for (const missing of [address, '/books/no-such-book']) {
    expect((await page.goto(missing))?.status()).toBe(404);
    await expect(heading(page)).toHaveText('This book is not for sale');
  }
  await page.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(page).toHaveURL('/');
});

test('a book of a series has it on a line of its own, however the title names it', async ({
  page,
  store,
}) => {
  const [title, author] = ['Emma; or, The Matchmaker (Austen’s Novels, #4)', 'Jane Austen'];
  const { id } = await store.addBook({ title, author });
  await page.goto(screens.book(id));
  await expect(page).toHaveTitle(`${title} by ${author} – Colophon`);
  await expect(heading(page)).toHaveText('Emma; or, The Matchmaker');
  await expect(page.getByText('Austen’s Novels, book 4', { exact: true })).toBeVisible();

  await changeBook(store.db, id, { series: 'Novels of Austen', seriesNumber: '4' });
  await page.addInitScript(
    'navigator.share = (shared) => Promise.resolve(console.log(JSON.stringify(shared)))',
  );
  await page.goto(screens.book(id));
  const shared = page.waitForEvent('console');
  await page.getByRole('button', { name: 'Share' }).click();
  expect(JSON.parse((await shared).text())).toEqual({ title, url: screens.book(id) });
  await page.getByRole('link', { name: 'Novels of Austen, book 4' }).click();
  await expect(page).toHaveURL('/series/novels-of-austen');
  await expect(titles(page)).toHaveText(['Emma; or, The Matchmaker']);
  await expect(page.getByText(`Book 4 · ${author}`)).toBeVisible();
  for (const seriesNumber of ['10', '9', '12'])
    await store.addBook({ title: `Volume ${seriesNumber}`, author, series: 'Novels', seriesNumber });
  await page.goto(screens.book(id));
  await expect(page.getByRole('list', { name: 'By the same author' }).getByRole('link')).toHaveText([
    ...[/Volume 9/, /Volume 10/, /Volume 12/],
  ]);
});
