/** The store as a shop: its cards, the sale, the shape of its pages. */

import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { buy, buyNow, checkoutButton, detailsButton, heading, rowOf, scrollY, tabTo } from './visitor.ts';

const cardOf = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** A function of the page: the types of these tests have no browser. */
declare function getComputedStyle(
  element: unknown,
): Record<
  | 'backgroundColor'
  | 'color'
  | 'borderBottomColor'
  | 'textDecorationColor'
  | 'textDecorationLine'
  | 'translate',
  string
>;

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error('an element that is not shown');
  const { x: left, y: top, width, height } = box;
  return { left, top, right: left + width, bottom: top + height, height };
};
const leftOf = async (element: Locator): Promise<number> => Math.round((await boxOf(element)).left);

test('a card leads to its book by cover and title, and lifts the cover', async ({ page }) => {
  await page.goto('/');
  const card = cardOf(page, janeEyre.title);
  const [cover, title] = [card.locator('a:has(img)'), card.locator('h2 a')];
  const transparent = 'rgba(0, 0, 0, 0)';
  await expect(card.locator('a')).toHaveCount(3);
  // The cover’s link is that of the title, for a pointer.
  await expect(card.getByRole('link')).toHaveCount(2);
  await expect(card.getByRole('heading', { level: 2 })).toHaveAccessibleName(janeEyre.title);
  await expect(title).toHaveCSS('text-decoration-color', transparent);

  await cover.hover();
  await expect(cover).toHaveCSS('translate', '0px -3px');
  await expect(title).not.toHaveCSS('text-decoration-color', transparent);
  await page.getByLabel('Search').hover();
  await expect(cover).toHaveCSS('translate', 'none');

  await buyNow(page).focus();
  await page.keyboard.press('Tab');
  await expect(card.locator(':focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(buyNow(page)).toBeFocused();
  await expect(cover).toHaveCSS('translate', '0px -3px');
});

test('the controls of the bar stand in its middle, and the price in that of BUY NOW', async ({ page }) => {
  await page.goto('/');
  const middleOf = async (element: Locator) => {
    const box = await element.boundingBox();
    return box ? box.y + box.height / 2 : 0;
  };
  const bar = page.getByRole('banner');
  for (const control of [
    page.getByRole('button', { name: 'Login' }),
    bar.getByRole('link', { name: 'Orders' }),
  ])
    expect(Math.abs((await middleOf(control)) - (await middleOf(bar)))).toBeLessThan(1);
  const price = page
    .getByRole('article')
    .filter({ has: buyNow(page) })
    .locator('data');
  await expect(price.locator('..')).toHaveCSS('text-box', 'cap alphabetic');
});

test('a press is painted before the next screen is laid out', async ({ page }) => {
  await page.goto('/');
  await buyNow(page).waitFor();
  const steps = await buyNow(page).evaluate(async (link) => {
    const { location, requestAnimationFrame } = link.ownerDocument.defaultView;
    link.click();
    const atOnce = location.pathname;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return [atOnce, location.pathname];
  });
  expect(steps).toEqual(['/', '/']);
  await expect(page).toHaveURL('/login');
});

/** Records in the page which covers have begun to travel, and which have travelled to their place on the new screen. */
const recordTravels = `
  globalThis.departures = [];
  globalThis.arrivals = [];
  // On a slow machine the checkout takes longer than the transition waits for its cover.
  const { setTimeout: wait } = globalThis;
  globalThis.setTimeout = (task, ms, ...rest) => wait(task, ms === 300 ? 3_000 : ms, ...rest);
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    departures.push(...[...document.querySelectorAll('[data-cover]')].map((it) => it.style.viewTransitionName).filter(Boolean));
    const transition = start(update);
    void transition.ready.then(() => {
      const names = document.getAnimations().map(({ effect }) => effect.pseudoElement);
      arrivals.push(...new Set(names.filter((name) => name === '::view-transition-new(cover)')));
    });
    return transition;
  };
`;

test('BUY NOW leads to the checkout, and the cover travels there', async ({ page, store }) => {
  await page.addInitScript(recordTravels);
  const checkout = await store.checkoutOf(janeEyre.title);
  const travels = () => page.evaluate('[departures, arrivals]');
  const historyLength = () => page.evaluate<number>('history.length');
  const goThereAndBack = async () => {
    await buyNow(page).click();
    await expect(checkoutButton(page)).toBeVisible();
    await expect(page).toHaveURL(checkout);
    await page.goBack();
    await expect(buyNow(page)).toBeFocused();
  };
  // The session is known then, and the checkout is shown at once.
  await openSignedIn(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await buyNow(page).waitFor();
  const before = await historyLength();
  await buyNow(page).dblclick();
  const travelled = [['cover'], ['::view-transition-new(cover)']];
  await expect.poll(travels).toEqual(travelled);
  expect(await historyLength()).toBe(before + 1);
  await page.goBack();

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await goThereAndBack();
  expect(await travels()).toEqual(travelled);

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate('delete document.startViewTransition, delete Document.prototype.startViewTransition');
  await goThereAndBack();
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

test('a checkout that opens offline fetches its book when it can', async ({ page, provokes }) => {
  provokes(/ERR_INTERNET_DISCONNECTED/);
  await openSignedIn(page, '/orders');
  const codeLoaded = page.waitForEvent('requestfinished', (request) =>
    /\/checkout-[^/]*\.js$/.test(request.url()),
  );
  await page.getByRole('link', { name: 'Home' }).click();
  await codeLoaded;
  await page.getByLabel('Search').hover();
  await page.getByRole('link', { name: 'Under $10' }).waitFor();
  await page.context().setOffline(true);
  await buyNow(page).click();

  await expect(
    page.getByText('The book could not be fetched. This device has no connection to the internet.'),
  ).toBeVisible();
  await page.context().setOffline(false);
  await expect(checkoutButton(page)).toBeVisible();
});

test('the orders thank once, and fit on a phone and on paper', async ({ page, store }) => {
  await buy(page, store, frankenstein.title);
  const thanks = page.getByRole('main').getByRole('status').filter({ hasNotText: 'Loading' });
  await expect(thanks).toHaveText(`Thank you. ${frankenstein.title} is yours.`);
  const row = rowOf(page, frankenstein.title);
  await expect(row).toHaveCSS('animation-duration', '2s');

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByText('ada@example.com')).toBeVisible();
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Log out' })).toBeHidden();
  await expect(page.getByText('Signed in elsewhere?')).toBeHidden();
  expect(await leftOf(page.getByRole('link', { name: 'Colophon' }))).toBe(await leftOf(heading(page)));
  await page.emulateMedia({ media: 'screen' });

  await page.setViewportSize({ width: 390, height: 800 });
  // A title in two lines, its links, and the other cells in at most two lines, all beside the cover.
  await expect.poll(async () => (await boxOf(row)).height).toBeLessThan(150);
  const [, author, , price] = await row.getByRole('cell').all();
  if (!author || !price) throw new Error('a row without cells');
  const details = await boxOf(detailsButton(page, frankenstein.title));
  expect(details.bottom).toBeLessThanOrEqual((await boxOf(author)).top);
  expect(Math.abs((await boxOf(author)).top - (await boxOf(price)).top)).toBeLessThan(8);
  // The table is one for a screen reader.
  await expect(page.getByRole('columnheader')).toHaveCount(5);

  await page.setViewportSize({ width: 320, height: 568 });
  const name = page.getByRole('banner').getByText('Ada Marlowe');
  await expect(name).toBeVisible();
  expect(
    await name.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight),
  ).toBe(true);
  await page.reload();
  await expect(row).toHaveCount(1);
  await expect(thanks).toBeEmpty();
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('nothing keeps the look that it has under a pointer', async ({ page }) => {
    const look = (element: Locator) =>
      element.evaluate((it) => {
        const { color, borderBottomColor, textDecorationColor, translate } = getComputedStyle(it);
        return { color, borderBottomColor, textDecorationColor, translate };
      });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    const card = cardOf(page, janeEyre.title);
    for (const [pressed, changed] of [
      [page.getByRole('link', { name: 'Colophon' })],
      [page.getByRole('link', { name: 'Orders' })],
      [page.getByLabel('Search')],
      [card.locator('img'), card.locator('a:has(img)')],
      [card.locator('h2 a')],
    ] as const) {
      const element = changed ?? pressed;
      const before = await look(element);
      await pressed.hover();
      expect(await look(element)).toEqual(before);
    }
  });
});

test('the navigation’s Checkout asks for a book, and neither scrolls nor makes a history entry', async ({
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 300 });
  await page.goto('/');
  await buyNow(page).waitFor();
  await page.evaluate('scrollTo(0, 20)');
  const before = await page.evaluate('[history.length, scrollY, location.href]');

  await page.getByRole('navigation').getByText('Checkout').click();
  const answer = page.getByRole('status').filter({ hasText: 'Choose a book first.' });
  await expect(answer).toBeInViewport({ ratio: 1 });

  expect(await page.evaluate('[history.length, scrollY, location.href]')).toEqual(before);
});

test('the first stop of the Tab key on every page leads past the navigation', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*no-such-page/);
  const skip = page.getByRole('link', { name: 'Skip to content' });
  const checkout = await store.checkoutOf(janeEyre.title);
  for (const address of ['/', checkout.replace('/checkout/', '/books/'), '/no-such-page', '/login']) {
    await page.goto(address);
    await heading(page).first().waitFor();
    await page.keyboard.press('Tab');
    await expect(skip, address).toBeFocused();
    await expect(skip).toBeInViewport({ ratio: 1 });
  }
  for (const address of ['/orders', '/admin', '/desk/orders', checkout]) {
    await openSignedIn(page, address);
    await heading(page).first().waitFor();
    await page.evaluate('document.activeElement.blur()');
    const entries = await page.evaluate<number>('history.length');

    await tabTo(skip);
    await page.keyboard.press('Enter');

    await expect(page.getByRole('main'), address).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
    expect(await page.evaluate<number>('history.length')).toBe(entries);
    await expect(page).toHaveURL(address);
  }
});

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
    const edge = await leftOf(page.getByRole('heading', { level: 1 }));
    expect(await leftOf(page.getByRole('banner').getByRole('link', { name: 'Colophon' })), `${width}`).toBe(
      edge,
    );
    expect(Math.round(width - search.right)).toBe(edge);
    expect(right).toBe(left);
    if (width > 390) expect(left).toBe(edge);
    else expect([search.left, edge]).toEqual([16, 16]);
  }
});

test('the catalogue has covers on a phone, and forced colours show what is selected', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setViewportSize({ width: 390, height: 800 });
  await openSignedIn(page, '/admin');
  await expect(page.getByRole('columnheader')).toHaveCount(4);
  await expect(page.getByRole('row').nth(1).locator('img')).toHaveCount(1);
  const backgroundOf = (name: string) =>
    page
      .getByRole('navigation')
      .getByRole('button', { name })
      .evaluate((it) => getComputedStyle(it).backgroundColor);

  expect(await backgroundOf('Manage books')).not.toBe(await backgroundOf('Add Book'));

  await page.goto('/orders');
  const lineOf = (name: string) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name })
      .evaluate((it) => getComputedStyle(it).textDecorationLine);
  expect([await lineOf('Orders'), await lineOf('Home')]).toEqual(['underline', 'none']);
});

test('with the widest text spacing no word of the screen breaks on a small phone', async ({ page }) => {
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
