import type { Page, Request } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { frankenstein, janeEyre, testBooks } from './test-books.ts';

const titles = (page: Page) => page.getByRole('list', { name: 'Books' }).getByRole('heading', { level: 2 });

/** @returns the paths and queries of the page's `GET /books` calls; later calls are added to it. */
const watchBookCalls = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/books') calls.push(pathname + search);
  });
  return calls;
};

test('home shows every book with its cover, newest first', async ({ page }) => {
  await page.goto('/');

  await expect(titles(page)).toHaveText(testBooks.map(({ title }) => title));
  for (const { title } of testBooks) {
    await expect(page.getByRole('img', { name: `Cover of ${title}` })).not.toHaveJSProperty(
      'naturalWidth',
      0,
    );
  }
});

test('home fetches the books exactly once', async ({ page }) => {
  const calls = watchBookCalls(page);

  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.waitForLoadState('networkidle');

  expect(calls).toEqual(['/books']);
});

test('a book whose image does not load has a placeholder cover with its title and author', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/images\.invalid|ERR_NAME_NOT_RESOLVED/);
  await store.addBook({ title: 'Nowhere to Be Seen', image: 'https://images.invalid/none.webp' });

  await page.goto('/');

  const placeholder = page.locator('div[role=img][aria-label="Cover of Nowhere to Be Seen"]');
  await expect(placeholder).toContainText('Nowhere to Be Seen');
  await expect(placeholder).toContainText('A. Writer');
});

test('a search matches words of title and author in any order, case and accents', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Search').fill('BRONTE jane');

  await expect(titles(page)).toHaveText([janeEyre.title]);
  await expect(page).toHaveURL('/?q=BRONTE+jane');
});

test('a search that finds nothing shows a message, and leads back to all books', async ({ page }) => {
  await page.goto('/?q=qwertz');
  await expect(page.getByText('Nothing on the shelf matches “qwertz”.')).toBeVisible();

  await page.getByRole('button', { name: 'Show all books' }).click();

  await expect(titles(page)).toHaveCount(testBooks.length);
  await expect(page.getByLabel('Search')).toHaveValue('');
});

test('a search whose first pages are empty goes on by itself, and shows what it finds', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const link = (limit: number) => ({ link: `</books?q=jane&limit=${limit}>; rel="next"` });
  await page.route('**/books?q=jane', (route) => route.fulfill({ json: [], headers: link(199) }));
  await page.route('**/books?q=jane&limit=199', (route) => route.fulfill({ json: [], headers: link(198) }));
  await page.route('**/books?q=jane&limit=198', async (route) => {
    await released;
    await route.continue();
  });
  const requested = page.waitForRequest('**/books?q=jane&limit=198');
  await page.goto('/?q=jane');

  await requested;
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('Nothing on the shelf matches')).toBeHidden();
  release();

  await expect(titles(page)).toHaveText([janeEyre.title]);
  await expect(page.getByText('1 book found', { exact: true })).toBeAttached();
});

test('a late response does not overwrite a newer search', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/books?q=ulysses', async (route) => {
    await released;
    // The page has aborted the request by now.
    await route.continue().catch(() => {});
  });
  await page.goto('/');
  const requested = page.waitForRequest('**/books?q=ulysses');
  await page.getByLabel('Search').fill('ulysses');
  await requested;

  await page.getByLabel('Search').fill('sult');
  await expect(titles(page)).toHaveText(['Sult']);
  release();
  await page.waitForLoadState('networkidle');

  await expect(titles(page)).toHaveText(['Sult']);
});

test('the shelf can be sorted by title and by price', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Sort by').selectOption('Price');

  await expect(titles(page)).toHaveText(
    testBooks.toSorted((one, other) => one.priceCents - other.priceCents).map(({ title }) => title),
  );

  await page.getByLabel('Sort by').selectOption('Title');
  await expect(titles(page).first()).toHaveText(frankenstein.title);
});

test('an empty shelf shows the spinner and a message, and is not fetched again', async ({ page, store }) => {
  await store.db.deleteFrom('books').execute();
  const calls = watchBookCalls(page);

  await page.goto('/');

  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('The shelf is still empty.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual(['/books']);
});

test('an unknown address has status 404 and a link to the shelf', async ({ page, provokes }) => {
  provokes(/404 .*no-such-page/);
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);

  await page.getByRole('link', { name: 'Back to the shelf' }).click();

  await expect(page).toHaveURL('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
});

test('the checkout of an unknown book shows a message and a link to the shelf', async ({
  page,
  provokes,
}) => {
  provokes(/404 .*\/book\/no-such-book/);
  await signInAndOpen(page, '/checkout/no-such-book');
  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();

  await page.getByRole('link', { name: 'Back to the shelf' }).click();

  await expect(page).toHaveURL('/');
});
