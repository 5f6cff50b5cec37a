import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { addTestBooks, addVolumes } from './test-books.ts';

const volumes = 450;

test.use({
  storeOptions: {
    stock: async (db) => {
      await addTestBooks(db);
      await db.deleteFrom('books').execute();
      await addVolumes(db, volumes);
    },
  },
});

test('a shelf of more than 200 books fills as it is scrolled, each book once', async ({ page }) => {
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
  await expect(cards).toHaveCount(volumes);

  const titles = await page.getByRole('article').getByRole('heading').allTextContents();
  expect(new Set(titles).size).toBe(volumes);
  expect(titles.at(-1)).toBe('Volume 0001');
  expect(calls).toHaveLength(3);
});

test('Back from a checkout shows the list as it was left, at the same place', async ({ page }) => {
  await signInAndOpen(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(200);
  await cards.last().scrollIntoViewIfNeeded();
  await expect(cards).toHaveCount(400);
  await cards.nth(300).scrollIntoViewIfNeeded();
  const place = await page.evaluate<number>('window.scrollY');
  expect(place).toBeGreaterThan(5000);
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
  expect(Math.abs((await page.evaluate<number>('window.scrollY')) - place)).toBeLessThan(2);
  await expect(cards).toHaveCount(400);
  expect(calls).toEqual([]);
});

test('the admin list goes on where it is scrolled to, numbered through', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(200);

  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(400);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(volumes);

  await expect(rows.last().getByRole('cell').first()).toHaveText(String(volumes));
});

test('a reload shows the shelf at the same place', async ({ page }) => {
  await page.goto('/');
  const card = page.getByRole('article').nth(100);
  await card.scrollIntoViewIfNeeded();
  const place = await page.evaluate<number>('window.scrollY');
  expect(place).toBeGreaterThan(2000);

  await page.reload();

  await expect(card).toBeInViewport();
  await expect.poll(() => page.evaluate<number>('window.scrollY')).toBe(place);
});
