/** A search of the shelf, and the suggestions below its field. */

import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { frankenstein, janeEyre, testBooks } from './test-books.ts';
import { heading, searchField, tabTo, titles } from './visitor.ts';

test('a visitor searches: words in any order, a misspelling, nothing; and Back undoes each', async ({
  page,
}) => {
  const nothing = page.getByText('No books match “frankenstien”.');
  await page.goto('/?q=jane+frankenstein');
  await page.getByText('These words find').waitFor();
  await expectAccessible(page, 'a search whose words find books one by one');
  await page.goto('/');
  await test.step('words in any order, case and accents', async () => {
    await searchField(page).fill('BRONTE jane');
    await searchField(page).press('Enter');
    await expect(page.getByRole('status').filter({ hasText: '1 book for BRONTE jane' })).toBeVisible();
    await expect(titles(page)).toHaveText([janeEyre.title]);
    await expect(page).toHaveURL('/?q=BRONTE+jane');
  });
  await test.step('a misspelling shows what similar words find', async () => {
    await searchField(page).fill('frankenstien');
    await searchField(page).press('Enter');
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
  page.on('requestfailed', (request) => aborted.push(new URL(request.url()).search));
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  for (const query of ['jane', 'ulysses', 'sult']) {
    const requested = page.waitForRequest(`**/books?q=${query}`);
    await searchField(page).fill(query);
    await requested;
  }
  // The check comes long before the time limit of a response.
  await expect.poll(() => aborted).toEqual(['?q=jane', '?q=ulysses']);
  await expect.poll(() => releases.size).toBe(3);
  for (const query of ['ulysses', 'jane', 'sult']) releases.get(`?q=${query}`)?.();
  await expect(titles(page)).toHaveText(['Sult']);
});

const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });

test('suggestions of authors and books are taken by the keyboard, or by a click', async ({ page, store }) => {
  await store.addBook({ title: 'Villette', author: 'Charlotte Brontë' });
  await page.goto('/');
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
    `);
    await expect(searchField(page)).toHaveAttribute('aria-expanded', 'true');
  });
  await test.step('an arrow key chooses one, Enter takes it', async () => {
    await page.keyboard.press('ArrowDown');
    await expect(suggestions(page).getByRole('option', { selected: true })).toContainText('2 books');
    const active = await searchField(page).getAttribute('aria-activedescendant');
    await expect(page.locator(`#${active}`)).toHaveAttribute('aria-selected', 'true');
    // The list behind the suggestions is pale until then.
    await page.getByText('2 books for').waitFor();
    await expectAccessible(page, 'suggestions');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/?q=Charlotte+Bront%C3%AB');
    await expect(titles(page)).toHaveCount(2);
    await expect(suggestions(page)).toHaveCount(0);
    await expect(searchField(page)).toBeFocused();
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
