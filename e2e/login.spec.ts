import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { holdBack, watchRequests } from './requests.ts';
import { continueButton, signIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { buyNow, titles } from './visitor.ts';

const invitation = (page: Page, title: string = janeEyre.title) =>
  page
    .getByRole('main')
    .filter({ hasText: `Sign in to buy${title}` })
    .locator('cite');
const cover = (page: Page, title: string = janeEyre.title) =>
  page.getByRole('img', { name: `Cover of ${title}` });

test('the login names the book that the visitor wants, with its cover', async ({ page, store }) => {
  const [, , , , ulysses] = testBooks;
  const neverAnswer = () => page.route('**/book/*', () => {});
  await page.goto('/');
  await titles(page).first().waitFor();
  // Only the shelf can have the book.
  await neverAnswer();
  await buyNow(page, ulysses).click();
  await expect(invitation(page, ulysses.title)).toBeVisible();
  await page.unroute('**/book/*');

  const checkout = await store.checkoutOf(janeEyre.title);
  for (const address of [`/login?returnTo=${encodeURIComponent(`${checkout}?from=a`)}`, checkout]) {
    await page.goto(address);
    await expect(invitation(page)).toBeVisible();
    await expect(page.getByText(janeEyre.author)).toBeVisible();
    await expect(page.getByText('$12.99')).toBeVisible();
    await expect(cover(page)).not.toHaveJSProperty('naturalWidth', 0);
    await expect(page.getByRole('button')).toHaveText(/^Continue with /);
    const text = await invitation(page).boundingBox();
    expect(text?.y).toBeLessThan((await continueButton(page).boundingBox())?.y ?? 0);
  }

  // Only the login can have the price.
  await neverAnswer();
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Check Out' })).toBeVisible();
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('$12.99')).toHaveCount(0);
});

test('the login names no book if there is none to buy', async ({ page, provokes }) => {
  provokes(/404 .*\/checkout\/no-such-book/);
  provokes(/404 .*\/book\/no-such-book/);
  const books = watchRequests(page, (path) => path.startsWith('/book'));
  await page.goto('/login?returnTo=%2Forders');
  await expect(page.getByText('Sign in to buy a book')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(books).toEqual([]);
  await expect(page.locator('img')).toHaveCount(0);

  await page.goto('/checkout/no-such-book');
  await expect(page.getByText('Sign in to buy a book')).toBeVisible();
  await expect(page.locator('img')).toHaveCount(0);
  await signIn(page);
  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();
});

/** @returns the positions of what is on the login, whatever its text. */
const layoutOf = (page: Page) =>
  page.evaluate<number[][]>(
    `Array.from(document.querySelectorAll('h1, button, main > div > div'), (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    })`,
  );

test('nothing moves on the login when the book arrives, at any width', async ({ page, store }) => {
  const long = await store.addBook({
    title: `${'The Life and Strange Surprizing Adventures '.repeat(11)}of Robinson Crusoe`,
    author: 'Daniel Defoe, '.repeat(60),
    priceCents: 123_450,
  });
  for (const width of [320, 390, 820, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    for (const title of [janeEyre.title, long.title]) {
      const { release } = await holdBack(page, '**/book/*');
      await page.goto(await store.checkoutOf(title));
      await continueButton(page).waitFor();
      await page.evaluate('document.fonts.ready');
      const before = await layoutOf(page);

      release();
      await cover(page, title).waitFor();

      expect(await layoutOf(page), `${width}`).toEqual(before);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
      const text = await page.getByText('$').boundingBox();
      const below = await continueButton(page).boundingBox();
      expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      await page.unroute('**/book/*');
    }
  }
});

test('the book and the button are in view on small and on tall screens', async ({ page, store }) => {
  const title = 'The Life and Strange Surprizing Adventures '.repeat(3).trim();
  await store.addBook({ title });
  await page.goto(await store.checkoutOf(title));
  for (const [width, height] of [
    [568, 320],
    [667, 375],
    [844, 390],
    [820, 1180],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const part of [
      page.getByRole('heading', { name: 'Sign in to buy' }),
      cover(page, title),
      page.getByText('$12.99'),
      continueButton(page),
    ]) {
      await expect(part).toBeInViewport({ ratio: 1 });
    }
    expect((await continueButton(page).boundingBox())?.height).toBe(44);
  }
});

test('what a visitor is to do stands below the edge of the button', async ({ page, store }) => {
  await page.goto(await store.checkoutOf(janeEyre.title));
  const popup = page.waitForEvent('popup');
  await continueButton(page).click();
  await popup;
  const hint = page.getByRole('status').filter({ hasText: /^Continue in .+ window\./ });
  await expect(hint).toBeVisible();
  const left = await hint.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().left;
  });
  expect(left).toBeCloseTo((await continueButton(page).boundingBox())?.x ?? 0, 0);
});
