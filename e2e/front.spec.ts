/** The front of the shop: the table that the owner sets, the rows, and the end of a long shelf. */

import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { holdBack, unpaint } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { addVolumes, janeEyre, testBooks } from './test-books.ts';
import { heading, searchField, titles } from './visitor.ts';

const table = (page: Page) => page.getByRole('list', { name: 'On the front table' });
const row = (page: Page, name: string) => page.getByRole('list', { name });
const newThisWeek = (page: Page) => row(page, 'New this week');
const covers = (page: Page) => table(page).getByRole('link');
const shelf = (page: Page) => page.getByRole('list', { name: 'Books' });
const button = (page: Page, sign: string) => page.locator('section button').filter({ hasText: sign });
const nameOf = ({ title, author }: { title: string; author: string }) => `${title}, ${author}`;

/** The sum of the layout shifts since the page was opened. */
const recordShifts = (page: Page) =>
  page.addInitScript(`
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
const shifts = (page: Page) => page.evaluate<number>('window.shifts');

test('home begins with new books until the owner has set the table, by ticks and words', async ({
  page,
  store,
}) => {
  await page.goto('/');
  await expect(heading(page)).toHaveText('New on the shelf');
  await expect(covers(page)).toHaveCount(5);
  await expect(covers(page).first()).toHaveAccessibleName(nameOf(janeEyre));
  await expect(page.getByRole('heading', { name: 'On the shelf, 6 books' })).toBeVisible();

  await openSignedIn(page, deskViewAddress('books'));
  for (const { title } of [testBooks[3], testBooks[4]]) {
    await page.getByRole('button', { name: `Edit: ${title}` }).click();
    await page.getByLabel('On the front table').check();
    await expect(page.getByText('The home screen shows it now.')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
  await page.getByRole('button', { name: 'Front table' }).click();
  await page.getByLabel('Heading').fill('Books for a long winter');
  await page.getByLabel('A sentence or two').fill('Two of them, to begin with.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved the words of the front table.')).toBeVisible();
  await page.getByRole('button', { name: 'Front table' }).click();
  const onTable = page.getByRole('list', { name: 'Books on the front table' }).getByRole('listitem');
  await expect(onTable).toHaveText([/^紅樓夢/, /^Ulysses/]);
  await page.getByRole('button', { name: 'Remove: 紅樓夢' }).click();
  await expect(onTable).toHaveText([/^Ulysses/]);

  await page.goto('/');
  await expect(heading(page)).toHaveText('Books for a long winter');
  await expect(page.getByText('Two of them, to begin with.')).toBeVisible();
  await expect(covers(page)).toHaveCount(1);
  const [ulysses] = await store.booksNamed('Ulysses');
  await expect(covers(page)).toHaveAttribute('href', `/books/${ulysses?.id}`);
  await covers(page).click();
  await expect(heading(page)).toHaveText('Ulysses');
  await page.goBack();
  await expect(covers(page)).toBeFocused();
  await store.db.updateTable('front_table').set({ heading: '', words: '' }).execute();
});

test('the list waits for the table, whose room is kept, and goes without one that fails', async ({
  page,
  provokes,
}) => {
  provokes(/503 .*\/front/);
  await recordShifts(page);
  await unpaint(page);
  const { requested, release } = await holdBack(page, '**/front');
  const listed = page.waitForResponse('**/books');
  await page.goto('/');
  await requested;
  await (await listed).finished();
  await expect(page.getByText('Loading...', { exact: true })).toBeInViewport();
  await expect(page.getByRole('article')).toHaveCount(0);

  release();

  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.waitForLoadState('networkidle');
  expect(await shifts(page)).toBeLessThanOrEqual(0.02);

  await page.unroute('**/front');
  await page.route('**/front', (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(titles(page)).toHaveCount(testBooks.length);
  await expect(heading(page)).toHaveText('On the shelf');
});

test('the covers of the table stand beside its words, at each width', async ({ page }) => {
  await page.goto('/');
  for (const width of [960, 1024, 1120, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const [words, list] = [await heading(page).boundingBox(), await table(page).boundingBox()];
    const first = await covers(page).first().boundingBox();
    if (!words || !list || !first) throw new Error('the table has no words or no covers');
    expect([width, words.x + words.width <= first.x, first.x >= list.x - 1]).toEqual([width, true, true]);
  }
});

test('a search shows its field and what it finds alone', async ({ page, store }) => {
  await addVolumes(store.db, 12);
  await page.goto('/');
  await expect(newThisWeek(page)).toBeVisible();

  await searchField(page).fill('jane');

  await expect(titles(page)).toHaveText([janeEyre.title]);
  await expect(searchField(page)).toBeFocused();
  await expect(page.getByRole('main').getByRole('list')).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(1);
  await page.goBack();
  await expect(newThisWeek(page)).toBeVisible();
  await expect(table(page)).toBeVisible();
});

test('a row is one stop of the Tab key, and scrolls by keys and buttons', async ({ page, store }) => {
  await addVolumes(store.db, 20);
  await page.goto('/');
  const links = newThisWeek(page).getByRole('link');
  await expect(links).toHaveCount(12);
  await expect(links.last()).not.toBeInViewport();

  await links.first().focus();
  // Their code has come: so have the keys.
  await expect(button(page, '→')).toBeAttached();
  await page.keyboard.press('End');
  await expect(links.last()).toBeFocused();
  await expect(links.last()).toBeInViewport();
  await page.keyboard.press('ArrowLeft');
  await expect(links.nth(10)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(shelf(page).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(links.nth(10)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(links.first()).toBeInViewport({ ratio: 1 });

  await newThisWeek(page).hover();
  await expect(button(page, '←')).toBeHidden();
  await button(page, '→').click();
  await expect(links.last()).toBeInViewport();
  await button(page, '←').click();
  await expect(links.first()).toBeInViewport({ ratio: 1 });
});
