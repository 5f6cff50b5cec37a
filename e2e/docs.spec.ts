import { expect, test } from './fixtures.ts';

test('the page of the API is of the store alone, leads from a call to its errors, and needs no scripts', async ({
  browser,
  store,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: store.origin });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).origin));
  await page.goto('/docs');

  await page.getByRole('navigation').getByRole('link', { name: 'Buys one book' }).click();
  const call = page.getByRole('article').filter({ hasText: 'POST /addOrder' });
  await expect(call).toBeInViewport();
  await call.getByText('409 Conflict').click();
  await call.getByRole('link', { name: 'PRICE_CHANGED' }).click();
  await expect(page.getByText('"detail": "It is $9.99 now."')).toBeInViewport();
  expect(new Set(requests)).toEqual(new Set([store.origin]));
  await context.close();
});
