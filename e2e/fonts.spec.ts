/** The fonts of the demo's shelf, whose titles have four scripts. */

import { expect, test } from './fixtures.ts';
import { bytesOf, openShelf, recordTransfers, scrollThrough } from './transfers.ts';

test.use({ storeOptions: { stock: async () => {} } });

const viewports = { phone: { width: 412, height: 823 }, desktop: { width: 1280, height: 800 } };

test('all fonts together have at most 90 KB', async ({ page }) => {
  const fonts = recordTransfers(page, 'font');

  await openShelf(page);
  await scrollThrough(page);

  const loaded = await fonts();
  expect(loaded.map(({ name }) => name.replace(/-[\w-]{8}\.woff2$/, '')).toSorted()).toEqual([
    '/assets/literata-cyrillic',
    '/assets/literata-greek',
    '/assets/literata-latin',
    '/assets/literata-latin-ext',
  ]);
  expect(bytesOf(loaded)).toBeLessThanOrEqual(90_000);
});

for (const [device, viewport] of Object.entries(viewports)) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    test('nothing moves when the fonts arrive after the books', async ({ page }) => {
      const { promise: areReleased, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/*.woff2', async (route) => {
        await areReleased;
        await route.continue();
      });
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
        page.evaluate(`[...document.querySelectorAll('article h2')].slice(0, 3).reduce((sum, title) => {
          const range = document.createRange();
          range.selectNodeContents(title);
          return [...range.getClientRects()].reduce((sum, { width }) => sum + width, sum);
        }, 0)`);
      await openShelf(page);
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
