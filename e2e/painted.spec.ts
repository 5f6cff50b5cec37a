import type { Page } from '@playwright/test';
import { screens } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { holdBack, watchBookLists } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { heading, searchField, titles } from './visitor.ts';

/** The scripts of the page wait until `release` is called: it is as the server has painted it. */
const holdScripts = (page: Page) => holdBack(page, '**/assets/*.js');

/** Marks the heading that is there, to see whether it stays. */
const mark = (page: Page) => heading(page).evaluate((element) => element.setAttribute('data-mark', ''));
const isMarked = (page: Page) => expect(heading(page)).toHaveAttribute('data-mark', '');

test('home is painted before its script, which takes it over as it is', async ({ page }) => {
  const calls = watchBookLists(page);
  const { release } = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });

  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Orders' })).toBeVisible();
  await expect(searchField(page)).toHaveAttribute('placeholder', `Search ${testBooks.length} books`);
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').locator('[data-cover] img').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Log/ })).toHaveCount(0);
  await mark(page);

  release();

  await expect(titles(page)).toHaveCount(testBooks.length);
  await isMarked(page);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(calls).toEqual(['/books']);
});

test('the name of the store stands as high on every screen, before its script and after it', async ({
  page,
  store,
}) => {
  const [book] = await store.booksNamed(janeEyre.title);
  await openSignedIn(page, screens.orders);
  const name = page.getByRole('banner').getByRole('link', { name: 'Colophon' });
  const topOf = async () => (await name.boundingBox())?.y;
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(screens.home);
    const top = await topOf();
    for (const address of [screens.orders, screens.admin, screens.checkout(book?.id ?? '')]) {
      const { release } = await holdScripts(page);
      await page.goto(address, { waitUntil: 'commit' });
      // Its style sheet may not be there yet.
      await expect.poll(topOf, { message: `${address} painted, ${width}` }).toBe(top);

      release();

      await expect(heading(page)).toBeVisible();
      expect(await topOf(), `${address}, ${width}`).toBe(top);
      await page.unrouteAll();
    }
  }
});

for (const [path, title] of [
  ['/orders', 'Ordered books list:'],
  ['/desk/orders', 'Orders'],
] as const) {
  test(`the page of ${path} asks for the session before its script is there, once, and says that it loads`, async ({
    page,
  }) => {
    await openSignedIn(page, path);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    const { release } = await holdScripts(page);
    const session = page.waitForResponse('**/auth/session');
    await page.goto(path, { waitUntil: 'commit' });
    await session;
    await expect(page.getByRole('status')).toHaveText('Loading...');

    release();

    await expect(heading(page)).toHaveText(title);
    expect(calls.filter((called) => called === '/auth/session')).toHaveLength(1);
  });
}

test('the style sheets of a painted page come before its font', async ({ page }) => {
  const fonts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'font' && fonts.push(request.url()));
  const { requested, release } = await holdBack(page, '**/assets/*.css');
  const picture = page.waitForResponse((response) => response.request().resourceType() === 'image');
  await page.goto('/', { waitUntil: 'commit' });
  await requested;
  await picture;
  expect(fonts).toEqual([]);

  release();

  await expect(heading(page)).toBeVisible();
  await expect.poll(() => fonts.length).toBeGreaterThan(0);
});

test('the page of a book, the login and an unknown address are painted too', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*no-such-page/);
  const [book] = await store.booksNamed(janeEyre.title);
  for (const [address, name] of [
    [screens.book(book?.id ?? ''), janeEyre.title],
    [screens.login, 'Come in'],
    ['/no-such-page', 'We can’t find that page'],
  ] as const) {
    const { release } = await holdScripts(page);
    // The page itself asks for it.
    const session = page.waitForResponse('**/auth/session').catch(() => undefined);
    await page.goto(address, { waitUntil: 'commit' });
    await expect(heading(page)).toHaveText(name);
    await mark(page);

    release();

    if (address !== '/no-such-page') await session;
    await page.waitForLoadState('networkidle');
    await isMarked(page);
    await page.unrouteAll();
  }
});

test('what was typed before the script is there is searched for', async ({ page }) => {
  const { release } = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await searchField(page).fill('jane');

  release();

  await expect(titles(page)).toHaveText([janeEyre.title]);
  await expect(searchField(page)).toHaveValue('jane');
  await expect(page).toHaveURL('/?q=jane');

  const again = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await searchField(page).fill('jane');
  await searchField(page).press('Enter');
  await expect(page).toHaveURL('/?q=jane');
  await expect(searchField(page)).toHaveValue('jane');
  again.release();
  await expect(titles(page)).toHaveText([janeEyre.title]);
});

test('filters lead on before the script is there, and the order that was chosen is that of the list', async ({
  page,
}) => {
  const { release } = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Under $10' }).click();
  await expect(page).toHaveURL('/?maxPrice=9.99');
  await expect(page.getByRole('link', { name: '$0 to $9.99' })).toHaveAttribute('aria-current', 'true');
  await page.getByLabel('Sort by').selectOption('Title, A to Z');

  release();

  await expect(page).toHaveURL('/?sort=title&maxPrice=9.99');
  await expect(titles(page)).not.toHaveCount(0);
  await expect(page.getByLabel('Sort by')).toHaveValue('title');
});

test('a customer finds a reloaded page painted as for any visitor, and then the own name', async ({
  page,
}) => {
  await openSignedIn(page, '/orders');
  await page.goto('/');
  const { release } = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('button', { name: /Log/ })).toHaveCount(0);

  release();

  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('a picture that arrives before the script, or never, is shown, or not', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/images\.invalid|ERR_NAME_NOT_RESOLVED/);
  const book = await store.addBook({
    title: 'Nowhere to Be Seen',
    image: 'https://images.invalid/none.webp',
  });
  const cover = page.locator('main [data-cover-arrives] [data-cover]');
  const failed = page.waitForEvent('requestfailed');
  const { release } = await holdScripts(page);
  await page.goto(screens.book(book.id), { waitUntil: 'commit' });
  await failed;
  release();
  await expect(cover).toHaveAttribute('data-cover', 'failed');
  await page.unrouteAll();

  const [jane] = await store.booksNamed(janeEyre.title);
  const again = await holdScripts(page);
  await page.goto(screens.book(jane?.id ?? ''), { waitUntil: 'commit' });
  await expect(cover.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  again.release();
  await expect(cover).toHaveAttribute('data-cover', 'shown');
});
