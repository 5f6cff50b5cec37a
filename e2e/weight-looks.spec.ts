/** The weight of the home screen: the files that a visitor loads. */

import { expect, test } from './fixtures.ts';
import { loadedFiles } from './requests.ts';
import { testBooks } from './test-books.ts';
import { titles } from './visitor.ts';

test('home loads at most 80 KB of JavaScript, and for a shelf in Latin letters one font of at most 45 KB', async ({
  page,
  store,
}) => {
  for (const { title } of testBooks) if (!/^[\0-\xff]*$/.test(title)) await store.remove(title);
  const response = page.waitForResponse('**/assets/*.js');
  await page.goto('/');
  await titles(page).first().waitFor();
  expect((await response).headers()['content-encoding']).toBe('br');
  const scripts = await loadedFiles(page, '.js');
  expect(scripts.names.length).toBeGreaterThan(1);
  expect(scripts.bytes).toBeLessThanOrEqual(80 * 1024);
  await titles(page).last().scrollIntoViewIfNeeded();
  const fonts = await loadedFiles(page, '.woff2');
  expect(fonts.names).toHaveLength(1);
  expect(fonts.bytes).toBeLessThanOrEqual(45_000);
});

test.describe('on a phone with two device pixels to each of CSS', () => {
  test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });

  test('a cover is fetched at 320 pixels', async ({ page }) => {
    await page.goto('/');
    await titles(page).first().waitFor();
    const { names } = await loadedFiles(page, '.webp');
    expect(new Set(names.map((name) => name.replace(/.*-(?=\d+\.webp$)/, '')))).toEqual(
      new Set(['320.webp']),
    );
  });
});
