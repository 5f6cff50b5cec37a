import type { Page, Request } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { addVolumes, frankenstein, janeEyre, testBooks } from './test-books.ts';

const titles = (page: Page) => page.getByRole('list', { name: 'Books' }).getByRole('heading', { level: 2 });

/** @returns the paths and queries of the page's `GET /books` calls; later calls are added to it. */
const watchBookCalls = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/books') calls.push(pathname + search);
  });
  return calls;
};

const field = (page: Page) => page.getByLabel('Search');
const sortOrder = (page: Page) => page.getByLabel('Sort by');

const addressOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

/** Opens the shelf with a clock that stands still, so that what happens at once can be told from what happens later. */
async function openWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1000'));
}

/** Types with the clock stopped, and lets the time pass in which the search begins. */
async function typeFor200Ms(page: Page, query: string): Promise<void> {
  await field(page).fill(query);
  await page.clock.runFor(200);
}

test('home shows every book with its cover, newest first', async ({ page }) => {
  await page.goto('/');

  await expect(titles(page)).toHaveText(testBooks.map(({ title }) => title));
  for (const { title } of testBooks) {
    await expect(page.getByAltText(`Cover of ${title}`)).not.toHaveJSProperty('naturalWidth', 0);
  }
});

test('home fetches the books exactly once', async ({ page }) => {
  const calls = watchBookCalls(page);

  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.waitForLoadState('networkidle');

  expect(calls).toEqual(['/books']);
});

test('a book whose image does not load has a placeholder cover with its title and author', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/images\.invalid|ERR_NAME_NOT_RESOLVED/);
  await store.addBook({ title: 'Nowhere to Be Seen', image: 'https://images.invalid/none.webp' });

  await page.goto('/');

  const placeholder = page.locator('div[role=img][aria-label="Cover of Nowhere to Be Seen"]');
  await expect(placeholder).toContainText('Nowhere to Be Seen');
  await expect(placeholder).toContainText('A. Writer');
});

test('a search matches words of title and author in any order, case and accents', async ({ page }) => {
  await page.goto('/');
  await field(page).fill('BRONTE jane');

  await expect(titles(page)).toHaveText([janeEyre.title]);
  await expect(page).toHaveURL('/?q=BRONTE+jane');
});

test('a search that finds nothing shows a message, and leads back to all books', async ({ page }) => {
  await page.goto('/?q=qwertz');
  await expect(page.getByText('Nothing on the shelf matches “qwertz”.')).toBeVisible();

  await page.getByRole('button', { name: 'Show all books' }).click();

  await expect(titles(page)).toHaveCount(testBooks.length);
  await expect(field(page)).toHaveValue('');
});

test('a search whose first pages are empty goes on by itself, and shows what it finds', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const link = (limit: number) => ({ link: `</books?q=jane&limit=${limit}>; rel="next"` });
  await page.route('**/books?q=jane', (route) => route.fulfill({ json: [], headers: link(199) }));
  await page.route('**/books?q=jane&limit=199', (route) => route.fulfill({ json: [], headers: link(198) }));
  await page.route('**/books?q=jane&limit=198', async (route) => {
    await released;
    await route.continue();
  });
  const requested = page.waitForRequest('**/books?q=jane&limit=198');
  await page.goto('/?q=jane');

  await requested;
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('Nothing on the shelf matches')).toBeHidden();
  release();

  await expect(titles(page)).toHaveText([janeEyre.title]);
  await expect(page.getByText('1 book for jane', { exact: true })).toBeVisible();
});

test('a newer search aborts the request before it, whose late response changes nothing', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/books?q=ulysses', async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  const aborted: string[] = [];
  page.on('requestfailed', (request) => aborted.push(new URL(request.url()).search));
  await page.goto('/');
  const requested = page.waitForRequest('**/books?q=ulysses');
  await field(page).fill('ulysses');
  await requested;

  await field(page).fill('sult');
  await expect(titles(page)).toHaveText(['Sult']);
  // Long before the time in which a response must arrive.
  await expect.poll(() => aborted, { timeout: 10_000 }).toEqual(['?q=ulysses']);
  release();
  await page.waitForLoadState('networkidle');

  await expect(titles(page)).toHaveText(['Sult']);
});

