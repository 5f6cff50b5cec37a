/** Lists of 2,000 books: the shelf and the catalogue of the admin screen. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { holdBack, watchBookLists } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { addTestBooks, addWorks } from './test-books.ts';
import { checkoutButton, scrollY, undoButton } from './visitor.ts';

const bookCount = 2_000;
/** A page with all of them has more than 20,000. */
const maxNodes = 6_000;

// One worker, and so one store, for all tests of the file.
test.describe.configure({ mode: 'default' });
test.use({
  storeOptions: {
    stock: async (db) => {
      await addTestBooks(db);
      await db.deleteFrom('books').execute();
      await addWorks(db, bookCount);
    },
  },
});

const shelf = 'li[data-index]';
const catalogue = 'tr[data-index]';

const buyLink = (page: Page, number: number) =>
  page.getByRole('link', { name: new RegExp(`^BUY NOW: Work ${number}\\b`) });
const deleteButton = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`^Delete: Work ${number}\\b`) });
const rows = (page: Page) => page.locator('tbody').getByRole('row');
/** From then on the shelf grows by itself. */
const showMore = (page: Page) => page.getByRole('button', { name: 'Show more' }).press('Enter');

const nodesOf = (page: Page) =>
  page.evaluate<number>(`(() => {
    const walker = document.createTreeWalker(document.body);
    let nodes = 0;
    while (walker.nextNode()) nodes += 1;
    return nodes;
  })()`);

