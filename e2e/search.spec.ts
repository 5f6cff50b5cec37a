/** A search of the shelf, and the suggestions below its field. */

import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { frankenstein, janeEyre, testBooks } from './test-books.ts';
import { heading, scrollY, searchField, searchFor, tabTo, titles } from './visitor.ts';

test('a visitor searches: words in any order, a misspelling, nothing; and Back undoes each', async ({
  page,
  store,
}) => {
  const nothing = page.getByText('No books match “frankenstien”.');
  await page.goto('/?q=jane+frankenstein');
  await page.getByText('These words find').waitFor();
  await expectAccessible(page, 'a search whose words find books one by one');
  await page.goto('/');
  await test.step('words in any order, case and accents', async () => {
    await searchFor(page, 'BRONTE jane');
    await expect(heading(page)).toHaveText('“BRONTE jane”');
    await expect(heading(page)).toBeFocused();
    await expect(page.getByText('1 book', { exact: true })).toBeVisible();
    await expect(titles(page)).toHaveText([janeEyre.title]);
    await expect(page).toHaveURL('/?q=BRONTE+jane');
  });
  await test.step('a misspelling shows what similar words find', async () => {
    await searchFor(page, 'frankenstien');
    await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
    await expectAccessible(page, 'a misspelt search');
    await expect(titles(page)).toHaveText([frankenstein.title]);
    await expect(searchField(page)).toHaveValue('frankenstien');
  });
  await test.step('or what was typed', async () => {
    await tabTo(page.getByRole('link', { name: 'Search for frankenstien as typed' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/?q=frankenstien&spelling=as-typed');
    await expect(nothing).toBeVisible();
    await expect(heading(page)).toBeFocused();
    await expectAccessible(page, 'a misspelt search as typed');
    await page.getByText('Did you mean frankenstein?').getByRole('link').click();
    await expect(page).toHaveURL('/?q=frankenstein');
    await expect(searchField(page)).toHaveValue('frankenstein');
  });
  await test.step('a book that is found alone stands with its description, and below it others do', async () => {
    await store.addBook({ title: 'Emma', description: 'A heroine whom no one but myself will much like.' });
    await searchFor(page, 'emma');
    await expect(page.getByText('A heroine whom no one')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Beside it on the shelf' })).toBeVisible();
    await page.goBack();
  });
  await test.step('Back, three times', async () => {
    for (const address of ['/?q=frankenstien&spelling=as-typed', '/?q=frankenstien', '/?q=BRONTE+jane']) {
      await page.goBack();
      await expect(page).toHaveURL(address);
    }
    await expect(titles(page)).toHaveText([janeEyre.title]);
  });
});

test('a newer search aborts those before it', async ({ page }) => {
  const releases = new Map<string, () => void>();
  await page.route('**/books?q=*', async (route) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    releases.set(new URL(route.request().url()).search, release);
    await released;
    // This call fails for requests that the page has already aborted.
    await route.continue().catch(() => {});
  });
  const aborted: string[] = [];
  page.on('requestfailed', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/books') aborted.push(search);
  });
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  for (const query of ['jane', 'ulysses', 'sult']) {
    const requested = page.waitForRequest(`**/books?q=${query}`);
    await searchFor(page, query);
    await requested;
  }
  // The check comes long before the time limit of a response.
  await expect.poll(() => aborted).toEqual(['?q=jane', '?q=ulysses']);
  await expect.poll(() => releases.size).toBe(3);
  for (const query of ['ulysses', 'jane', 'sult']) releases.get(`?q=${query}`)?.();
  await expect(titles(page)).toHaveText(['Sult']);
});

const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });

test('suggestions of authors and books move nothing, and are taken by the keyboard or by a click', async ({
  page,
  store,
}) => {
  await store.addBook({ title: 'Villette', author: 'Charlotte Brontë' });
  await page.goto('/');
  await titles(page).first().waitFor();
  await page.evaluate('window.scrollTo(0, 200)');
  const placesOf = async () => [
    ...[await scrollY(page), (await searchField(page).boundingBox())?.y],
    (await titles(page).first().boundingBox())?.y,
  ];
  const places = await placesOf();
  await searchField(page).focus();
  // The code of the suggestions is loaded by then.
  await expect(searchField(page)).toHaveRole('combobox');
  await searchField(page).pressSequentially('bro');
  await test.step('an author and two books', async () => {
    await expect(suggestions(page)).toMatchAriaSnapshot(`
      - listbox "Suggestions":
        - option "Charlotte Brontë 2 books"
        - option /Villette Charlotte Brontë/
        - option /Jane Eyre Charlotte Brontë \\$12\\.99/
        - option "All results for “bro”"
    `);
    await expect(searchField(page)).toHaveAttribute('aria-expanded', 'true');
    expect(await placesOf()).toEqual(places);
  });
  await test.step('an arrow key chooses one, Enter takes it', async () => {
    await page.keyboard.press('ArrowDown');
    await expect(suggestions(page).getByRole('option', { selected: true })).toContainText('2 books');
    const active = await searchField(page).getAttribute('aria-activedescendant');
    await expect(page.locator(`#${active}`)).toHaveAttribute('aria-selected', 'true');
    await expectAccessible(page, 'suggestions');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/?q=Charlotte+Bront%C3%AB');
    await expect(titles(page)).toHaveCount(2);
    await expect(suggestions(page)).toHaveCount(0);
    await expect(heading(page)).toBeFocused();
  });
  await test.step('the last one has all results', async () => {
    await searchField(page).fill('vill');
    await suggestions(page).getByText('All results for “vill”').click();
    await expect(page).toHaveURL('/?q=vill');
    await expect(titles(page)).toHaveText(['Villette']);
  });
  await test.step('Escape closes them first, and then empties the field', async () => {
    await searchField(page).fill('shell');
    await expect(suggestions(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(suggestions(page)).toHaveCount(0);
    await expect(searchField(page)).toHaveValue('shell');
    await page.keyboard.press('Escape');
    await expect(searchField(page)).toHaveValue('');
  });
});
