/** A shelf of 2,000 books. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { watchBookLists } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { addWorks } from './test-books.ts';
import { checkoutButton } from './visitor.ts';

const bookCount = 2_000;
/** The limit of elements: a page with all books has more than 20,000. */
const maxNodes = 6_000;

const buyLink = (page: Page, number: number) =>
  page.getByRole('link', { name: new RegExp(`^BUY NOW: Work ${number}\\b`) });

const nodesOf = (page: Page) => page.evaluate<number>(`document.querySelectorAll('*').length`);

/** Scrolls to the end of the loaded list, until the book with this number, or a later one, is rendered. */
const scrollToNumber = (page: Page, number: number) =>
  page.evaluate(`(async () => {
    const isReached = ({ dataset }) => Number(dataset.index) >= ${number - 1};
    while (![...document.querySelectorAll('[data-index]')].some(isReached)) {
      window.scrollTo(0, document.documentElement.scrollHeight);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })()`);

/** Scrolls to a position in the loaded list, from 0 to 1, and waits for its books. */
const scrollToPart = async (page: Page, part: number) => {
  await page.evaluate(
    `window.scrollTo(0, ${part} * (document.documentElement.scrollHeight - window.innerHeight))`,
  );
  await expect.poll(() => booksInView(page)).not.toEqual([]);
};

/** @returns the titles in the viewport, with their vertical positions. */
const booksInView = (page: Page) =>
  page.evaluate<
    [title: string, topPx: number][]
  >(`[...document.querySelectorAll('[data-index]')].flatMap((item) => {
    const { top, bottom } = item.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight ? [[item.querySelector('h2').textContent, top]] : [];
  })`);

test('a long shelf grows by itself after a press, takes few nodes and keeps the focus; Back and a reload keep the place', async ({
  page,
  store,
}) => {
  await store.db.deleteFrom('books').execute();
  await addWorks(store.db, bookCount);
  const calls = watchBookLists(page);
  await openSignedIn(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  const items = page.getByRole('list', { name: 'Books' }).getByRole('listitem');
  const more = page.getByRole('button', { name: 'Show more' });
  await test.step('a page of the list, a button, and the foot of the screen', async () => {
    await page.getByRole('link', { name: 'Withdraw from contract' }).scrollIntoViewIfNeeded();
    await expect(more).toBeInViewport();
    await expect(items.last()).toHaveAttribute('aria-posinset', '200');
    await page.waitForLoadState('networkidle');
    expect(calls).toEqual(['/books']);
  });
  await test.step('to the end, after which Tab goes on from the card that had the focus', async () => {
    await more.press('Enter');
    await expect(buyLink(page, 205)).toBeAttached();
    await scrollToPart(page, 0);
    await buyLink(page, 8).focus();
    await scrollToNumber(page, bookCount);
    await expect(items.last()).toHaveAttribute('aria-posinset', String(bookCount));
    await expect(items.last()).toHaveAttribute('aria-setsize', String(bookCount));
    expect(await nodesOf(page)).toBeLessThan(maxNodes);
    await expect(buyLink(page, 30)).toHaveCount(0);
    await expect(buyLink(page, 8)).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(buyLink(page, 9)).toBeFocused();
    await expect(buyLink(page, 9)).toBeInViewport();
  });
  await test.step('Back and a reload show the same cards', async () => {
    await scrollToPart(page, 0.7);
    const [[title] = ['']] = (await booksInView(page)).slice(-4);
    const link = buyLink(page, Number(/\d+/.exec(title)?.[0]));
    await link.focus();
    // Within 4 px: scroll positions are whole pixels, row heights are not, and Back and the reload each round.
    const samePlace = (await booksInView(page)).map(([title, topPx]) => [title, expect.closeTo(topPx, -0.9)]);
    calls.length = 0;
    await page.keyboard.press('Enter');
    await expect(checkoutButton(page)).toBeVisible();
    await page.goBack();
    await expect(link).toBeFocused();
    // The blocks above and below are filled after those in view.
    await expect.poll(() => items.count()).toBeGreaterThanOrEqual(36);
    await expect.poll(() => booksInView(page)).toEqual(samePlace);
    expect(calls).toEqual([]);
    await page.reload();
    await expect.poll(() => booksInView(page)).toEqual(samePlace);
  });
  await test.step('a reload of a painted search too', async () => {
    await page.goto('/?sort=title');
    await page.getByRole('button', { name: 'Log out' }).focus();
    await page.keyboard.press('Tab');
    await scrollToPart(page, 0.3);
    await expect.poll(() => items.count()).toBeGreaterThanOrEqual(36);
    const samePlace = (await booksInView(page)).map(([title, topPx]) => [title, expect.closeTo(topPx, -0.9)]);
    await page.reload();
    await expect.poll(() => booksInView(page)).toEqual(samePlace);
  });
});
