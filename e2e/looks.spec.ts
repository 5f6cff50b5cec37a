/** The looks of the screens on a small phone, at a high zoom, with wide text, on paper, and in forced colours. */

import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { ada, continueButton, openSignedIn } from './sign-in.ts';
import { addVolumes, janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { buy, checkoutButton, heading, scrollY, searchField, titles } from './visitor.ts';

const longTitle = 'The Life and Strange Surprizing Adventures '.repeat(6).trim();

test('the login and the checkout have what matters in view on the smallest phones, and a reload keeps the place', async ({
  page,
  store,
}) => {
  await store.addBook({ title: longTitle, author: 'Anneliese von Hohenstaufen, '.repeat(20).trim() });
  const checkout = await store.checkoutOf(longTitle);
  await page.goto(checkout);
  for (const [width, height] of [
    [568, 320],
    [375, 667],
    [820, 1180],
  ] as const) {
    await page.setViewportSize({ width, height });
    const cover = page.getByRole('img', { name: `Cover of ${longTitle}` });
    for (const part of [heading(page), cover, page.getByText('$12.99'), continueButton(page)])
      await expect(part).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 320, height: 568 });
  await openSignedIn(page, checkout);
  await expect(checkoutButton(page)).toBeInViewport({ ratio: 1 });
  expect(await scrollY(page)).toBe(0);
  await page.evaluate('scrollTo(0, 400)');
  await page.reload();
  await expect.poll(() => page.evaluate('Math.round(scrollY)')).toBe(400);
});

