/** What makes the store a shop: its cards, the sale, the shape of its pages. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';

const cardOf = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const buyNow = (page: Page, { title } = janeEyre) => page.getByRole('link', { name: `BUY NOW: ${title}` });
/** Of the page: the types of these tests have no browser. */
declare function getComputedStyle(
  element: unknown,
): Record<'backgroundColor' | 'color' | 'borderBottomColor' | 'textDecorationColor' | 'translate', string>;

const checkoutButton = (page: Page) => page.getByRole('button', { name: 'Checkout' });

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error('an element that is not shown');
  const { x: left, y: top, width, height } = box;
  return { left, top, right: left + width, bottom: top + height, height };
};
const leftOf = async (element: Locator): Promise<number> => Math.round((await boxOf(element)).left);

test.describe('a card', () => {
  for (const part of ['img', 'h2']) {
    test(`its ${part} leads to the checkout, and Back gives the focus to the card`, async ({
      page,
      store,
    }) => {
      await signInAndOpen(page, '/orders');
      await page.getByRole('link', { name: 'Home' }).click();
      await cardOf(page, janeEyre.title).locator(part).click();
      await expect(page).toHaveURL(await store.checkoutOf(janeEyre.title));

      await page.goBack();

      await expect(buyNow(page)).toBeFocused();
    });
  }

  test('is one link for the keyboard and for a screen reader', async ({ page }) => {
    await page.goto('/');
    const card = cardOf(page, janeEyre.title);

    await expect(card.locator('a')).toHaveCount(3);
    await expect(card.getByRole('link')).toHaveCount(1);
    await expect(card.getByRole('heading', { level: 2 })).toHaveAccessibleName(janeEyre.title);
    await buyNow(page).focus();
    await page.keyboard.press('Tab');
    await expect(card.locator(':focus')).toHaveCount(0);
    await page.keyboard.press('Shift+Tab');
    await expect(buyNow(page)).toBeFocused();
  });

  test('lifts its cover and underlines its title, for the pointer on the cover and for the focus', async ({
    page,
  }) => {
    await page.goto('/');
    const card = cardOf(page, janeEyre.title);
    const cover = card.locator('a:has(img)');
    const title = card.locator('h2 a');
    const transparent = 'rgba(0, 0, 0, 0)';
    await expect(title).toHaveCSS('text-decoration-color', transparent);

    await cover.hover();
    await expect(cover).toHaveCSS('translate', '0px -3px');
    await expect(title).not.toHaveCSS('text-decoration-color', transparent);
    await page.getByLabel('Search').hover();
    await expect(cover).toHaveCSS('translate', 'none');
    await buyNow(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await expect(cover).toHaveCSS('translate', '0px -3px');
  });
});

test.describe('from the card to the checkout', () => {
  const countTransitions = (page: Page) =>
    page.addInitScript(`
      globalThis.transitions = [];
      globalThis.arrivals = [];
      // On a slow machine the checkout takes longer than the transition waits for its cover.
      const { setTimeout: wait } = globalThis;
      globalThis.setTimeout = (task, ms, ...rest) => wait(task, ms === 300 ? 3_000 : ms, ...rest);
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        transitions.push(...[...document.querySelectorAll('img')].map((it) => it.style.viewTransitionName).filter(Boolean));
        const transition = start(update);
        void transition.ready.then(() => {
          const names = document.getAnimations().map(({ effect }) => effect.pseudoElement);
          arrivals.push(...new Set(names.filter((name) => name === '::view-transition-new(cover)')));
        });
        return transition;
      };
    `);
  const transitions = (page: Page) => page.evaluate('transitions');
  /** The covers that have travelled to their place on the new screen. */
  const arrivals = (page: Page) => page.evaluate('arrivals');

  test('the cover travels to the checkout', async ({ page }) => {
    await countTransitions(page);
    await signInAndOpen(page, '/orders');
    await page.getByRole('link', { name: 'Home' }).click();
    await buyNow(page).click();

    await expect(checkoutButton(page)).toBeVisible();
    expect(await transitions(page)).toEqual(['cover']);
    await expect.poll(() => arrivals(page)).toEqual(['::view-transition-new(cover)']);
  });

  test('the cover stays where it is when the visitor prefers less motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await countTransitions(page);
    await signInAndOpen(page, '/orders');
    await page.getByRole('link', { name: 'Home' }).click();
    await buyNow(page).click();

    await expect(checkoutButton(page)).toBeVisible();
    expect(await transitions(page)).toEqual([]);
  });

  test('a double click makes one history entry', async ({ page }) => {
    await signInAndOpen(page, '/orders');
    await page.getByRole('link', { name: 'Home' }).click();
    await buyNow(page).waitFor();
    const before = await page.evaluate<number>('history.length');
    await buyNow(page).dblclick();

    await expect(checkoutButton(page)).toBeVisible();
    expect(await page.evaluate<number>('history.length')).toBe(before + 1);
  });

  test('a browser without View Transitions shows the checkout', async ({ page, store }) => {
    await page.addInitScript('delete Document.prototype.startViewTransition');
    await signInAndOpen(page, '/orders');
    await page.getByRole('link', { name: 'Home' }).click();
    await buyNow(page).click();

    await expect(page).toHaveURL(await store.checkoutOf(janeEyre.title));
    await expect(checkoutButton(page)).toBeVisible();
  });
});

