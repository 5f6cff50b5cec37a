/** The front of the shop: the table that the owner sets, and the rows. */

import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack, unpaint } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { heading, titles, undoButton } from './visitor.ts';

const subjects = 'Travel History Poetry Gardening Cookery Astronomy Architecture Music'.split(' ');

const linksOf = (page: Page, row: string) => page.getByRole('list', { name: row }).getByRole('link');
const covers = (page: Page) => linksOf(page, 'On the front table');

test('home begins with new books until the owner has set the table, by ticks and words', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*\/front-table/);
  await page.goto('/');
  await expect(heading(page)).toHaveText('New on the shelf');
  await expect(covers(page)).toHaveCount(5);
  await expect(covers(page).first()).toHaveAccessibleName(`${janeEyre.title}, ${janeEyre.author}`);

  await test.step('the owner puts a book on it, and words', async () => {
    await openSignedIn(page, deskViewAddress('books'));
    await page.getByRole('button', { name: 'Open: Ulysses' }).click();
    await page.getByLabel('On the front table').check();
    await expect(page.getByText('Ulysses is on the front table.')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Front table' }).click();
    await expectAccessible(page, 'the front table on the desk');
    const table = page.getByRole('list', { name: 'Books on the front table' });
    const onTable = table.getByRole('button', { name: /^Put first: / });
    await page.getByRole('button', { name: 'Remove: Ulysses' }).press('Enter');
    await expect(onTable).toHaveCount(0);
    await expect(undoButton(page)).toBeFocused();
    await undoButton(page).press('Enter');
    await expect(onTable).toHaveAccessibleName('Put first: Ulysses');
    await page.getByLabel('Heading').fill('Books for a long winter');
    await page.getByLabel('Heading').press('Enter');
    await expect(page.getByText('Saved the heading.')).toBeVisible();
  });
  await test.step('a book that is added stands first; an arrow key moves it, and a click puts another first', async () => {
    const onTable = page.getByRole('button', { name: /^Put first: / });
    const names = async () => await onTable.evaluateAll((all) => all.map((one) => one.ariaLabel?.slice(11)));
    await page.getByRole('combobox', { name: 'Add a book' }).fill('jane');
    await page.getByRole('option', { name: janeEyre.title }).click();
    await expect.poll(names).toEqual([janeEyre.title, 'Ulysses']);
    await onTable.first().press('ArrowRight');
    await expect.poll(names).toEqual(['Ulysses', janeEyre.title]);
    await expect(onTable.nth(1)).toBeFocused();
    await onTable.nth(1).click();
    await expect.poll(names).toEqual([janeEyre.title, 'Ulysses']);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.route('**/desk/api/front-table', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole('button', { name: 'Front table' }).click();
    await expect(page.getByRole('alert')).toContainText('The front table could not be fetched.');
  });
  await test.step('home has it, and Back leads to the cover', async () => {
    await page.goto('/');
    await expect(heading(page)).toHaveText('Books for a long winter');
    await expect(covers(page).first()).toHaveAccessibleName(`${janeEyre.title}, ${janeEyre.author}`);
    await covers(page).nth(1).click();
    await expect(heading(page)).toHaveText('Ulysses');
    await page.goBack();
    await expect(covers(page).nth(1)).toBeFocused();
  });
  await store.db.updateTable('front_table').set({ heading: '', words: '' }).execute();
});

test('the list waits for the table, and goes without one that fails', async ({ page, provokes }) => {
  provokes(/503 .*\/front/);
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

  await page.unroute('**/front');
  await page.route('**/front', (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(titles(page)).toHaveCount(testBooks.length);
  await expect(heading(page)).toHaveText('On the shelf');
});

test('the row of a subject is one stop of the Tab key, in which arrow keys move, and leads to all its books', async ({
  page,
  store,
}) => {
  for (let number = 1; number <= 18; number += 1)
    await store.addBook({ title: `Voyage ${number}`, keywords: 'Voyages' });
  // A subject needs at least two books.
  for (const keywords of [...subjects, ...subjects]) await store.addBook({ title: keywords, keywords });
  await page.goto('/');
  const links = linksOf(page, 'Voyages');
  await expect(links).toHaveCount(12);
  await links.first().focus();
  await expectAccessible(page, 'rows and subjects that are longer than the screen');
  await page.keyboard.press('End');
  await expect(links.last()).toBeFocused();
  await expect(links.last()).toBeInViewport();
  await page.keyboard.press('ArrowLeft');
  await expect(links.nth(10)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(links.nth(10)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(links.first()).toBeInViewport({ ratio: 1 });
  await expect(links.filter({ hasText: /Voyage 18/ })).toHaveAccessibleName('Voyage 18 $12.99 A. Writer');
  await page.getByRole('link', { name: 'See all 18: Voyages' }).click();
  await expect(heading(page)).toHaveText('Voyages');
  await expect(titles(page)).toHaveCount(18);
});
