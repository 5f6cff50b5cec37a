import { expect, test } from './fixtures.ts';

test('the API is described on a page of the store alone', async ({ page, store }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).origin));
  await page.setViewportSize({ width: 390, height: 844 });
  const font = page.waitForResponse(/literata-latin-\S+\.woff2$/);
  await page.goto('/docs');
  expect((await font).status()).toBe(200);

  await page.getByRole('navigation').getByRole('link', { name: 'Buys one book' }).click();

  const call = page.getByRole('article').filter({ hasText: 'POST /addOrder' });
  await expect(call).toBeInViewport();
  await call.getByText('409 Conflict').click();
  await call.getByRole('link', { name: 'PRICE_CHANGED' }).click();
  await expect(page.getByText('"detail": "It is $9.99 now."')).toBeInViewport();
  expect(new Set(requests)).toEqual(new Set([store.origin]));
});

test('the page of the API needs no scripts', async ({ browser, store }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${store.origin}/docs`);

  const call = page.getByRole('article').filter({ hasText: 'GET /books' }).first();
  await expect(call.getByText('"author": "Jane Austen"')).toBeVisible();
  await call.getByText('400 Bad Request').click();
  await expect(call.getByRole('link', { name: 'VALIDATION_FAILED' })).toBeVisible();
  await context.close();
});
