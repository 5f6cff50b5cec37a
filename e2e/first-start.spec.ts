import { demoBooks } from '../server/demo/books.ts';
import { expect, test } from './fixtures.ts';
import { bytesOf, openShelf, recordTransfers } from './transfers.ts';

test.use({ storeOptions: { stock: async () => {} } });

// The titles of the demo's shelf have four scripts.
test('a new store shows the demo catalogue, with fonts of at most 90 KB', async ({ page }) => {
  const imageStatuses: number[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'image') imageStatuses.push(response.status());
  });
  const fonts = recordTransfers(page, 'font');
  await openShelf(page);

  const cards = page.getByRole('article');
  await expect(cards.getByRole('heading')).toHaveText(demoBooks.map(({ title }) => title));
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  }
  expect(imageStatuses).toEqual(Array(imageStatuses.length).fill(200));
  expect(imageStatuses.length).toBeGreaterThanOrEqual(demoBooks.length);
  const scripts = ['cyrillic', 'greek', 'latin', 'latin-ext'];
  const names = async () => (await fonts()).map(({ name }) => name.replace(/-[\w-]{8}\.woff2$/, ''));
  await expect
    .poll(async () => (await names()).toSorted())
    .toEqual(scripts.map((it) => `/assets/literata-${it}`));
  expect(bytesOf(await fonts())).toBeLessThanOrEqual(90_000);
});
