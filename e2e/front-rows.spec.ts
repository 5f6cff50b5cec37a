/** The front of a shop that has sales, and more books than a page of the list. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addTestBooks, addVolumes } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';

const linksOf = (page: Page, row: string) => page.getByRole('list', { name: row }).getByRole('link');

test.use({
  storeOptions: {
    stock: async (db) => {
      await addTestBooks(db);
      await db.deleteFrom('books').execute();
      await addVolumes(db, 430);
      const buyer = { name: 'Bea Buyer', email: 'bea@example.com' };
      const buyerId = await addBuyer(db, buyer);
      const query = db.selectFrom('books').select(['id', 'title', 'author', 'price_cents as priceCents']);
      const books = await query.orderBy('seq').limit(6).execute();
      const placedAt = new Date().toISOString();
      for (const [index, book] of books.entries())
        for (let sold = index; sold < 6; sold += 1) await addOrder(db, { buyerId, buyer, book, placedAt });
    },
  },
});

test('a shop with sales has a row of the most bought books', async ({ page }) => {
  await page.goto('/');

  const links = linksOf(page, 'Most bought this month');

  await expect(links).toHaveCount(6);
  await expect(links.first()).toHaveAccessibleName('Volume 0001, A. Writer');
  await expect(linksOf(page, 'New this week')).toHaveCount(12);
  await expect(page.getByRole('link', { name: /^All .* books$/ })).toHaveCount(1);
});

test('the new books lead to the shelf, which begins with them', async ({ page }) => {
  await page.goto('/');

  await page.getByRole('link', { name: 'All 430 books' }).click();

  await expect(page.getByRole('heading', { name: 'On the shelf, 430 books' })).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveURL('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Volume 0430', exact: true })).toBeFocused();
});

test('a shelf of more than 200 books ends with a button and the foot, and grows by itself once it was pressed', async ({
  page,
}) => {
  await page.goto('/');
  const more = page.getByRole('button', { name: 'Show more' });
  const items = page.getByRole('list', { name: 'Books' }).getByRole('listitem');
  await more.scrollIntoViewIfNeeded();
  await expect(page.getByText('A colophon is the note')).toBeVisible();
  await expect(items.last()).toHaveAttribute('aria-posinset', '200');

  await more.press('Enter');
  await expect(more).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'BUY NOW: Volume 0231' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Volume 0230', exact: true })).toBeFocused();

  await page.reload();
  const toEnd = () => page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
  await expect
    .poll(async () => {
      await toEnd();
      return await items.last().getAttribute('aria-posinset');
    })
    .toBe('430');
  await expect(page.getByText('A colophon is the note')).toBeAttached();
});
