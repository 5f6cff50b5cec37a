/** A page whose text a browser has translated. By night translated-looks.spec.ts wanders through every screen. */

import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { bringTranslator, looseTexts, staleTexts, translate } from './translator.ts';
import { checkoutButton, searchField, titles } from './visitor.ts';

test.use({ movesByItself: true });

test('a translated page searches, counts what it finds, and tells why an order is not taken', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  await bringTranslator(page);
  await page.goto('/');
  await titles(page).first().waitFor();
  expect(await looseTexts(page)).toEqual([]);
  await translate(page, 'fonts');
  const main = page.getByRole('main');
  const textOf = async (part: Locator) => (await part.textContent())?.replace(/[«»]/g, '');
  for (const [words, count] of [
    ['jane', '1 book for jane'],
    ['ja', '2 books for ja'],
    ['', ''],
  ] as const) {
    await searchField(page).fill(words);
    await expect.poll(() => textOf(main.getByRole('status').first())).toBe(count);
  }
  expect(await staleTexts(page)).toEqual([]);

  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).waitFor();
  expect(await looseTexts(page)).toEqual([]);
  await translate(page, 'fonts');
  await store.reprice(janeEyre.title, 7150);
  await page.locator('main button[class*="primary"]').click();
  await expect.poll(() => textOf(main)).toContain('The price is now $71.50. It was $12.99');
  expect(await staleTexts(page)).toEqual([]);
});
