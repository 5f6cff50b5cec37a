import { demoBooks } from '../server/demo/books.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { bytesOf, openShelf, recordTransfers } from './transfers.ts';

// One worker, and so one store, for all tests of the file.
test.describe.configure({ mode: 'default' });
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

const viewports = { phone: { width: 412, height: 823 }, desktop: { width: 1280, height: 800 } };

for (const [device, viewport] of Object.entries(viewports)) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    test('nothing moves when the fonts arrive after the books', async ({ page }) => {
      const { release } = await holdBack(page, '**/*.woff2');
      await page.addInitScript(`
        globalThis.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) globalThis.shifted += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
      `);
      const isLoaded = (): Promise<boolean> =>
        page.evaluate(
          '[...document.fonts].some((font) => font.family === "Literata" && font.status === "loaded")',
        );
      /** The widths of all lines of the first titles, in pixels. */
      const titleWidth = (): Promise<number> =>
        page.evaluate(`[...document.querySelectorAll('article h2 a')].slice(0, 3).reduce((sum, title) => {
          const range = document.createRange();
          range.selectNodeContents(title);
          return [...range.getClientRects()].reduce((sum, { width }) => sum + width, sum);
        }, 0)`);
      await openShelf(page);
      // A phone's screen shows two cards; the third is added after them.
      await page.getByRole('article').nth(2).waitFor();
      expect(await isLoaded()).toBe(false);
      const widthBefore = await titleWidth();

      release();

      await expect.poll(isLoaded).toBe(true);
      await page.evaluate('document.fonts.ready');
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
      expect(await page.evaluate<number>('globalThis.shifted')).toBeLessThan(0.005);
      const growth = (await titleWidth()) / widthBefore;
      expect(Math.abs(growth - 1), 'another font’s letters take other widths').toBeLessThan(0.04);
    });
  });
}
