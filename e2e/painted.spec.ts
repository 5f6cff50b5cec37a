/** Pages as the server has painted them, before their script is there and when it takes them over. */

import type { Page } from '@playwright/test';
import { screens } from '../contract/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack, watchBookLists, watchRequests } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { heading, searchField, searchFor, titles } from './visitor.ts';

/** Opens a page whose scripts wait for `release`, so that it stays as the server has painted it. */
async function openPainted(page: Page, address: string) {
  await page.unrouteAll();
  const { release } = await holdBack(page, '**/assets/*.js');
  await page.goto(address, { waitUntil: 'commit' });
  return release;
}

test('home is painted before its script, which takes it over as it is', async ({ page }) => {
  const calls = watchBookLists(page);
  await openSignedIn(page, '/orders');
  const release = await openPainted(page, '/');

  await expect(page.getByRole('link', { name: 'Orders' })).toBeVisible();
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').locator('[data-cover] img').first()).toBeVisible();
  // Every visitor gets the same page.
  await expect(page.getByRole('button', { name: /Log/ })).toHaveCount(0);
  // The mark shows whether the element stays.
  await heading(page).evaluate((element) => element.setAttribute('data-mark', ''));

  release();

  await expect(titles(page)).toHaveCount(testBooks.length);
  await expect(heading(page)).toHaveAttribute('data-mark', '');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  expect(calls).toEqual(['/books']);
});

test('the pages of a series, of an author and of a search are painted with their books, which the script takes over', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404/);
  const [series, author] = ['Winters', 'Ada One'];
  for (const seriesNumber of ['2', '10', '1'])
    await store.addBook({ title: `Winter ${seriesNumber}`, author, series, seriesNumber });
  const calls = watchBookLists(page);
  for (const [address, name, title, order] of [
    [screens.series('winters'), series, `${series} – Colophon`, [1, 2, 10]],
    // No search of the address narrows or sorts such a list.
    [`${screens.author('ada-one')}?q=frost&sort=title`, author, `${author} – Colophon`, [1, 10, 2]],
    ['/?q=winter&sort=newest&utm=1', '“winter”', 'Home', [1, 10, 2]],
  ] as const) {
    const release = await openPainted(page, address);
    await expect(titles(page)).toHaveText(order.map((number) => `Winter ${number}`));
    await heading(page).evaluate((element) => element.setAttribute('data-mark', ''));

    release();

    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    await expect(heading(page)).toHaveAttribute('data-mark', '');
    await expect(heading(page)).toHaveText(name);
    await expect(page).toHaveTitle(title);
    await expectAccessible(page, `the list of ${name}`);
  }
  const description = 'The only one.';
  await store.addBook({ title: 'Alone', author: 'Uma Sola', description });
  for (const address of [screens.author('uma-sola'), '/?q=alone']) {
    const release = await openPainted(page, address);
    await expect(page.getByText(description)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Beside it on the shelf' })).toBeVisible();
    release();
  }
  expect(calls).toEqual([]);
  expect((await page.goto('/authors/nobody'))?.status()).toBe(404);
  await expect(heading(page)).toHaveText('We can’t find that page');
});

test('a page for customers asks for the session before its script is there, once, and says that it loads', async ({
  page,
}) => {
  await openSignedIn(page, '/orders');
  const calls = watchRequests(page, (path) => path === '/auth/session');
  for (const [path, title] of [
    ['/orders', 'Ordered books list:'],
    ['/desk/orders', 'Orders'],
  ] as const) {
    calls.length = 0;
    const session = page.waitForResponse('**/auth/session');
    const release = await openPainted(page, path);
    await session;
    await expect(page.getByRole('status')).toHaveText('Loading...');

    release();

    await expect(heading(page)).toHaveText(title);
    expect(calls).toHaveLength(1);
  }
});

test('what a visitor does before the script is there is done', async ({ page }) => {
  await test.step('words that were typed stay for Enter', async () => {
    const release = await openPainted(page, '/');
    await searchField(page).fill('jane');
    release();
    await titles(page).first().waitFor();
    await expect(searchField(page)).toHaveValue('jane');
    await searchField(page).press('Enter');
    await expect(titles(page)).toHaveText([janeEyre.title]);
    await expect(page).toHaveURL('/?q=jane');
  });

  await test.step('Enter searches, and the order that was chosen is that of the list', async () => {
    await openPainted(page, '/');
    await searchFor(page, 'jane');
    await expect(page).toHaveURL('/?q=jane');
    const release = await openPainted(page, '/?maxPrice=9.99');
    await page.getByLabel('Sort by').selectOption('Title, A to Z');
    release();
    await expect(page).toHaveURL('/?sort=title&maxPrice=9.99');
    await expect(titles(page)).not.toHaveCount(0);
    await expect(page.getByLabel('Sort by')).toHaveValue('title');
  });
});
