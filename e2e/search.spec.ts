/** A search of the shelf, and the suggestions below its field. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { frankenstein, janeEyre, testBooks } from './test-books.ts';
import { heading, searchField, tabTo, titles } from './visitor.ts';

test('a visitor searches: words in any order, a misspelling, nothing; and Back undoes each', async ({
  page,
}) => {
  const nothing = page.getByText('No books match “frankenstien”.');
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
    await expect(titles(page)).toHaveText([frankenstein.title]);
    await expect(searchField(page)).toHaveValue('frankenstien');
  });
  await test.step('or what was typed', async () => {
    await tabTo(page.getByRole('link', { name: 'Search for frankenstien as typed' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/?q=frankenstien&spelling=as-typed');
    await expect(nothing).toBeVisible();
    await expect(heading(page)).toBeFocused();
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
  await test.step('nothing leads on to words, the nearest books and the newest', async () => {
    await searchField(page).fill('jane frankenstein');
    const offer = page.locator('p').filter({ hasText: 'These words find books' });
    await expect(offer.getByRole('link')).toHaveText(['jane', 'frankenstein']);
    const region = (name: string) => page.getByRole('region', { name }).getByRole('link');
    await expect(region('Nearest to it')).toHaveCount(2);
    await expect(region('Newest')).toHaveCount(testBooks.length);
    await offer.getByRole('link', { name: 'frankenstein' }).click();
    await expect(titles(page)).toHaveText([frankenstein.title]);
    await searchField(page).fill('qwertz');
    await page.getByRole('button', { name: 'Show all books' }).press('Enter');
    await expect(titles(page)).toHaveCount(testBooks.length);
    await expect(heading(page)).toBeFocused();
  });
});

test('a search begins 200 ms after the last key, at once with Enter, and Back undoes it as a whole', async ({
  page,
}) => {
  // A clock that stands still tells what happens at once from what happens later.
  await page.clock.install();
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.clock.pauseAt(Date.now() + 60_000);
  const typeFor200Ms = async (query: string) => {
    await searchField(page).fill(query);
    await page.clock.runFor(200);
  };
  await searchField(page).pressSequentially('jan');
  await page.clock.runFor(199);
  await searchField(page).press('e');
  await page.clock.runFor(199);
  await expect(page).toHaveURL('/');
  await page.clock.runFor(1);
  await expect(page).toHaveURL('/?q=jane');

  await typeFor200Ms('jane eyre');
  await page.clock.runFor(1500);
  await searchField(page).fill('sult');
  await searchField(page).press('Enter');
  await expect(page).toHaveURL('/?q=sult');
  await typeFor200Ms('ulysses');
  await page.clock.resume();
  for (const query of ['sult', 'jane eyre']) {
    await page.goBack();
    await expect(searchField(page)).toHaveValue(query);
    await expect(titles(page)).toHaveCount(1);
  }
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
});

test('a newer search aborts those before it, whose responses change nothing', async ({ page }) => {
  const releases = new Map<string, () => void>();
  await page.route('**/books?q=*', async (route) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    releases.set(new URL(route.request().url()).search, release);
    await released;
    // Fails for the requests that the page has aborted by now.
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
    await searchField(page).fill(query);
    await requested;
  }
  // Long before the time in which a response must arrive.
  await expect.poll(() => aborted).toEqual(['?q=jane', '?q=ulysses']);
  const shownTitles: string[] = [];
  await page.exposeFunction('onTitles', (text: string) => shownTitles.push(text));
  await page.evaluate(`new MutationObserver(() => {
    onTitles([...document.querySelectorAll('h2')].map(({ textContent }) => textContent).join());
  }).observe(document.body, { childList: true, subtree: true })`);

  for (const query of ['ulysses', 'jane', 'sult']) releases.get(`?q=${query}`)?.();

  await expect(titles(page)).toHaveText(['Sult']);
  await page.waitForLoadState('networkidle');
  expect(new Set(shownTitles)).toEqual(new Set(['Sult']));
});

const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const options = (page: Page) => suggestions(page).getByRole('option');

test('suggestions of authors and books are taken by the keyboard, or by a click', async ({ page, store }) => {
  await store.addBook({ title: 'Villette', author: 'Charlotte Brontë' });
  await page.goto('/');
  await searchField(page).focus();
  // Their code is loaded then.
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
  await test.step('those that come late do not replace those of what was typed since', async () => {
    const late = await holdBack(page, '**/suggest?q=sul');
    await searchField(page).fill('sul');
    await late.requested;
    await searchField(page).fill('ulys');
    await expect(options(page)).toHaveText([/^Ulysses/]);
    late.release();
    await page.waitForLoadState('networkidle');
    await expect(options(page)).toHaveText([/^Ulysses/]);
  });
  await test.step('a book leads to its page', async () => {
    await options(page).click();
    const checkout = await store.checkoutOf('Ulysses');
    await expect(page).toHaveURL(checkout.replace('checkout', 'books'));
  });
});
