/** The bar with the search, above a list that is longer than the screen. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addVolumes } from './test-books.ts';
import { heading, scrollY, searchField, titles } from './visitor.ts';

test.beforeEach(async ({ store }) => {
  await addVolumes(store.db, 60);
  for (const subject of ['Travel', 'History', 'Poetry', 'Gardening', 'Cookery', 'Astronomy', 'Architecture'])
    for (const part of ['One', 'Two'])
      await store.addBook({ title: `${subject}, Part ${part}`, keywords: subject });
});

const scrollTo = async (page: Page, top: number) => {
  await page.evaluate(`window.scrollTo(0, ${top})`);
  await expect.poll(() => scrollY(page)).toBe(top);
};
const topOf = async (page: Page) => (await searchField(page).boundingBox())?.y ?? Number.NaN;
const chip = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Subjects and prices' }).getByRole('link', { name, exact: true });

test('the field stays at the top of the shelf and of a search, and covers nothing that has the focus', async ({
  page,
}) => {
  test.slow();
  for (const [width, height] of [
    [320, 640],
    [390, 844],
    [820, 1180],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const address of ['/?sort=title', '/?q=volume']) {
      await page.goto(address);
      await titles(page).first().waitFor();
      expect(await topOf(page)).toBeGreaterThan(50);

      await scrollTo(page, 1500);

      expect(await topOf(page), `${address}, ${width}`).toBeGreaterThan(0);
      expect(await topOf(page), `${address}, ${width}`).toBeLessThan(16);
      await titles(page).last().getByRole('link').focus();
      for (let stops = 0; stops < 6; stops += 1) {
        await page.keyboard.press('Shift+Tab');
        const isSeen = await page.evaluate(`(() => {
          const { left, top } = document.activeElement.getBoundingClientRect();
          return document.activeElement.contains(document.elementFromPoint(left + 2, top + 2));
        })()`);
        expect(isSeen, `${address}, ${width}, ${stops}`).toBe(true);
      }
    }
  }
});

test('at 400 % of 1280 by 1024 pixels the field leaves the screen to the shelf, and suggestions hang from it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/?sort=title');
  await titles(page).first().waitFor();
  await scrollTo(page, 1500);
  expect(await topOf(page)).toBeLessThan(-44);
  await searchField(page).focus();
  expect(await topOf(page)).toBeGreaterThan(0);

  await searchField(page).pressSequentially('trav');
  const list = await page.getByRole('listbox').boundingBox();
  const field = await searchField(page).boundingBox();
  // Nothing is seen between them.
  expect((list?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeLessThan(4);
});

test('the bar is one line, keeps its height while the shelf loads, and has what was chosen in sight', async ({
  page,
}) => {
  const bar = page.getByRole('search');
  await page.goto('/');
  await chip(page, 'All').waitFor();
  const before = await bar.boundingBox();
  expect(before?.height).toBeLessThan(72);
  await titles(page).first().waitFor();
  expect((await bar.boundingBox())?.height).toBe(before?.height);
  await bar.getByRole('button', { name: 'More' }).click();
  expect((await bar.boundingBox())?.height).toBeGreaterThan(before?.height ?? 0);

  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/?sort=title&from=v&subject=travel');
  await expect(chip(page, 'Travel')).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByRole('link', { name: 'V', exact: true })).toBeInViewport({ ratio: 1 });
});

test('the covers of the front table stand beside its words, at each width', async ({ page }) => {
  await page.goto('/');
  const table = page.getByRole('list', { name: 'On the front table' });
  for (const width of [960, 1024, 1120, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const [words, list] = [await heading(page).boundingBox(), await table.boundingBox()];
    const first = await table.getByRole('link').first().boundingBox();
    if (!words || !list || !first) throw new Error('the table has no words or no covers');
    expect([width, words.x + words.width <= first.x, first.x >= list.x - 1]).toEqual([width, true, true]);
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('the price and the button of a book are in a bar at the bottom, which covers nothing at the end', async ({
    page,
    store,
  }) => {
    const { id } = await store.addBook({ title: 'Emma', copies: 2 });
    await page.goto(`/books/${id}`);
    const button = page.getByRole('link', { name: 'BUY NOW' });
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('2 left')).toBeInViewport({ ratio: 1 });
    await page.getByRole('region', { name: 'By the same author' }).waitFor();
    const last = page.getByRole('link', { name: 'Withdraw from contract' });
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await expect(async () => {
      const [lastBox, bar] = [await last.boundingBox(), await button.locator('..').boundingBox()];
      expect((lastBox?.y ?? 0) + (lastBox?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }).toPass();
  });
});