/** Scrolls to the end of what is loaded, until the item with this number, or one behind it, is rendered. */
const scrollToNumber = (page: Page, items: string, number: number) =>
  page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isReached = ({ dataset }) => Number(dataset.index) >= ${number - 1};
    while (![...document.querySelectorAll('${items}')].some(isReached)) {
      window.scrollTo(0, document.documentElement.scrollHeight);
      await frame();
    }
  })()`);

/** Scrolls to a place in what is loaded, of which 0 is the start and 1 the end, and waits for its items. */
const scrollToPart = (page: Page, items: string, part: number) =>
  page.evaluate(`(async () => {
    window.scrollTo(0, ${part} * (document.documentElement.scrollHeight - window.innerHeight));
    const isInView = ({ top, bottom }) => bottom > 0 && top < window.innerHeight;
    do await new Promise((resolve) => requestAnimationFrame(resolve));
    while (![...document.querySelectorAll('${items}')].some((item) => isInView(item.getBoundingClientRect())));
  })()`);

type ItemInView = { title: string; topPx: number };

/** @returns the items in the viewport, from above. */
const itemsInView = (page: Page, items: string) =>
  page.evaluate<ItemInView[]>(`[...document.querySelectorAll('${items}')].flatMap((item) => {
    const { top, bottom } = item.getBoundingClientRect();
    const title = item.querySelector('h2, td:nth-child(2)').textContent;
    return bottom > 0 && top < window.innerHeight ? [{ title, topPx: top }] : [];
  })`);

/** @returns the number of the book in the middle of those in the viewport. */
const numberInView = async (page: Page, items: string): Promise<number> => {
  const inView = await itemsInView(page, items);
  const { title = '' } = inView[Math.floor(inView.length / 2)] ?? {};
  return Number(/^Work (\d+)/.exec(title)?.[1]);
};

test('a long shelf ends with a button, then grows by itself, takes few nodes and keeps the focus', async ({
  page,
}) => {
  const calls = watchBookLists(page);
  await page.goto('/');
  const items = page.getByRole('list', { name: 'Books' }).getByRole('listitem');
  await test.step('a page of the list, a button, and the foot of the screen', async () => {
    await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await expect(page.getByText('A colophon is the note')).toBeVisible();
    await expect(items.last()).toHaveAttribute('aria-posinset', '200');
    await page.waitForLoadState('networkidle');
    expect(calls).toEqual(['/books']);
  });
  await test.step('more books come below those in view, which stay', async () => {
    const { release } = await holdBack(page, '**/books?*');
    await showMore(page);
    await scrollToPart(page, shelf, 1);
    const before = await scrollY(page);
    release();
    await expect(buyLink(page, 205)).toBeAttached();
    await expect(buyLink(page, 200)).toBeFocused();
    expect(await scrollY(page)).toBe(before);
  });
  await test.step('to the end', async () => {
    await scrollToPart(page, shelf, 0);
    await buyLink(page, 8).focus();
    await scrollToNumber(page, shelf, bookCount);
    await expect(items.last()).toHaveAttribute('aria-posinset', String(bookCount));
    await expect(items.last()).toHaveAttribute('aria-setsize', String(bookCount));
    await expect(items.last().getByRole('heading')).toContainText(`Work ${bookCount}`);
    expect(await nodesOf(page)).toBeLessThan(maxNodes);
    await expect(buyLink(page, 30)).toHaveCount(0);
  });
  await test.step('Tab goes on from the card that had the focus', async () => {
    await expect(buyLink(page, 8)).toBeFocused();
    for (const name of [/^Work 9\b/, /^BUY NOW: Work 9\b/]) {
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name })).toBeFocused();
    }
    await expect(buyLink(page, 9)).toBeInViewport();
  });
  await test.step('a search begins at its first book, and grows too', async () => {
    await page.getByLabel('Search').fill('work');
    await expect(page.getByText('More than 200 books for work', { exact: true })).toBeVisible();
    await expect(items.first()).toHaveAttribute('aria-posinset', '1');
    await scrollToPart(page, shelf, 1);
    await expect(page.getByText('More than 400 books for work', { exact: true })).toBeAttached();
  });
});

test('Back and a reload deep in the shelf show the same cards', async ({ page }) => {
  await openSignedIn(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await showMore(page);
  await scrollToNumber(page, shelf, 1_000);
  await scrollToPart(page, shelf, 0.7);
  const link = buyLink(page, await numberInView(page, shelf));
  await link.focus();
  const inView = await itemsInView(page, shelf);
  // Scroll positions are whole pixels, row heights are not.
  const samePlace = inView.map(({ title, topPx }) => ({ title, topPx: expect.closeTo(topPx, -0.3) }));
  const calls = watchBookLists(page);

  await page.keyboard.press('Enter');
  await expect(checkoutButton(page)).toBeVisible();
  await page.goBack();
  await expect(link).toBeFocused();
  await expect.poll(() => itemsInView(page, shelf)).toEqual(samePlace);
  expect(calls).toEqual([]);

  await page.reload();
  await expect.poll(() => itemsInView(page, shelf)).toEqual(samePlace);
  expect(await nodesOf(page)).toBeLessThan(maxNodes);
});

test('a long catalogue is numbered right, and Tab goes on after a deletion', async ({ page }) => {
  await openSignedIn(page, '/admin');
  await rows(page).first().waitFor();
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '-1');
  await scrollToNumber(page, catalogue, bookCount);
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(bookCount + 1));
  for (const row of [rows(page).last(), rows(page).nth(-20)]) {
    const index = Number(await row.getAttribute('aria-rowindex'));
    await expect(row.getByRole('cell').first()).toHaveText(String(index - 1));
    await expect(row.getByRole('cell').nth(1)).toHaveText(new RegExp(`^Work ${index - 1}(,|$)`));
  }
  expect(await nodesOf(page)).toBeLessThan(maxNodes);

  await scrollToPart(page, catalogue, 0.6);
  const number = await numberInView(page, catalogue);
  const next = rows(page).filter({ has: deleteButton(page, number + 1) });
  await test.step('after a deletion and a long way, Tab goes on below the row that is gone', async () => {
    await deleteButton(page, number).press('Enter');
    await expect(undoButton(page)).toBeFocused();
    await expect(deleteButton(page, number)).toHaveCount(0);
    await page.evaluate('window.scrollBy(0, -20_000)');
    await expect(deleteButton(page, number - 8)).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(deleteButton(page, number + 1)).toBeFocused();
    await expect(next.getByRole('cell').first()).toHaveText(String(number));
  });
});
