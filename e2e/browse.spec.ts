import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { watchBookLists } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { addVolumes, frankenstein, janeEyre, testBooks } from './test-books.ts';
import { checkoutButton, heading, scrollY, searchField, tabTo, titles } from './visitor.ts';

const sortOrder = (page: Page) => page.getByLabel('Sort by');

/** Opens the shelf with a clock that stands still, so that what happens at once can be told from what happens later. */
async function openWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Types with the clock stopped, and lets the time pass in which the search begins. */
async function typeFor200Ms(page: Page, query: string): Promise<void> {
  await searchField(page).fill(query);
  await page.clock.runFor(200);
}

test('home fetches the books once and shows each with a cover', async ({ page, store, provokes }) => {
  provokes(/images\.invalid|ERR_NAME_NOT_RESOLVED/);
  await store.addBook({ title: 'Nowhere to Be Seen', image: 'https://images.invalid/none.webp' });
  const calls = watchBookLists(page);
  await page.goto('/');

  await expect(titles(page)).toHaveText(['Nowhere to Be Seen', ...testBooks.map(({ title }) => title)]);
  for (const { title } of testBooks) {
    await expect(page.getByAltText(`Cover of ${title}`)).not.toHaveJSProperty('naturalWidth', 0);
  }
  const drawn = page.locator('[data-cover]').first();
  await expect(drawn.locator('img')).toHaveCount(0);
  await expect(drawn.locator('[data-title]')).toHaveAttribute('data-title', 'Nowhere to Be Seen');
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual(['/books']);
});

test('a search finds words in any order, case and accents, and moves no book', async ({ page }) => {
  await page.goto('/');
  const list = page.getByRole('list', { name: 'Books' });

  await searchField(page).fill('ja');
  await expect(page.getByRole('status').filter({ hasText: '2 books for ja' })).toBeVisible();
  const before = await list.boundingBox();
  await searchField(page).fill('BRONTE jane');
  await expect(page.getByRole('status').filter({ hasText: '1 book for BRONTE jane' })).toBeVisible();

  await expect(titles(page)).toHaveText([janeEyre.title]);
  await expect(page).toHaveURL('/?q=BRONTE+jane');
  expect((await list.boundingBox())?.y).toBe(before?.y);
});

test('a search that finds nothing leads on to words and books that are there', async ({ page }) => {
  await page.goto('/?q=qwertz');
  await expect(page.getByText('No books match “qwertz”.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all books' }).press('Enter');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await expect(heading(page)).toBeFocused();
  await expect(searchField(page)).toHaveValue('');

  await searchField(page).fill('jane frankenstein');
  const offer = page.locator('p').filter({ hasText: 'These words find books' });
  await expect(offer.getByRole('link')).toHaveText(['jane', 'frankenstein']);
  await offer.getByRole('link', { name: 'frankenstein' }).click();

  await expect(page).toHaveURL('/?q=frankenstein');
  await expect(titles(page)).toHaveText([frankenstein.title]);
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
  for (const query of ['j', 'jane', 'ulysses', 'sult']) {
    const requested = page.waitForRequest(`**/books?q=${query}`);
    await searchField(page).fill(query);
    await requested;
  }
  // Long before the time in which a response must arrive.
  await expect.poll(() => aborted).toEqual(['?q=j', '?q=jane', '?q=ulysses']);
  const shownTitles: string[] = [];
  await page.exposeFunction('onTitles', (text: string) => shownTitles.push(text));
  await page.evaluate(`new MutationObserver(() => {
    onTitles([...document.querySelectorAll('h2')].map(({ textContent }) => textContent).join());
  }).observe(document.body, { childList: true, subtree: true })`);

  for (const query of ['ulysses', 'j', 'jane']) releases.get(`?q=${query}`)?.();
  await expect(page.getByRole('list', { name: 'Books' })).toHaveAttribute('aria-busy', 'true');
  releases.get('?q=sult')?.();

  await expect(titles(page)).toHaveText(['Sult']);
  await page.waitForLoadState('networkidle');
  expect(new Set(shownTitles)).toEqual(new Set(['Sult']));
});

test('a search begins 200 ms after the last key, at once with Enter and Escape', async ({ page }) => {
  await openWithStoppedClock(page);

  await searchField(page).pressSequentially('sul');
  await page.clock.runFor(199);
  await searchField(page).press('t');
  await page.clock.runFor(199);
  await expect(page).toHaveURL('/');
  await page.clock.runFor(1);
  await expect(page).toHaveURL('/?q=sult');

  await searchField(page).fill('jane');
  await searchField(page).press('Enter');
  await expect(page).toHaveURL('/?q=jane');

  await searchField(page).press('Escape');
  await expect(page).toHaveURL('/');
  await expect(searchField(page)).toHaveValue('');
  await expect(searchField(page)).toBeFocused();
  await page.clock.resume();
  await expect(titles(page)).toHaveCount(testBooks.length);
});

