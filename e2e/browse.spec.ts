/** The shelf: its order, its subjects and prices, and the way back to a place in it. */

import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { watchBookLists } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { addVolumes, frankenstein, testBooks } from './test-books.ts';
import { checkoutButton, heading, scrollY, searchField, titles } from './visitor.ts';

const sortOrder = (page: Page) => page.getByLabel('Sort by');
const chip = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('home fetches the books once and shows each with a cover', async ({ page, store, provokes }) => {
  provokes(/images\.invalid|ERR_NAME_NOT_RESOLVED/);
  await store.addBook({ title: 'Nowhere to Be Seen', image: 'https://images.invalid/none.webp' });
  const calls = watchBookLists(page);
  await page.goto('/');

  await expect(titles(page)).toHaveText(['Nowhere to Be Seen', ...testBooks.map(({ title }) => title)]);
  for (const { title } of testBooks)
    await expect(page.getByAltText(`Cover of ${title}`)).not.toHaveJSProperty('naturalWidth', 0);
  const drawn = page.locator('[data-cover]').first();
  await expect(drawn.locator('img')).toHaveCount(0);
  await expect(drawn.locator('b')).toHaveAttribute('data-text', 'Nowhere to Be Seen');
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual(['/books']);

  await test.step('an empty shelf says so, and is not fetched again', async () => {
    await store.db.deleteFrom('books').execute();
    calls.length = 0;
    await page.goto('/');
    await expect(page.getByText('The shelf is still empty.')).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(calls).toEqual(['/books']);
  });
});

test('an order, a subject and a price are in the address, and Back takes one away', async ({
  page,
  store,
}) => {
  const byPrice = testBooks.toSorted((one, other) => one.priceCents - other.priceCents);
  await page.goto('/');
  await test.step('the shelf has the newest first, or another order', async () => {
    await expect(sortOrder(page)).toHaveValue('newest');
    await sortOrder(page).selectOption('Price, lowest first');
    await expect(titles(page)).toHaveText(byPrice.map(({ title }) => title));
    await expect(page).toHaveURL('/?sort=price');
    await sortOrder(page).selectOption('Title, A to Z');
    await expect(titles(page).first()).toHaveText(frankenstein.title);
  });
  for (const title of ['The Voyage Out', 'The Waves']) await store.addBook({ title, keywords: 'Sea' });
  await test.step('a subject and a price', async () => {
    await page.goto('/?subject=sea');
    await expect(titles(page)).toHaveText(['The Waves', 'The Voyage Out']);
    await expect(heading(page)).toHaveText('Sea');
    await expect(chip(page, 'Sea')).toHaveAttribute('aria-current', 'true');
    await expectAccessible(page, 'the books of a subject');
    await chip(page, 'Under $10').click();
    await expect(page).toHaveURL('/?subject=sea&maxPrice=9.99');
    await expect(page.getByText('No books match what you chose.')).toBeVisible();
    await chip(page, 'Sea').click();
    await expect(heading(page)).toHaveText('Under $10');
    await page.goBack();
    await page.goBack();
    await expect(titles(page)).toHaveText(['The Waves', 'The Voyage Out']);
    await chip(page, 'Sea').click();
    await expect(page).toHaveURL('/');
  });
});

test('Back from a book of a series returns to it, and the list of an author says how many books there are', async ({
  page,
  store,
}) => {
  const ofSeries = { author: 'Ada Byron', series: 'The Sea' };
  for (const seriesNumber of ['2', '1'])
    await store.addBook({ ...ofSeries, title: `Sea ${seriesNumber}`, seriesNumber });
  await page.goto('/series/the-sea');
  const link = page.getByRole('link', { name: 'Sea 2', exact: true });
  await link.click();
  await expect(heading(page)).toHaveText('Sea 2');
  await page.goBack();
  await expect(link).toBeFocused();
  await page.goto('/authors/ada-byron');
  await expect(page.getByText('2 books', { exact: true })).toBeVisible();
});

test('Back returns to the scroll position and to what had the focus', async ({ page, store }) => {
  await addVolumes(store.db, 40);
  const shelf = page.getByRole('heading', { name: `On the shelf, ${40 + testBooks.length} books` });
  await openSignedIn(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(shelf).toBeVisible();
  await page.evaluate('window.scrollTo(0, 1500)');
  await test.step('a search from the middle of the shelf shows the first book that it finds', async () => {
    await page.keyboard.press('/');
    await expect(searchField(page)).toBeFocused();
    expect(await scrollY(page)).toBe(1500);
    await page.keyboard.type('volume');
    await page.keyboard.press('Enter');
    await expect(page.getByText('40 books', { exact: true })).toBeInViewport();
    await expect(titles(page).first()).toBeInViewport();
  });
  const link = page.getByRole('link', { name: 'BUY NOW: Volume 0025' });
  await link.focus();
  const place = await scrollY(page);
  expect(place).toBeGreaterThan(500);
  await test.step('from the checkout to the card, and to the middle of the shelf', async () => {
    await page.keyboard.press('Enter');
    await expect(checkoutButton(page)).toBeVisible();
    await page.goBack();
    await expect(link).toBeFocused();
    // Scroll positions are whole pixels, row heights are not.
    await expect.poll(async () => Math.abs((await scrollY(page)) - place)).toBeLessThan(2);
    await page.goBack();
    await expect(shelf).toBeAttached();
    await expect(searchField(page)).toBeFocused();
    await expect.poll(() => scrollY(page)).toBe(1500);
  });
});
