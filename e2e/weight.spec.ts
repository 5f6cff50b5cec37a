import { expect, test } from './fixtures.ts';
import { testBooks } from './test-books.ts';
import { bytesOf, openShelf, recordTransfers, scrollThrough } from './transfers.ts';

test('home loads at most 78 KB of compressed JavaScript', async ({ page }) => {
  const scripts = recordTransfers(page, 'script');

  await openShelf(page);

  const loaded = await scripts();
  expect(loaded.length).toBeGreaterThan(1);
  // Compression does not help a file of a few hundred bytes.
  expect(loaded.filter(({ encoding, bytes }) => !encoding && bytes > 1024)).toEqual([]);
  expect(bytesOf(loaded)).toBeLessThanOrEqual(78_000);
});

test('a shelf with titles in Latin letters alone loads one font, of at most 45 KB', async ({
  page,
  store,
}) => {
  for (const { title } of testBooks) if (!/^[\0-\xff]*$/.test(title)) await store.remove(title);
  const fonts = recordTransfers(page, 'font');

  await openShelf(page);
  await scrollThrough(page);

  const loaded = await fonts();
  expect(loaded).toHaveLength(1);
  expect(bytesOf(loaded)).toBeLessThanOrEqual(45_000);
});
