/** The bar with the search, above a list that is longer than the screen. */

import type { Page } from '@playwright/test';
import { addBook } from '../server/catalogue/books.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { addTestBooks, addVolumes, testImage } from './test-books.ts';
import { heading, scrollY, searchField, titles } from './visitor.ts';

const subjects = [
  'Travel',
  'History',
  'Poetry',
  'Gardening',
  'Cookery',
  'Astronomy',
  'Architecture',
  'Music',
];

test.use({
  storeOptions: {
    stock: async (db) => {
      await addTestBooks(db);
      await db.deleteFrom('books').execute();
      await addVolumes(db, 60);
      const book = { author: 'B. Writer', image: testImage, priceCents: 2500 };
      for (const subject of subjects)
        for (const part of ['One', 'Two'])
          await addBook(db, { ...book, title: `${subject}, Part ${part}`, keywords: subject }, null);
    },
  },
});

const scrollTo = async (page: Page, top: number) => {
  await page.evaluate(`window.scrollTo(0, ${top})`);
  await expect.poll(() => scrollY(page)).toBe(top);
};
const topOf = async (page: Page) => (await searchField(page).boundingBox())?.y ?? Number.NaN;
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Subjects and prices' });
const chip = (page: Page, name: string) => toolbar(page).getByRole('link', { name, exact: true });

for (const [width, height] of [
  [320, 640],
  [390, 844],
  [820, 1180],
  [1280, 800],
  [1920, 1080],
] as const) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height }, colorScheme: width % 3 === 0 ? 'dark' : 'light' });

    test('the field stays at the top of the shelf and of a search, and covers nothing that has the focus', async ({
      page,
    }) => {
      for (const address of ['/', '/?sort=title', '/?q=volume']) {
        await page.goto(address);
        await titles(page).first().waitFor();
        expect(await topOf(page)).toBeGreaterThan(50);

        await scrollTo(page, 3000);

        expect(await topOf(page)).toBeGreaterThan(0);
        expect(await topOf(page)).toBeLessThan(16);
        const link = titles(page).last().getByRole('link');
        await link.focus();
        await page.keyboard.press('Shift+Tab');
        for (let stops = 0; stops < 5; stops += 1) {
          await page.keyboard.press('Shift+Tab');
          const isSeen = await page.evaluate(`(() => {
            const { left, top } = document.activeElement.getBoundingClientRect();
            return document.activeElement.contains(document.elementFromPoint(left + 2, top + 2));
          })()`);
          expect(isSeen, `${address}, ${stops}`).toBe(true);
        }
      }
    });
  });
}

