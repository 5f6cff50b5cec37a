/** How the screens of the shop look: edges, small screens, forced colours, a touch screen, wide text. */

import type { Locator, Page } from '@playwright/test';
import { screens } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { buyNow, checkoutButton, heading, scrollY } from './visitor.ts';

/** A function of the page: the types of these tests have no browser. */
declare function getComputedStyle(
  element: unknown,
): Record<
  'backgroundColor' | 'color' | 'borderBottomColor' | 'textDecorationColor' | 'textDecorationLine',
  string
>;

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error('an element that is not shown');
  const { x: left, y: top, width, height } = box;
  return { left, top, right: left + width, bottom: top + height, middle: top + height / 2 };
};
const leftOf = async (element: Locator): Promise<number> => Math.round((await boxOf(element)).left);
const brand = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Colophon' });

test('header, heading and shelf share an edge at each width', async ({ page, store }) => {
  for (let book = 0; book < 6; book += 1) await store.addBook({ title: `Book ${book}` });
  for (const width of [390, 640, 820, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    await buyNow(page).waitFor();

    const search = {
      left: await leftOf(page.getByLabel('Search')),
      right: (await boxOf(page.getByLabel(width < 960 ? 'Search' : 'Sort by'))).right,
    };
    const cards = await Promise.all((await page.getByRole('article').all()).map(boxOf));
    const left = Math.round(Math.min(...cards.map((card) => card.left)));
    const right = Math.round(width - Math.max(...cards.map((card) => card.right)));
    const edge = await leftOf(heading(page));
    expect(await leftOf(brand(page)), `${width}`).toBe(edge);
    expect(Math.round(width - search.right), `${width}`).toBe(edge);
    expect(right, `${width}`).toBe(left);
    if (width > 390) expect(left, `${width}`).toBe(edge);
    else expect([search.left, edge]).toEqual([16, 16]);
  }
});

test('the name of the store stands as high on every screen, before its script and after it', async ({
  page,
  store,
}) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await openSignedIn(page, screens.orders);
  const topOf = async () => (await brand(page).boundingBox())?.y;
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(screens.home);
    const top = await topOf();
    for (const address of [screens.orders, screens.admin, checkout]) {
      const { release } = await holdBack(page, '**/assets/*.js');
      await page.goto(address, { waitUntil: 'commit' });
      // Its style sheet may not be there yet.
      await expect.poll(topOf, { message: `${address} painted, ${width}` }).toBe(top);

      release();

      await expect(heading(page)).toBeVisible();
      expect(await topOf(), `${address}, ${width}`).toBe(top);
      await page.unrouteAll();
    }
  }
});

test('the checkout has its button in view, and its place after a reload', async ({ page, store }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const title = 'The History of the Life and Adventures of a Very Long Title. '.repeat(6).trim();
  await store.addBook({ title, author: 'Anneliese von Hohenstaufen, '.repeat(20).trim() });
  await openSignedIn(page, await store.checkoutOf(title));

  await expect(checkoutButton(page)).toBeInViewport({ ratio: 1 });
  expect(await scrollY(page)).toBe(0);
  for (const place of [420, 380]) {
    await page.evaluate(`scrollTo(0, ${place})`);
    await page.reload();
    await expect.poll(() => page.evaluate('Math.round(scrollY)')).toBe(place);
  }
});

test('the catalogue has covers on a phone, and forced colours show what is selected', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setViewportSize({ width: 390, height: 800 });
  await openSignedIn(page, '/admin');
  await expect(page.getByRole('columnheader')).toHaveCount(4);
  await expect(page.getByRole('row').nth(1).locator('img')).toHaveCount(1);
  const navigation = page.getByRole('navigation');
  const backgroundOf = (name: string) =>
    navigation.getByRole('button', { name }).evaluate((it) => getComputedStyle(it).backgroundColor);

  expect(await backgroundOf('Manage books')).not.toBe(await backgroundOf('Add Book'));

  await page.goto('/orders');
  const lineOf = (name: string) =>
    navigation.getByRole('link', { name }).evaluate((it) => getComputedStyle(it).textDecorationLine);
  expect([await lineOf('Orders'), await lineOf('Home')]).toEqual(['underline', 'none']);
});

test('with the widest text spacing no word of the screen breaks on a small phone', async ({
  page,
  provokes,
}) => {
  // The test's own style moves them.
  provokes(/ moved by | scrolls sideways/);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/orders', '/', '/admin', '/admin?view=add', '/login']) {
    await openSignedIn(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(brokenWords), path).toEqual([]);
  }
});

/** With the text spacing of WCAG 2.2, success criterion 1.4.12: the words of the page that are on more than one line. */
const brokenWords = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }',
  );
  document.adoptedStyleSheets = [sheet];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: word } of node.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})()`;