test('responses that arrive out of order show the results of the last search only', async ({ page }) => {
  const releases = new Map<string, () => void>();
  await page.route('**/books?q=*', async (route) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    releases.set(new URL(route.request().url()).search, release);
    await released;
    // The page has aborted the requests before the last one by now.
    await route.continue().catch(() => {});
  });
  await page.goto('/');
  for (const query of ['j', 'jane', 'ulysses', 'sult']) {
    const requested = page.waitForRequest(`**/books?q=${query}`);
    await field(page).fill(query);
    await requested;
  }
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

test('a search begins 200 ms after the last key, and at once with Enter', async ({ page }) => {
  await openWithStoppedClock(page);

  await field(page).pressSequentially('sul');
  await page.clock.runFor(199);
  await field(page).press('t');
  await page.clock.runFor(199);
  expect(addressOf(page)).toBe('/');
  await page.clock.runFor(1);
  await expect(page).toHaveURL('/?q=sult');

  await field(page).fill('jane');
  await field(page).press('Enter');
  await expect(page).toHaveURL('/?q=jane');
  await page.clock.resume();
  await expect(titles(page)).toHaveText([janeEyre.title]);
});

test('Escape clears the search at once, shows all books and keeps the focus', async ({ page }) => {
  await openWithStoppedClock(page);
  await typeFor200Ms(page, 'sult');
  await expect(page).toHaveURL('/?q=sult');

  await field(page).press('Escape');

  await expect(page).toHaveURL('/');
  await expect(field(page)).toHaveValue('');
  await expect(field(page)).toBeFocused();
  await page.clock.resume();
  await expect(titles(page)).toHaveCount(testBooks.length);
});

test('the number of books found is shown, and the books do not move for it', async ({ page }) => {
  await page.goto('/');
  const list = page.getByRole('list', { name: 'Books' });
  const before = await list.boundingBox();

  await field(page).fill('ja');
  await expect(page.getByRole('status').filter({ hasText: '2 books for ja' })).toBeVisible();
  await field(page).fill('sult');
  await expect(page.getByRole('status').filter({ hasText: '1 book for sult' })).toBeVisible();

  expect((await list.boundingBox())?.y).toBe(before?.y);
});

test('a misspelt search shows what similar words find, and can be made as typed', async ({ page }) => {
  await page.goto('/');
  await field(page).fill('frankenstien');

  await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
  await expect(page.getByText('Nothing matches “frankenstien”.')).toBeVisible();
  await expect(titles(page)).toHaveText([frankenstein.title]);
  await expect(field(page)).toHaveValue('frankenstien');
  await page.getByRole('link', { name: 'Search for frankenstien as typed' }).click();

  await expect(page).toHaveURL('/?q=frankenstien&spelling=as-typed');
  await expect(page.getByText('Nothing on the shelf matches “frankenstien”.')).toBeVisible();
  await expect(field(page)).toHaveValue('frankenstien');
  await page.getByText('Did you mean frankenstein?').getByRole('link').click();

  await expect(page).toHaveURL('/?q=frankenstein');
  await expect(titles(page)).toHaveText([frankenstein.title]);
  await expect(field(page)).toHaveValue('frankenstein');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/?q=frankenstien');
  await expect(page.getByText('Results for frankenstein: 1 book.')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(field(page)).toHaveValue('');
});

test('a search that finds nothing offers the words that find something', async ({ page }) => {
  await page.goto('/?q=jane+sult');

  const offer = page.getByText('These words find books');
  await expect(offer.getByRole('link')).toHaveText(['jane', 'sult']);
  await offer.getByRole('link', { name: 'sult' }).click();

  await expect(page).toHaveURL('/?q=sult');
  await expect(titles(page)).toHaveText(['Sult']);
});

test('Back undoes a search as a whole, however it was typed', async ({ page }) => {
  await openWithStoppedClock(page);
  for (const query of ['j', 'jane', 'jane eyre']) await typeFor200Ms(page, query);
  await page.clock.runFor(1500);
  await typeFor200Ms(page, 'sul');
  await typeFor200Ms(page, 'sult');
  await field(page).press('Enter');
  await typeFor200Ms(page, 'ulysses');
  await page.clock.resume();

  for (const query of ['sult', 'jane eyre']) {
    await page.goBack();
    await expect(field(page)).toHaveValue(query);
    await expect(titles(page)).toHaveCount(1);
  }
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(field(page)).toHaveValue('');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.goForward();
  await expect(field(page)).toHaveValue('jane eyre');
  await expect(titles(page)).toHaveText([janeEyre.title]);
});

test('Back returns to the scroll position, and to the field or the link that had the focus', async ({
  page,
  store,
}) => {
  await addVolumes(store.db, 40);
  await signInAndOpen(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(titles(page)).toHaveCount(40 + testBooks.length);
  await page.evaluate('window.scrollTo(0, 60)');
  await field(page).fill('volume');
  await field(page).press('Enter');
  await expect(titles(page)).toHaveCount(40);
  const link = page.getByRole('link', { name: 'BUY NOW: Volume 0025' });
  await link.focus();
  const scrollPosition = await page.evaluate<number>('window.scrollY');
  expect(scrollPosition).toBeGreaterThan(500);

  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();
  await page.goBack();

  await expect(link).toBeFocused();
  expect(await page.evaluate<number>('window.scrollY')).toBe(scrollPosition);
  await page.goBack();
  await expect(titles(page)).toHaveCount(40 + testBooks.length);
  await expect(field(page)).toBeFocused();
  expect(await page.evaluate<number>('window.scrollY')).toBe(60);
});

test('the brand’s link shows all books from the first one on', async ({ page, store }) => {
  await addVolumes(store.db, 40);
  await page.goto('/?q=volume');
  await page.getByRole('article').last().scrollIntoViewIfNeeded();

  await page.evaluate(`document.querySelector('header a').click()`);

  await expect(titles(page)).toHaveCount(40 + testBooks.length);
  await expect.poll(() => page.evaluate<number>('window.scrollY')).toBe(0);
});

test('a search and the ways out of it need no pointer', async ({ page }) => {
  await page.goto('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
  await page.getByRole('button', { name: 'Login' }).focus();
  const press = async (keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  await press(['Tab', ...'frankenstien', 'Enter']);
  await expect(titles(page)).toHaveText([frankenstein.title]);
  await press(['Tab', 'Tab', 'Enter']);
  await expect(page.getByText('Did you mean frankenstein?')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await press(['Tab', 'Tab', 'Tab', 'Tab', 'Enter']);

  await expect(titles(page)).toHaveCount(testBooks.length);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the best match is the order of a search, until the visitor chooses another one', async ({ page }) => {
  const calls = watchBookCalls(page);
  await page.goto('/');
  await expect(sortOrder(page)).toHaveValue('newest');
  await expect(sortOrder(page).getByRole('option')).toHaveText([
    'Newest first',
    'Title, A to Z',
    'Price, lowest first',
  ]);
  await field(page).fill('ja');
  await expect(titles(page)).toHaveCount(2);
  await expect(sortOrder(page)).toHaveValue('best');

  await sortOrder(page).selectOption('Price, lowest first');
  await expect(page).toHaveURL('/?q=ja&sort=price');
  await expect(sortOrder(page)).toHaveValue('price');
  await field(page).fill('jane');
  await expect(page).toHaveURL('/?q=jane&sort=price');
  await expect(titles(page)).toHaveCount(1);
  await field(page).press('Escape');
  await expect(page).toHaveURL('/?sort=price');
  await expect(titles(page)).toHaveCount(testBooks.length);

  expect(calls).toEqual([
    '/books',
    '/books?q=ja',
    '/books?q=ja&sort=price',
    '/books?q=jane&sort=price',
    '/books?sort=price',
  ]);

  await sortOrder(page).selectOption('Newest first');
  await expect(page).toHaveURL('/');
});

test('Back undoes the choice of an order', async ({ page, store }) => {
  const [oldest, newest] = ['The Waves', 'The Waves, Illustrated'];
  await store.addBook({ title: oldest });
  await store.addBook({ title: newest });
  await page.goto('/?q=waves');
  await expect(titles(page)).toHaveText([oldest, newest]);
  await sortOrder(page).focus();
  await sortOrder(page).selectOption('Newest first');
  await expect(titles(page)).toHaveText([newest, oldest]);
  await expect(page).toHaveURL('/?q=waves&sort=newest');
  await field(page).focus();

  await page.goBack();

  await expect(page).toHaveURL('/?q=waves');
  await expect(sortOrder(page)).toHaveValue('best');
  await expect(sortOrder(page)).toBeFocused();
  await expect(titles(page)).toHaveText([oldest, newest]);
});

test('the shelf can be sorted by title and by price', async ({ page }) => {
  await page.goto('/');
  await sortOrder(page).selectOption('Price, lowest first');

  await expect(titles(page)).toHaveText(
    testBooks.toSorted((one, other) => one.priceCents - other.priceCents).map(({ title }) => title),
  );

  await sortOrder(page).selectOption('Title, A to Z');
  await expect(titles(page).first()).toHaveText(frankenstein.title);
});

test('an empty shelf shows the spinner and a message, and is not fetched again', async ({ page, store }) => {
  await store.db.deleteFrom('books').execute();
  const calls = watchBookCalls(page);

  await page.goto('/');

  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('The shelf is still empty.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual(['/books']);
});

test('an unknown address has status 404 and a link to the shelf', async ({ page, provokes }) => {
  provokes(/404 .*no-such-page/);
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);

  await page.getByRole('link', { name: 'Back to the shelf' }).click();

  await expect(page).toHaveURL('/');
  await expect(titles(page)).toHaveCount(testBooks.length);
});

test('the checkout of an unknown book shows a message and a link to the shelf', async ({
  page,
  provokes,
}) => {
  provokes(/404 .*\/checkout\/no-such-book/);
  provokes(/404 .*\/book\/no-such-book/);
  await signInAndOpen(page, '/checkout/no-such-book');
  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();

  await page.getByRole('link', { name: 'Back to the shelf' }).click();

  await expect(page).toHaveURL('/');
});
