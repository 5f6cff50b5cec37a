import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { testBooks } from './test-books.ts';
import { bytesOf, openShelf, recordTransfers, scrollThrough } from './transfers.ts';

/** @returns how many covers are fetched at once, counted from the first one, and how many before everything else. */
const eagerCovers = (page: Page): Promise<number[]> =>
  page.locator('main img').evaluateAll((images) => {
    const isLazy = images.map((image) => image.getAttribute('loading') !== 'eager');
    const first = images.filter((image) => image.getAttribute('fetchpriority') === 'high');
    return [isLazy.indexOf(true), isLazy.filter((lazy) => !lazy).length, first.length];
  });

test('home loads at most 82 KB of JavaScript, and the covers of the table at once', async ({ page }) => {
  const scripts = recordTransfers(page, 'script');

  await openShelf(page);

  const loaded = await scripts();
  expect(loaded.length).toBeGreaterThan(1);
  // Compression does not help a file of a few hundred bytes.
  expect(loaded.filter(({ encoding, bytes }) => !encoding && bytes > 1024)).toEqual([]);
  expect(bytesOf(loaded)).toBeLessThanOrEqual(82_000);
  expect(await eagerCovers(page)).toEqual([5, 5, 3]);

  await page.goto('/?sort=title');
  await page.getByRole('article').nth(4).waitFor();
  expect(await eagerCovers(page)).toEqual([4, 4, 4]);
});

test('a shelf in Latin letters loads one font of at most 45 KB', async ({ page, store }) => {
  for (const { title } of testBooks) if (!/^[\0-\xff]*$/.test(title)) await store.remove(title);
  const fonts = recordTransfers(page, 'font');
  const styleSheets = recordTransfers(page, 'stylesheet');

  await openShelf(page);
  await scrollThrough(page);

  const loaded = await fonts();
  expect(loaded).toHaveLength(1);
  // When it names other fonts, a phone lays out all text again.
  expect(await styleSheets()).not.toContainEqual(
    expect.objectContaining({ name: expect.stringContaining('other-scripts') }),
  );
  expect(bytesOf(loaded)).toBeLessThanOrEqual(45_000);
});

test.describe('on a phone with two device pixels to each of CSS', () => {
  test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });

  test('a cover is fetched at 320 pixels, and two covers of a search at once', async ({ page }) => {
    const images = recordTransfers(page, 'image');

    await openShelf(page);

    const widths = (await images()).map(({ name }) => name.replace(/.*-(?=\d+\.webp$)/, ''));
    expect(new Set(widths)).toEqual(new Set(['320.webp']));
    await page.goto('/?sort=title');
    await page.getByRole('article').nth(2).waitFor();
    expect(await eagerCovers(page)).toEqual([2, 2, 1]);
  });
});
