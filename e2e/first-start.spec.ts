import { demoBooks } from '../server/demo/books.ts';
import { expect, test } from './fixtures.ts';

test.use({ storeOptions: { stock: async () => {} } });

test('a store that starts for the first time shows the demo catalogue with all its covers', async ({
  page,
  store,
}) => {
  test.setTimeout(180_000);
  await expect
    .poll(() => store.db.selectFrom('images').select('id').execute(), { timeout: 120_000 })
    .toHaveLength(demoBooks.length);

  await page.goto('/');

  const cards = page.getByRole('article');
  await expect(cards.getByRole('heading')).toHaveText(demoBooks.map(({ title }) => title));
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  }
});
