import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { addTestBooks, addVolumes } from './test-books.ts';

const bookCount = 450;

test.use({
  storeOptions: {
    stock: async (db) => {
      await addTestBooks(db);
      await db.deleteFrom('books').execute();
      await addVolumes(db, bookCount);
    },
  },
});

test('a shelf of more than 200 books loads more while it is scrolled, each book once', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/books') calls.push(request.url());
  });
  await page.goto('/');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(200);
  await page.waitForLoadState('networkidle');
  expect(calls).toHaveLength(1);

  await cards.last().scrollIntoViewIfNeeded();
  await expect(cards).toHaveCount(400);
  await cards.last().scrollIntoViewIfNeeded();
  await expect(cards).toHaveCount(bookCount);

  const titles = await page.getByRole('article').getByRole('heading').allTextContents();
  expect(new Set(titles).size).toBe(bookCount);
  expect(titles.at(-1)).toBe('Volume 0001');
  expect(calls).toHaveLength(3);
});

test('Back from a checkout shows the same list at the same scroll position', async ({ page }) => {
  await signInAndOpen(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(200);
  await cards.last().scrollIntoViewIfNeeded();
  await expect(cards).toHaveCount(400);
  await cards.nth(300).scrollIntoViewIfNeeded();
  const scrollPosition = await page.evaluate<number>('window.scrollY');
  expect(scrollPosition).toBeGreaterThan(5000);
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/books') calls.push(request.url());
  });

  await cards
    .nth(300)
    .getByRole('link', { name: /^BUY NOW/ })
    .click();
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();
  await page.goBack();

  await expect(cards.nth(300)).toBeInViewport();
  expect(Math.abs((await page.evaluate<number>('window.scrollY')) - scrollPosition)).toBeLessThan(2);
  await expect(cards).toHaveCount(400);
  expect(calls).toEqual([]);
});

test('a search with more pages shows that there are more books', async ({ page }) => {
  await page.goto('/?q=writer');
  await expect(page.getByText('More than 200 books for writer', { exact: true })).toBeVisible();
  const cards = page.getByRole('article');
  await cards.last().scrollIntoViewIfNeeded();
  await expect(page.getByText('More than 400 books for writer', { exact: true })).toBeAttached();

  await cards.last().scrollIntoViewIfNeeded();

  await expect(page.getByText(`${bookCount} books for writer`, { exact: true })).toBeAttached();
});

test('the admin list loads more while it is scrolled, and its numbers continue', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(200);

  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(400);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(bookCount);

  await expect(rows.last().getByRole('cell').first()).toHaveText(String(bookCount));
});

test('a reload keeps the scroll position of the shelf', async ({ page }) => {
  await page.goto('/');
  const card = page.getByRole('article').nth(100);
  await card.scrollIntoViewIfNeeded();
  const scrollPosition = await page.evaluate<number>('window.scrollY');
  expect(scrollPosition).toBeGreaterThan(2000);

  await page.reload();

  await expect(card).toBeInViewport();
  await expect.poll(() => page.evaluate<number>('window.scrollY')).toBe(scrollPosition);
});
