import { demoBooks } from '../server/demo/books.ts';
import { expect, test } from './fixtures.ts';

test.use({ storeOptions: { stock: async () => {} } });

test('a store that starts for the first time shows the demo catalogue with all its covers', async ({
  page,
}) => {
  const imageStatuses: number[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'image') imageStatuses.push(response.status());
  });

  await page.goto('/');

  const cards = page.getByRole('article');
  await expect(cards.getByRole('heading')).toHaveText(demoBooks.map(({ title }) => title));
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  }
  expect(imageStatuses).toEqual(Array(imageStatuses.length).fill(200));
  expect(imageStatuses.length).toBeGreaterThanOrEqual(demoBooks.length);
});
