import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { addTestBooks, addWorks } from './test-books.ts';

const bookCount = 10_000;
const maxNodes = 6_000;

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

const cards = (page: Page) => page.getByRole('article');
const card = (page: Page, number: number) => cards(page).filter({ has: buyLink(page, number) });
const buyLink = (page: Page, number: number) =>
  page.getByRole('link', { name: new RegExp(`^BUY NOW: Work ${number}\\b`) });
const deleteButton = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`^Delete: Work ${number}\\b`) });
const scrollY = (page: Page) => page.evaluate<number>('window.scrollY');
const rows = (page: Page) => page.locator('tbody').getByRole('row');

const countNodes = `(() => {
  const walker = document.createTreeWalker(document.body);
  let nodes = 0;
  while (walker.nextNode()) nodes += 1;
  return nodes;
})()`;
const nodesOf = (page: Page) => page.evaluate<number>(countNodes);

/**
 * Scrolls by half a viewport at a time until this many items have been in it.
 * @param items selects their elements.
 * @returns their numbers, from 1, in the order in which they were in the viewport; the largest number of nodes; and how
 * often there was no item in the viewport.
 */
const scrollThrough = (page: Page, items: string, count: number) =>
  page.evaluate<{ numbers: number[]; maxNodes: number; blanks: number }>(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const numbers = [];
    let maxNodes = 0;
    let blanks = 0;
    while ((numbers.at(-1) ?? 0) < ${count}) {
      await frame();
      await frame();
      const inView = [...document.querySelectorAll('${items}')].filter((item) => {
        const { top, bottom } = item.getBoundingClientRect();
        return bottom > 0 && top < window.innerHeight;
      });
      if (inView.length === 0) blanks += 1;
      for (const item of inView) {
        const number = Number(item.dataset.index) + 1;
        if (number > (numbers.at(-1) ?? 0)) numbers.push(number);
      }
      maxNodes = Math.max(maxNodes, ${countNodes});
      window.scrollBy(0, window.innerHeight / 2);
    }
    return { numbers: numbers.slice(0, ${count}), maxNodes, blanks };
  })()`);

/** Scrolls to the end of what is loaded, until the item with this number is rendered. */
const scrollToNumber = (page: Page, items: string, number: number) =>
  page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (!document.querySelector('${items.replace('data-index', `data-index="${number - 1}"`)}')) {
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

/** Scroll positions are whole pixels, row heights are not. */
const samePlace = (inView: ItemInView[]) =>
  inView.map(({ title, topPx }) => ({ title, topPx: expect.closeTo(topPx, -0.3) }));

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a long shelf shows each book once and in order while it is scrolled, and is never blank', async ({
  page,
}) => {
  await page.goto('/');
  await cards(page).first().waitFor();

  const { numbers, maxNodes: nodes, blanks } = await scrollThrough(page, shelf, 1_000);

  expect(numbers).toEqual(numbersUpTo(1_000));
  expect(nodes).toBeLessThan(maxNodes);
  expect(blanks).toBe(0);
});

test('10,000 books on the shelf take few nodes, say where they are in the list, and a search after them too', async ({
  page,
}) => {
  await page.goto('/');
  const items = page.getByRole('list', { name: 'Books' }).getByRole('listitem');
  await expect(items.first()).toHaveAttribute('aria-setsize', '-1');

  await scrollToNumber(page, shelf, bookCount);

  await expect(items.last()).toHaveAttribute('aria-posinset', String(bookCount));
  await expect(items.last()).toHaveAttribute('aria-setsize', String(bookCount));
  await expect(items.last().getByRole('heading')).toContainText(`Work ${bookCount}`);
  expect(await nodesOf(page)).toBeLessThan(maxNodes);

  await page.getByLabel('Search').fill('work');
  await expect(page.getByText('More than 200 books for work', { exact: true })).toBeVisible();
  await expect(items.first()).toHaveAttribute('aria-posinset', '1');
  expect(await nodesOf(page)).toBeLessThan(maxNodes);
});

/** @returns the number of the book in the middle of those in the viewport. */
const numberInView = async (page: Page, items: string): Promise<number> => {
  const inView = await itemsInView(page, items);
  const { title = '' } = inView[Math.floor(inView.length / 2)] ?? {};
  return Number(/^Work (\d+)/.exec(title)?.[1]);
};

const watchBookCalls = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/books') calls.push(search);
  });
  return calls;
};

test('a long shelf is fetched page by page, before the visitor comes to the end of what is there', async ({
  page,
}) => {
  const calls = watchBookCalls(page);
  await page.goto('/');
  await cards(page).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual(['']);

  await scrollToPart(page, shelf, 0.9);

  await expect.poll(() => calls.length).toBe(2);
});

test('a visitor who waits at the end of what is there stays with the same books when more arrive', async ({
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/books?*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/');
  await cards(page).first().waitFor();
  await scrollToPart(page, shelf, 1);
  await expect(card(page, 200)).toBeInViewport();
  const before = await scrollY(page);

  release();

  await expect(card(page, 205)).toBeAttached();
  expect(await scrollY(page)).toBe(before);
});

test('a search with more pages shows that there are more books', async ({ page }) => {
  await page.goto('/?q=writer');
  await expect(page.getByText('More than 200 books for writer', { exact: true })).toBeVisible();

  await scrollToPart(page, shelf, 1);

  await expect(page.getByText('More than 400 books for writer', { exact: true })).toBeAttached();
});

test('Back from a checkout deep in the shelf shows the same cards, and the one that was left has the focus', async ({
  page,
}) => {
  await signInAndOpen(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await scrollToNumber(page, shelf, 3_000);
  await scrollToPart(page, shelf, 0.7);
  const link = buyLink(page, await numberInView(page, shelf));
  await link.focus();
  const inView = await itemsInView(page, shelf);
  const calls = watchBookCalls(page);

  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();
  await page.goBack();

  await expect(link).toBeFocused();
  expect(await itemsInView(page, shelf)).toEqual(samePlace(inView));
  expect(await nodesOf(page)).toBeLessThan(maxNodes);
  expect(calls).toEqual([]);
});

test('Back to a window of another width shows the card that was left, and it has the focus', async ({
  page,
}) => {
  await signInAndOpen(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await scrollToNumber(page, shelf, 1_000);
  await scrollToPart(page, shelf, 0.5);
  const link = buyLink(page, await numberInView(page, shelf));
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();
  await page.setViewportSize({ width: 700, height: 800 });

  await page.goBack();

  await expect(link).toBeFocused();
  expect(await numberInView(page, shelf)).toBeGreaterThan(400);
});

test('a reload deep in the shelf shows the same cards', async ({ page }) => {
  await page.goto('/');
  await scrollToNumber(page, shelf, 3_000);
  await scrollToPart(page, shelf, 0.7);
  const inView = await itemsInView(page, shelf);

  await page.reload();

  await expect.poll(() => itemsInView(page, shelf)).toEqual(samePlace(inView));
  expect(await nodesOf(page)).toBeLessThan(maxNodes);
});

test('a reload of a page that is still restoring its place loses no place', async ({ page }) => {
  await page.goto('/');
  await scrollToNumber(page, shelf, 1_000);
  await scrollToPart(page, shelf, 0.9);
  const inView = await itemsInView(page, shelf);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/books?*', async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  const requested = page.waitForRequest('**/books?*');
  await page.reload();
  await requested;
  await expect(page.getByText('Loading...')).toBeVisible();

  await page.unroute('**/books?*');
  release();
  await page.reload();

  await expect.poll(() => itemsInView(page, shelf)).toEqual(samePlace(inView));
});

test('a window of another width keeps the first card of the viewport in it', async ({ page }) => {
  await page.goto('/');
  await scrollToNumber(page, shelf, 600);
  await scrollToPart(page, shelf, 0.5);

  for (const width of [960, 400, 1280]) {
    const [{ title } = { title: '' }] = await itemsInView(page, shelf);
    await page.setViewportSize({ width, height: 800 });

    const first = cards(page).filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    await expect(first).toBeInViewport();
  }
});

test('Tab goes from card to card, also where they were not rendered before, and back', async ({ page }) => {
  await page.goto('/');
  await buyLink(page, 1).focus();

  for (let number = 2; number <= 90; number += 1) {
    await page.keyboard.press('Tab');
    await expect(buyLink(page, number)).toBeFocused();
  }
  await expect(buyLink(page, 90)).toBeInViewport();
  await expect(buyLink(page, 1)).toHaveCount(0);
  for (let number = 89; number >= 40; number -= 1) await page.keyboard.press('Shift+Tab');

  await expect(buyLink(page, 40)).toBeFocused();
});

test('a card with the focus stays when it is scrolled away, and Tab goes on to the next one', async ({
  page,
}) => {
  await page.goto('/');
  await buyLink(page, 8).focus();
  await scrollToNumber(page, shelf, 1_000);
  await expect(buyLink(page, 8)).toBeFocused();
  await expect(buyLink(page, 30)).toHaveCount(0);

  await page.keyboard.press('Tab');

  await expect(buyLink(page, 9)).toBeFocused();
  await expect(buyLink(page, 9)).toBeInViewport();
  await expect(buyLink(page, 30)).toBeAttached();
});

test('print has all books that are loaded, and the page few nodes again after it', async ({ page }) => {
  test.slow();
  await page.goto('/?q=work+99');
  await expect(page.getByText('111 books for work 99', { exact: true })).toBeVisible();
  await page.evaluate(`window.addEventListener('beforeprint', () => {
    window.printed = [...document.querySelectorAll('${shelf}')].map(({ dataset }) => Number(dataset.index) + 1);
  })`);

  await page.pdf();

  expect(await page.evaluate('window.printed')).toEqual(numbersUpTo(111));
  await expect.poll(() => cards(page).count()).toBeLessThan(100);
  expect(await scrollY(page)).toBe(0);
});

test('the catalogue of an admin numbers 10,000 books right, and takes few nodes', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  await rows(page).first().waitFor();
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '-1');
  const { numbers, maxNodes: nodes, blanks } = await scrollThrough(page, catalogue, 500);
  expect(numbers).toEqual(numbersUpTo(500));
  expect(nodes).toBeLessThan(maxNodes);
  expect(blanks).toBe(0);

  await scrollToNumber(page, catalogue, bookCount);

  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(bookCount + 1));
  for (const row of [rows(page).last(), rows(page).nth(-20)]) {
    const index = Number(await row.getAttribute('aria-rowindex'));
    await expect(row.getByRole('cell').first()).toHaveText(String(index - 1));
    await expect(row.getByRole('cell').nth(1)).toHaveText(new RegExp(`^Work ${index - 1}(,|$)`));
  }
  await expect(rows(page).last()).toHaveAttribute('aria-rowindex', String(bookCount + 1));
  expect(await nodesOf(page)).toBeLessThan(maxNodes);
});

test('the columns of a long table keep their width while it is scrolled', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  const widths = () =>
    page.evaluate(`[...document.querySelectorAll('thead tr > *')].map((cell) => cell.clientWidth)`);
  await rows(page).first().waitFor();
  const before = await widths();

  await scrollToNumber(page, catalogue, bookCount);

  expect(await widths()).toEqual(before);
});

test('a reload deep in the catalogue shows the same rows', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  await rows(page).first().waitFor();
  await scrollToNumber(page, catalogue, 1_000);
  await scrollToPart(page, catalogue, 0.7);
  const inView = await itemsInView(page, catalogue);

  await page.reload();

  await expect.poll(() => itemsInView(page, catalogue)).toEqual(samePlace(inView));
});

test('after a deletion deep in the catalogue Tab goes on to the next row, and Undo gives the focus to the restored one', async ({
  page,
}) => {
  await signInAndOpen(page, '/admin');
  await rows(page).first().waitFor();
  await scrollToNumber(page, catalogue, 1_000);
  await scrollToPart(page, catalogue, 0.6);
  const number = await numberInView(page, catalogue);
  await deleteButton(page, number).focus();
  await page.keyboard.press('Enter');

  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await expect(deleteButton(page, number)).toHaveCount(0);
  await page.evaluate('window.scrollBy(0, -20_000)');
  await expect(deleteButton(page, number - 8)).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(deleteButton(page, number + 1)).toBeFocused();
  const next = rows(page).filter({ has: deleteButton(page, number + 1) });
  await expect(next.getByRole('cell').first()).toHaveText(String(number));

  await page.evaluate('window.scrollTo(0, 0)');
  await page.getByRole('button', { name: 'Undo' }).focus();
  await expect(deleteButton(page, number - 8)).toHaveCount(0);
  await page.keyboard.press('Enter');

  await expect(deleteButton(page, number)).toBeFocused();
  await expect(deleteButton(page, number)).toBeInViewport();
  await expect(next.getByRole('cell').first()).toHaveText(String(number + 1));
});
