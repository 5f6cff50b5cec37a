/** The weight of the home screen: the files that a visitor loads. */

import { expect, test } from './fixtures.ts';
import { testBooks } from './test-books.ts';
import { bytesOf, openShelf, recordTransfers, scrollThrough } from './transfers.ts';

test('home loads at most 82 KB of JavaScript', async ({ page }) => {
  const scripts = recordTransfers(page, 'script');

  await openShelf(page);

  const loaded = await scripts();
  expect(loaded.length).toBeGreaterThan(1);
  // Compression does not help a file of a few hundred bytes.
  expect(loaded.filter(({ encoding, bytes }) => !encoding && bytes > 1024)).toEqual([]);
  expect(bytesOf(loaded)).toBeLessThanOrEqual(82_000);
});

test('a shelf in Latin letters loads one font of at most 45 KB', async ({ page, store }) => {
  for (const { title } of testBooks) if (!/^[\0-\xff]*$/.test(title)) await store.remove(title);
  const fonts = recordTransfers(page, 'font');

  await openShelf(page);
  await scrollThrough(page);

  const loaded = await fonts();
  expect(loaded).toHaveLength(1);
  expect(bytesOf(loaded)).toBeLessThanOrEqual(45_000);
});

test.describe('on a phone with two device pixels to each of CSS', () => {
  test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });

  test('a cover is fetched at 320 pixels', async ({ page }) => {
    const images = recordTransfers(page, 'image');

    await openShelf(page);

    const widths = (await images()).map(({ name }) => name.replace(/.*-(?=\d+\.webp$)/, ''));
    expect(new Set(widths)).toEqual(new Set(['320.webp']));
  });
});