/** @returns whether the focused element is visible. */
const seesFocus = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const { left, top } = document.activeElement.getBoundingClientRect();
    return document.activeElement.contains(document.elementFromPoint(left + 2, top + 2));
  })()`);

test('the search stays at the top of a long list and covers nothing that has the focus; at 400 % it leaves the screen', async ({
  page,
  store,
}) => {
  await addVolumes(store.db, 60);
  const topOf = async () => (await searchField(page).boundingBox())?.y ?? Number.NaN;
  const scrollDown = async () => {
    await page.goto('/?sort=title');
    await titles(page).first().waitFor();
    await page.evaluate('scrollTo(0, 1500)');
    await expect.poll(() => scrollY(page)).toBeGreaterThan(1000);
  };
  for (const [width, height] of [
    [320, 640],
    [820, 1180],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await scrollDown();
    await expect.poll(topOf).toBeLessThan(16);
    expect(await topOf()).toBeGreaterThan(0);
    await titles(page).last().getByRole('link').focus();
    for (let stops = 0; stops < 6; stops += 1) {
      await page.keyboard.press('Shift+Tab');
      expect(await seesFocus(page), `${width}, ${stops}`).toBe(true);
    }
  }
  await page.setViewportSize({ width: 320, height: 256 });
  await scrollDown();
  expect(await topOf()).toBeLessThan(-44);
  await searchField(page).focus();
  expect(await topOf()).toBeGreaterThan(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('results show four books at once, and all begin at one edge, as the cards of home do', async ({
    page,
    store,
  }) => {
    await addVolumes(store.db, 12);
    await page.goto('/?q=volume');
    const books = page.getByRole('article');
    await expect(books.nth(3)).toBeInViewport({ ratio: 1 });
    for (const address of ['/?q=volume', '/']) {
      await page.goto(address);
      for (const part of [page.getByRole('link', { name: 'Colophon' }), searchField(page), books.first()])
        expect((await part.boundingBox())?.x, address).toBe(16);
    }
    expect((await books.first().boundingBox())?.width).toBe(256);
    await page.setViewportSize({ width: 820, height: 1180 });
    expect((await searchField(page).boundingBox())?.width).toBeCloseTo(0.92 * 820, 0);
  });

  test('the price and the button of a book are in a bar at the bottom, which covers nothing at the end', async ({
    page,
    store,
  }) => {
    await page.goto((await store.checkoutOf(janeEyre.title)).replace('checkout', 'books'));
    const button = page.getByRole('link', { name: 'BUY NOW' });
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('$12.99').first()).toBeInViewport();
    await page.getByRole('region', { name: 'Beside it on the shelf' }).waitFor();
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    const last = page.getByRole('link', { name: 'Withdraw from contract' });
    await expect(async () => {
      const [lastBox, bar] = [await last.boundingBox(), await button.locator('..').boundingBox()];
      expect((lastBox?.y ?? 0) + (lastBox?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }).toPass();
  });
});

test('at 400 % zoom the buttons of a form on the desk cover no field', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await openSignedIn(page, deskViewAddress('books'));
  await page.getByRole('button', { name: 'Open: Jane Eyre' }).click();
  const form = page.getByRole('dialog', { name: 'Edit book' });
  for (const name of ['Title', 'Author', 'Price ($)', 'Copies']) {
    await form.getByLabel(name).focus();
    await expect(form.getByLabel(name)).toBeInViewport({ ratio: 1 });
    await expect(form.getByRole('button', { name: 'Save changes' })).not.toBeInViewport();
  }
});

test('long names and addresses widen no screen of the desk, and are cut with a sign', async ({
  page,
  store,
}) => {
  const buyer = {
    name: 'Wolfeschlegelsteinhausenbergerdorff',
    email: 'wolfeschlegelsteinhausenbergerdorff.of.the.third.line@correspondence.example',
  };
  const book = { id: 'jane', ...janeEyre };
  const buyerId = await addBuyer(store.db, buyer);
  await addOrder(store.db, { buyerId, buyer, book, placedAt: new Date().toISOString() });
  await page.setViewportSize({ width: 320, height: 700 });
  // Any test fails if a page scrolls sideways.
  for (const [address, text] of [
    [deskViewAddress('customers'), buyer.email],
    [deskViewAddress('orders'), buyer.name],
    [deskViewAddress('mail'), buyer.email],
  ] as const) {
    await openSignedIn(page, address);
    await expect(page.getByText(text).first()).toBeVisible();
  }
  // The cell has the whole text, for a search in the page and as a tooltip.
  await expect(page.getByText(buyer.email).first()).toHaveAttribute('title', buyer.email);
  await expect(page.getByText(buyer.email).first()).toHaveCSS('text-overflow', 'ellipsis');
});

test('on paper the screens have nothing to press, and a dark screen prints light', async ({
  page,
  store,
}) => {
  await buy(page, store, janeEyre.title);
  for (const [address, text] of [
    ['/orders', ada.email],
    [deskViewAddress('orders'), janeEyre.title],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(text).first()).toBeVisible();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const role of ['navigation', 'checkbox', 'searchbox'] as const)
      await expect(page.getByRole(role), `${address}: ${role}`).toHaveCount(0);
    // The title of an order on the desk opens it.
    await expect(page.getByRole('button').filter({ hasNotText: janeEyre.title })).toHaveCount(0);
    await expect(page.getByText('Skip to content')).toBeHidden();
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).not.toBe('dark');
    await expect(page.getByText(text).first()).not.toHaveCSS('color', /^rgb\((2[0-5]\d|1\d\d), /);
    await page.emulateMedia({ media: 'screen' });
  }
});

test('forced colours show which view and which link is chosen', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openSignedIn(page, '/admin');
  const navigation = page.getByRole('navigation');
  /** The parts of a style that forced colours keep. */
  const styleOf = (role: 'button' | 'link', name: string) =>
    navigation.getByRole(role, { name }).evaluate((it) => {
      const shown = it.ownerDocument.defaultView.getComputedStyle(it);
      return [shown.backgroundColor, shown.outlineStyle, shown.borderStyle, shown.textDecorationLine].join();
    });
  expect(await styleOf('button', 'Manage books')).not.toBe(await styleOf('button', 'Add Book'));
  await page.goto('/orders');
  expect(await styleOf('link', 'Orders')).not.toBe(await styleOf('link', 'Home'));
});

/** The words of the page that break over lines with the text spacing of WCAG 2.2, success criterion 1.4.12. */
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

test('with the widest text spacing no word breaks on a small phone', async ({ page, provokes }) => {
  // This test's own style moves the elements.
  provokes(/ moved by | scrolls sideways/);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/orders', '/', '/admin', '/admin?view=add', '/login']) {
    await openSignedIn(page, path);
    await heading(page).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(brokenWords), path).toEqual([]);
  }
});
