import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { frankenstein, janeEyre, testBooks } from './test-books.ts';
import { heading, searchField, titles } from './visitor.ts';

const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const chip = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** Types until suggestions are there: their code is loaded with the first key. */
async function typeSlowly(page: Page, text: string): Promise<void> {
  await searchField(page).focus();
  await expect(searchField(page)).toHaveRole('combobox');
  await searchField(page).pressSequentially(text);
}

test('suggestions of authors and books are taken by the keyboard', async ({ page, store }) => {
  await store.addBook({ title: 'Villette', author: 'Charlotte Brontë' });
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length + 1);
  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  await typeSlowly(page, 'bro');

  await expect(suggestions(page)).toMatchAriaSnapshot(`
    - listbox "Suggestions":
      - option "Charlotte Brontë 2 books"
      - option /Villette Charlotte Brontë/
      - option /Jane Eyre Charlotte Brontë \\$12\\.99/
  `);
  await expect(searchField(page)).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(suggestions(page).getByRole('option', { selected: true })).toContainText('2 books');
  const active = await searchField(page).getAttribute('aria-activedescendant');
  await expect(page.locator(`#${active}`)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/?q=Charlotte+Bront%C3%AB');
  await expect(titles(page)).toHaveCount(2);
  await expect(suggestions(page)).toHaveCount(0);
  await expect(searchField(page)).toBeFocused();

  await searchField(page).fill('jane');
  await expect(suggestions(page).getByRole('option')).toHaveText([/Jane Eyre/]);
  for (const key of ['ArrowUp', 'Enter']) await page.keyboard.press(key);
  await expect(page).toHaveURL(
    await store.checkoutOf(janeEyre.title).then((path) => path.replace('checkout', 'books')),
  );
});

test('Escape closes the suggestions first, and then empties the field; a click takes one', async ({
  page,
}) => {
  await page.goto('/');
  await typeSlowly(page, 'shell');
  await expect(suggestions(page)).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(suggestions(page)).toHaveCount(0);
  await expect(searchField(page)).toHaveValue('shell');
  await page.keyboard.press('Escape');
  await expect(searchField(page)).toHaveValue('');

  await typeSlowly(page, 'shell');
  await suggestions(page).getByText('1 book').click();
  await expect(page).toHaveURL('/?q=Mary+Shelley');
  await expect(titles(page)).toHaveText([frankenstein.title]);
});

test('subjects, prices and letters are in the address, and Back takes one away', async ({ page, store }) => {
  for (const title of ['Persuasion', 'Emma']) await store.addBook({ title, keywords: 'Regency' });
  await page.goto('/?subject=regency');
  await expect(titles(page)).toHaveText(['Emma', 'Persuasion']);
  await page.mouse.move(10, 10);
  await expect(chip(page, 'Regency')).toHaveAttribute('aria-current', 'true');

  await chip(page, 'Under $10').click();
  await expect(page).toHaveURL('/?subject=regency&maxPrice=9.99');
  await expect(page.getByText('No books match what you chose.')).toBeVisible();
  await page.goBack();
  await expect(titles(page)).toHaveText(['Emma', 'Persuasion']);
  await chip(page, 'Regency').click();
  await expect(page).toHaveURL('/');

  await page.getByLabel('Sort by').selectOption('Title, A to Z');
  await chip(page, 'P').click();
  await expect(page).toHaveURL('/?sort=title&from=p');
  await expect(titles(page).first()).toHaveText('Persuasion');
  await page.reload();
  await expect(titles(page).first()).toHaveText('Persuasion');
  await page.getByLabel('Sort by').selectOption('Price, highest first');
  await expect(page).toHaveURL('/?sort=price-desc');
  await expect(titles(page).first()).toHaveText('紅樓夢');
});

test('beside few books, words that find more are named', async ({ page, store }) => {
  await store.addBook({ title: 'Frankenstien', author: 'Anon' });
  for (const number of [2, 3]) await store.addBook({ title: `Frankenstein ${number}`, author: 'Anon' });
  await page.goto('/?q=frankenstien');

  await expect(page.getByText('1 book for frankenstien. Also: frankenstein (3)')).toBeVisible();
  await page.getByRole('link', { name: 'frankenstein', exact: true }).click();
  await expect(titles(page)).toHaveCount(3);
});

test('where nothing is found, the nearest books and the newest ones are shown', async ({ page }) => {
  await page.goto('/?q=jane+frankenstein');

  await expect(page.getByRole('region', { name: 'Nearest to it' }).getByRole('link')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Newest' }).getByRole('link')).toHaveCount(testBooks.length);
  await expect(heading(page)).toHaveText('On the shelf');
});
