import { demoBooks } from '../server/demo/books.ts';
import { expect, test } from './fixtures.ts';
import { loadedFiles } from './requests.ts';
import { titles } from './visitor.ts';

test.use({ storeOptions: { stock: async () => {} } });

// The titles of the demo's books have four scripts.
test('a new store shows the demo catalogue, with fonts of at most 90 KB', async ({ page }) => {
  const failures: string[] = [];
  page.on('response', (response) => {
    if (!response.ok()) failures.push(response.url());
  });
  // Books far from the viewport are not rendered.
  await page.setViewportSize({ width: 1280, height: 8000 });
  await page.goto('/');
  await expect(titles(page)).toHaveText(demoBooks.map(({ title }) => title));
  for (const card of await page.getByRole('article').all()) {
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  }
  expect(failures).toEqual([]);
  const fonts = await loadedFiles(page, '.woff2');
  const scripts = fonts.names.map((name) => name.replace(/^.assets.literata-|-[\w-]{8}\.woff2$/g, ''));
  expect(scripts.toSorted()).toEqual(['cyrillic', 'greek', 'latin', 'latin-ext']);
  expect(fonts.bytes).toBeLessThanOrEqual(90_000);
});