test.describe('the checkout', () => {
  test('shows the book, the total, who buys, and a way back to the shelf', async ({ page, store }) => {
    await signInAndOpen(page, await store.checkoutOf(frankenstein.title));

    await expect(page.getByRole('heading', { level: 2, name: frankenstein.title })).toBeVisible();
    await expect(page.getByText('Total $10.99')).toBeVisible();
    await expect(page.getByText('Signed in as ada@example.com')).toBeVisible();
    await page.getByRole('link', { name: 'Back to the shelf' }).click();
    await expect(page).toHaveURL('/');
  });

  test('has its button in view on a short phone, whatever the title and the author', async ({
    page,
    store,
  }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    const title = 'The History of the Life and Adventures of a Very Long Title. '.repeat(4).trim();
    await store.addBook({ title, author: 'Anneliese von Hohenstaufen, '.repeat(20).trim() });
    await signInAndOpen(page, await store.checkoutOf(title));

    await expect(checkoutButton(page)).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate<number>('scrollY')).toBe(0);
  });

  test('is at the same place after each reload', async ({ page, store }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    const title = 'The History of the Life and Adventures of a Very Long Title. '.repeat(6).trim();
    await store.addBook({ title });
    await signInAndOpen(page, await store.checkoutOf(title));
    for (const place of [420, 380]) {
      await checkoutButton(page).waitFor();
      await page.evaluate(`scrollTo(0, ${place})`);

      await page.reload();

      await expect.poll(() => page.evaluate('Math.round(scrollY)')).toBe(place);
    }
  });

  test('has the whole order in view above a problem on a short phone', async ({ page, store, provokes }) => {
    provokes(/409 .*\/addOrder/);
    await page.setViewportSize({ width: 320, height: 568 });
    await signInAndOpen(page, await store.checkoutOf(frankenstein.title));
    await checkoutButton(page).waitFor();
    await store.reprice(frankenstein.title, 1199);
    await checkoutButton(page).click();

    const problem = page.getByText('The price is now $11.99.');
    await expect(problem).toBeInViewport({ ratio: 1 });
    await expect(checkoutButton(page)).toBeInViewport({ ratio: 1 });
    for (const line of [
      page.getByRole('row').nth(1),
      page.getByRole('link', { name: 'Back to the shelf' }),
    ]) {
      await expect(line).toBeInViewport({ ratio: 1 });
      expect((await boxOf(line)).bottom).toBeLessThan((await boxOf(problem)).top);
    }
  });

  test('names the connection when the device is offline, and fetches the book when it is back', async ({
    page,
    provokes,
  }) => {
    provokes(/ERR_INTERNET_DISCONNECTED/);
    await signInAndOpen(page, '/orders');
    const chunkLoaded = page.waitForResponse(/\/checkout-[^/]*\.js$/);
    await page.getByRole('link', { name: 'Home' }).click();
    await chunkLoaded;
    await buyNow(page).waitFor();
    await page.context().setOffline(true);
    await buyNow(page).click();

    await expect(
      page.getByText('The book could not be fetched. This device has no connection to the internet.'),
    ).toBeVisible();
    await page.context().setOffline(false);
    await expect(checkoutButton(page)).toBeVisible();
  });
});