test.describe('at 400 % of 1280 by 1024 pixels', () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test('the field leaves the whole screen to the shelf', async ({ page }) => {
    await page.goto('/?sort=title');
    await titles(page).first().waitFor();
    await scrollTo(page, 1500);

    expect(await topOf(page)).toBeLessThan(-44);
    await searchField(page).focus();
    expect(await topOf(page)).toBeGreaterThan(0);
  });

  test('suggestions hang from the field', async ({ page }) => {
    await page.goto('/?sort=title');
    await searchField(page).pressSequentially('trav');
    const list = await page.getByRole('listbox').boundingBox();
    const field = await searchField(page).boundingBox();

    // Nothing is seen between them.
    expect((list?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeLessThan(4);
  });
});

test('words that are typed in the middle of the shelf show the first book that they find, and Back the place', async ({
  page,
}) => {
  await page.goto('/');
  await expect(titles(page).first()).toBeAttached();
  await scrollTo(page, 3000);
  await page.keyboard.press('/');
  expect(await scrollY(page)).toBe(3000);
  await page.keyboard.type('volume 00');

  await expect(page.getByText('60 books for volume 00')).toBeInViewport();
  await expect(titles(page).first()).toBeInViewport();
  expect(await topOf(page)).toBeLessThan(16);
  await expect(searchField(page)).toBeFocused();

  await page.goBack();
  await expect(searchField(page)).toHaveValue('');
  await expect.poll(() => scrollY(page)).toBeCloseTo(3000, -2);
});

test('subjects and prices that the shop has are there at once, in one line; More has the others', async ({
  page,
}) => {
  await page.goto('/');
  await expect(titles(page)).not.toHaveCount(0);
  const bar = page.getByRole('search');
  const shownHeight = async () => (await bar.boundingBox())?.height ?? 0;
  const oneLine = await shownHeight();
  expect(oneLine).toBeLessThan(72);
  await expect(chip(page, 'All')).toHaveAttribute('aria-current', 'true');
  await expect(chip(page, 'Under $10')).not.toHaveAttribute('aria-current');
  await expect(chip(page, '$10 to $20')).toHaveCount(1);

  const more = bar.getByRole('button', { name: 'More' });
  await expect(chip(page, 'Travel')).not.toBeInViewport();
  await more.click();
  await expect(bar.getByRole('button', { name: 'Fewer' })).toHaveAttribute('aria-expanded', 'true');
  expect(await shownHeight()).toBeGreaterThan(oneLine);
  await chip(page, 'Travel').click();
  await expect(page).toHaveURL('/?subject=Travel');
  await expect(titles(page)).toHaveText(['Travel, Part Two', 'Travel, Part One']);
  await expect(chip(page, 'Travel')).toBeFocused();

  // The one that was chosen is in the line.
  await bar.getByRole('button', { name: 'Fewer' }).click();
  await expect(chip(page, 'Travel')).toBeInViewport({ ratio: 1 });
  await page.reload();
  await expect(chip(page, 'Travel')).toBeInViewport({ ratio: 1 });
  await chip(page, 'All').click();
  await expect(page).toHaveURL('/');

  // They are one stop of the Tab key, as soon as the code for that is there, also when one was chosen. Arrow keys lead to all of them.
  await chip(page, 'All').focus();
  const stops = toolbar(page).locator('[tabindex="0"]');
  await expect(stops).toHaveCount(1);
  await chip(page, 'Travel').press('Enter');
  await expect(page).toHaveURL('/?subject=Travel');
  await expect(stops).toHaveCount(1);
  await chip(page, 'All').press('Enter');
  await expect(page).toHaveURL('/');
  await page.keyboard.press('End');
  await expect(toolbar(page).locator(':focus')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Tab');
  await expect(toolbar(page).locator(':focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(toolbar(page).getByRole('link').nth(-2)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(chip(page, 'All')).toBeFocused();
});

test('on a phone the chosen letter and the chosen subject are in sight', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/?sort=title&from=v&subject=travel');
  await chip(page, 'Travel').waitFor();

  await expect(chip(page, 'Travel')).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByRole('link', { name: 'V', exact: true })).toBeInViewport({ ratio: 1 });
});

test('nothing moves while the page loads, and the bar keeps its height', async ({ page }) => {
  await page.addInitScript(`
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  for (const address of ['/', '/?q=volume', '/?subject=poetry&sort=title']) {
    const shelf = await holdBack(page, /\/books(\?|$)/);
    await page.goto(address);
    await shelf.requested;
    await chip(page, 'All').waitFor();
    const before = await page.getByRole('search').boundingBox();
    shelf.release();
    await titles(page).first().waitFor();

    expect(await page.getByRole('search').boundingBox()).toEqual(before);
    expect(await page.evaluate('window.shifted')).toBeLessThan(0.005);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
});

test('where the code of suggestions and of covers does not load, the search works; with a network it is loaded', async ({
  page,
  provokes,
}) => {
  provokes(/ERR_FAILED .*\/assets\/suggestion-list-/);
  provokes(/ERR_FAILED .*\/assets\/cover-controls-/);
  await page.route('**/assets/{suggestion-list,cover-controls}-*', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('list', { name: 'New this week' }).getByRole('link').first().focus();
  await searchField(page).fill('volume 0042');

  await expect(titles(page)).toHaveText(['Volume 0042']);
  await expect(heading(page)).toHaveText('On the shelf');
  await expect(searchField(page)).not.toHaveRole('combobox');

  await page.unrouteAll();
  await page.evaluate(`window.dispatchEvent(new Event('online'))`);
  await expect(searchField(page)).toHaveRole('combobox');
  await searchField(page).fill('travel');
  await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')).toHaveCount(2);
});

test('suggestions that come late do not replace those of what was typed since', async ({ page }) => {
  await page.goto('/');
  await searchField(page).focus();
  await expect(searchField(page)).toHaveRole('combobox');
  const late = await holdBack(page, '**/suggest?q=poet');
  await searchField(page).fill('poet');
  await late.requested;
  await searchField(page).fill('gardening');
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  await expect(options).toHaveText([/^Gardening, Part Two/, /^Gardening, Part One/]);

  late.release();
  await expect(page.getByText('2 books for gardening')).toBeVisible();
  await page.waitForLoadState('networkidle');

  await expect(options).toHaveText([/^Gardening, Part Two/, /^Gardening, Part One/]);
});