test('a misspelt search shows what similar words find, or what was typed', async ({ page }) => {
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await searchField(page).focus();
  for (const key of [...'frankenstien', 'Enter']) await page.keyboard.press(key);

  await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
  await expect(page.getByText('No books match “frankenstien”.')).toBeVisible();
  await expect(titles(page)).toHaveText([frankenstein.title]);
  await expect(searchField(page)).toHaveValue('frankenstien');
  await tabTo(page.getByRole('link', { name: 'Search for frankenstien as typed' }));
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/?q=frankenstien&spelling=as-typed');
  await expect(page.getByText('No books match “frankenstien”.')).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await page.getByText('Did you mean frankenstein?').getByRole('link').click();

  await expect(page).toHaveURL('/?q=frankenstein');
  await expect(titles(page)).toHaveText([frankenstein.title]);
  await expect(searchField(page)).toHaveValue('frankenstein');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/?q=frankenstien');
  await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(searchField(page)).toHaveValue('');
});

test('Back undoes a search as a whole, however it was typed', async ({ page }) => {
  await openWithStoppedClock(page);
  for (const query of ['j', 'jane', 'jane eyre']) await typeFor200Ms(page, query);
  await page.clock.runFor(1500);
  await typeFor200Ms(page, 'sul');
  await typeFor200Ms(page, 'sult');
  await searchField(page).press('Enter');
  await typeFor200Ms(page, 'ulysses');
  await page.clock.resume();

  for (const query of ['sult', 'jane eyre']) {
    await page.goBack();
    await expect(searchField(page)).toHaveValue(query);
    await expect(titles(page)).toHaveCount(1);
  }
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(searchField(page)).toHaveValue('');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.goForward();
  await expect(searchField(page)).toHaveValue('jane eyre');
  await expect(titles(page)).toHaveText([janeEyre.title]);
});

test('Back returns to the scroll position and to what had the focus', async ({ page, store }) => {
  await addVolumes(store.db, 40);
  const count = 40 + testBooks.length;
  await openSignedIn(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(titles(page)).toHaveCount(count);
  await page.evaluate('window.scrollTo(0, 60)');
  await searchField(page).fill('volume');
  await searchField(page).press('Enter');
  await expect(titles(page)).toHaveCount(40);
  const link = page.getByRole('link', { name: 'BUY NOW: Volume 0025' });
  await link.focus();
  const scrollPosition = await scrollY(page);
  expect(scrollPosition).toBeGreaterThan(500);

  await page.keyboard.press('Enter');
  await expect(checkoutButton(page)).toBeVisible();
  await page.goBack();
  await expect(link).toBeFocused();
  await expect.poll(() => scrollY(page)).toBe(scrollPosition);
  await page.goBack();
  await expect(titles(page)).toHaveCount(count);
  await expect(searchField(page)).toBeFocused();
  await expect.poll(() => scrollY(page)).toBe(60);

  await page.goForward();
  await expect(titles(page)).toHaveCount(40);
  await page.getByRole('article').last().scrollIntoViewIfNeeded();
  await page.evaluate(`document.querySelector('header a').click()`);
  await expect(titles(page)).toHaveCount(count);
  await expect.poll(() => scrollY(page)).toBe(0);
});

test('the shelf has an order, a search its own, and Back undoes a choice', async ({ page, store }) => {
  const byPrice = testBooks.toSorted((one, other) => one.priceCents - other.priceCents);
  await page.goto('/');
  await expect(sortOrder(page)).toHaveValue('newest');
  await expect(sortOrder(page).getByRole('option')).toHaveText([
    ...['Newest first', 'Title, A to Z', 'Author, A to Z', 'Price, lowest first', 'Price, highest first'],
  ]);
  await sortOrder(page).selectOption('Price, lowest first');
  await expect(titles(page)).toHaveText(byPrice.map(({ title }) => title));
  await expect(page).toHaveURL('/?sort=price');
  await sortOrder(page).selectOption('Title, A to Z');
  await expect(titles(page).first()).toHaveText(frankenstein.title);
  await sortOrder(page).selectOption('Newest first');
  await expect(page).toHaveURL('/');

  const [oldest, newest] = ['The Waves', 'The Waves, Illustrated'];
  await store.addBook({ title: oldest });
  await store.addBook({ title: newest });
  await searchField(page).fill('waves');
  await expect(titles(page)).toHaveText([oldest, newest]);
  await expect(sortOrder(page)).toHaveValue('best');
  await sortOrder(page).focus();
  await sortOrder(page).selectOption('Newest first');
  await expect(titles(page)).toHaveText([newest, oldest]);
  await expect(page).toHaveURL('/?q=waves&sort=newest');
  await searchField(page).focus();
  await page.goBack();

  await expect(page).toHaveURL('/?q=waves');
  await expect(sortOrder(page)).toHaveValue('best');
  await expect(sortOrder(page)).toBeFocused();
  await expect(titles(page)).toHaveText([oldest, newest]);
});

test('an empty shelf shows the spinner and a message, and is not fetched again', async ({ page, store }) => {
  await store.db.deleteFrom('books').execute();
  const calls = watchBookLists(page);

  await page.goto('/');

  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('The shelf is still empty.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual(['/books']);
});

test('an unknown address and an unknown book lead to the shelf', async ({ page, provokes }) => {
  provokes(/404 .*no-such-page/);
  provokes(/404 .*\/checkout\/no-such-book/);
  provokes(/404 .*\/book\/no-such-book/);
  const back = page.getByRole('link', { name: 'Back to the shelf' });
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);
  await back.click();
  await expect(page).toHaveURL('/');

  await openSignedIn(page, '/checkout/no-such-book');
  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();
  await back.click();
  await expect(page).toHaveURL('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
});