test('the orders thank once for the book that was bought, and show its row', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(frankenstein.title));
  await checkoutButton(page).click();

  const thanks = page.getByRole('main').getByRole('status').filter({ hasNotText: 'Loading' });
  await expect(thanks).toHaveText(`Thank you. ${frankenstein.title} is yours.`);
  await expect(page.getByRole('row').nth(1)).toHaveCSS('animation-duration', '2s');
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(thanks).toBeEmpty();
});

test('the navigation shows a whole name on a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await signInAndOpen(page, '/orders');

  const name = page.getByRole('banner').getByText('Ada Marlowe');
  await expect(name).toBeVisible();
  expect(
    await name.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight),
  ).toBe(true);
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

test('the navigation’s Checkout neither scrolls nor makes a history entry', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 300 });
  await page.goto('/');
  await buyNow(page).waitFor();
  await page.evaluate('scrollTo(0, 20)');
  const before = await page.evaluate('[history.length, scrollY, location.href]');

  await page.getByRole('navigation').getByText('Checkout').click();

  expect(await page.evaluate('[history.length, scrollY, location.href]')).toEqual(before);
});

test.describe('one grid', () => {
  for (const width of [640, 820, 1280, 1920]) {
    test(`at ${width} pixels header, heading and shelf share an edge`, async ({ page, store }) => {
      await page.setViewportSize({ width, height: 800 });
      for (let book = 0; book < 6; book += 1) await store.addBook({ title: `Book ${book}` });
      await page.goto('/');
      await buyNow(page).waitFor();

      const edge = await leftOf(page.getByRole('banner').getByRole('link', { name: 'Colophon' }));
      expect(await leftOf(page.getByRole('heading', { level: 1 }))).toBe(edge);
      expect(await leftOf(page.getByRole('article').first())).toBe(edge);
      const cards = await Promise.all((await page.getByRole('article').all()).map(boxOf));
      expect(Math.round(width - Math.max(...cards.map(({ right }) => right)))).toBe(edge);
      expect(Math.round(width - (await boxOf(page.getByRole('search'))).right)).toBe(edge);
    });
  }

  test('on a phone the search spans the page, and the cards are centred', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/');
    await buyNow(page).waitFor();

    const search = await boxOf(page.getByRole('search'));
    expect([search.left, 390 - search.right]).toEqual([16, 16]);
    const card = await boxOf(page.getByRole('article').first());
    expect(Math.round(card.left)).toBe(Math.round(390 - card.right));
  });
});

test('on a phone a row of the orders is compact, and the table is one for a screen reader', async ({
  page,
  store,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signInAndOpen(page, await store.checkoutOf(frankenstein.title));
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await expect(page.getByText('Thank you.')).toBeVisible();

  const row = page.getByRole('row').nth(1);
  expect((await boxOf(row)).height).toBeLessThan(100);
  const [title, author, , price] = await row.getByRole('cell').all();
  if (!title || !author || !price) throw new Error('a row without cells');
  expect((await boxOf(title)).bottom).toBeLessThanOrEqual((await boxOf(author)).top);
  expect(Math.abs((await boxOf(author)).top - (await boxOf(price)).top)).toBeLessThan(8);
  await expect(page.getByRole('columnheader')).toHaveCount(5);
  await page.goto('/admin');
  await expect(page.getByRole('columnheader')).toHaveCount(4);
  await expect(page.getByRole('row').nth(1).locator('img')).toHaveCount(1);
});

test('the printed orders are the table alone', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(frankenstein.title));
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await page.emulateMedia({ media: 'print' });

  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByText('ada@example.com')).toBeVisible();
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Log out' })).toBeHidden();
  await expect(page.getByText('Signed in on another device?')).toBeHidden();
});

test('the selected item of the sidebar stands out in forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signInAndOpen(page, '/admin');
  const backgroundOf = (name: string) =>
    page
      .getByRole('navigation')
      .getByRole('button', { name })
      .evaluate((it) => getComputedStyle(it).backgroundColor);

  expect(await backgroundOf('Manage books')).not.toBe(await backgroundOf('Add Book'));
});

test('with the widest text spacing no word of the screen breaks on a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signInAndOpen(page, '/orders');
  for (const path of ['/', '/orders', '/admin', '/admin?view=add', '/login']) {
    await page.goto(path);
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
