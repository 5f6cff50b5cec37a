import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openPopup, signIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';

const [, , , , ulysses] = testBooks;

const button = (page: Page) => page.getByRole('button');
const invitation = (page: Page, title: string = janeEyre.title) =>
  page.getByText(`Sign in to buy ${title}`, { exact: true });

/** @returns the positions of what is on the login, whatever its text. */
const layoutOf = (page: Page) =>
  page.evaluate<number[][]>(
    `Array.from(document.querySelectorAll('h1, button, main > div > div'), (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    })`,
  );

test('the login of a visitor who wants a book names it, shows its cover, and still has one button', async ({
  page,
  store,
}) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await page.goto(checkout);

  await expect(invitation(page)).toBeVisible();
  await expect(page.getByText(janeEyre.author)).toBeVisible();
  await expect(page.getByText('$12.99')).toBeVisible();
  await expect(page.getByRole('img', { name: `Cover of ${janeEyre.title}` })).not.toHaveJSProperty(
    'naturalWidth',
    0,
  );
  await expect(button(page)).toHaveText(/^Continue with /);
  const text = await invitation(page).boundingBox();
  const continueBox = await button(page).boundingBox();
  expect(text?.y).toBeLessThan(continueBox?.y ?? 0);

  await signIn(page);
  await expect(page).toHaveURL(checkout);
});

test('the login after BUY NOW has the book of the shelf at once', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  // Never answered, so that only the shelf can have the book.
  await page.route('**/book/*', () => {});

  await page.getByRole('link', { name: `BUY NOW: ${ulysses.title}` }).click();

  await expect(invitation(page, ulysses.title)).toBeVisible();
});

test('the sign-in in the same tab names the book too', async ({ page, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);

  await page.goto(`/login?returnTo=${encodeURIComponent(`${checkout}?from=a`)}`);

  await expect(invitation(page)).toBeVisible();
});

for (const place of ['', '?returnTo=%2Forders', '?returnTo=https%3A%2F%2Fevil.example%2Fcheckout%2F1']) {
  test(`/login${place} names no book and fetches none`, async ({ page }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));

    await page.goto(`/login${place}`);

    await expect(page.getByText('Sign in to buy a book')).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(requests.filter((path) => path.startsWith('/book'))).toEqual([]);
    await expect(page.locator('img')).toHaveCount(0);
  });
}

test('a book that cannot be fetched leaves the login as it is for every visitor', async ({
  page,
  provokes,
}) => {
  provokes(/404 .*\/checkout\/no-such-book/);
  provokes(/404 .*\/book\/no-such-book/);
  await page.goto('/checkout/no-such-book');
  await expect(page.getByText('Sign in to buy a book')).toBeVisible();
  await expect(page.locator('img')).toHaveCount(0);

  await signIn(page);

  await expect(page.getByText('This book is no longer for sale.')).toBeVisible();
});

for (const width of [320, 390, 820, 1280, 1920]) {
  test(`at ${width} pixels nothing moves when the book arrives, and the login is accessible`, async ({
    page,
    store,
  }) => {
    const long = await store.addBook({
      title: `${'The Life and Strange Surprizing Adventures '.repeat(11)}of Robinson Crusoe`,
      author: 'Daniel Defoe, '.repeat(60),
      priceCents: 123_450,
    });
    await page.setViewportSize({ width, height: 800 });
    for (const title of [janeEyre.title, long.title]) {
      const arrival = Promise.withResolvers<void>();
      await page.route('**/book/*', async (route) => {
        await arrival.promise;
        await route.continue();
      });
      await page.goto(await store.checkoutOf(title));
      await button(page).waitFor();
      await page.evaluate('document.fonts.ready');
      const before = await layoutOf(page);

      arrival.resolve();
      await page.getByRole('img', { name: `Cover of ${title}` }).waitFor();

      expect(await layoutOf(page)).toEqual(before);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
      const text = await page.getByText('$').boundingBox();
      const below = await button(page).boundingBox();
      expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      await page.unroute('**/book/*');
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
    }
  });
}

for (const [width, height] of [
  [568, 320],
  [667, 375],
  [844, 390],
  [820, 1180],
] as const) {
  test(`at ${width} by ${height} pixels the book and the button are in view, which is one line high`, async ({
    page,
    store,
  }) => {
    const title = 'The Life and Strange Surprizing Adventures '.repeat(3).trim();
    await store.addBook({ title });
    await page.setViewportSize({ width, height });
    await page.goto(await store.checkoutOf(title));

    const viewport = { ratio: 1 };
    await expect(page.getByRole('heading', { name: 'Come in' })).toBeInViewport(viewport);
    await expect(page.getByRole('img', { name: `Cover of ${title}` })).toBeInViewport(viewport);
    await expect(page.getByText('$12.99')).toBeInViewport(viewport);
    await expect(button(page)).toBeInViewport(viewport);
    expect((await button(page).boundingBox())?.height).toBe(44);
  });
}

test('with the keyboard alone a visitor reads which book it is, and signs in to buy it', async ({
  page,
  store,
}) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  await page.goto(checkout);
  await invitation(page).waitFor();

  await expect(page.getByRole('heading', { name: 'Come in' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(button(page)).toBeFocused();
  const opening = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const popup = await opening;
  const closing = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Ada Marlowe' }).press('Enter');
  await closing;

  await expect(page).toHaveURL(checkout);
});

test('a checkout does not open with the price that the login has shown', async ({ page, store }) => {
  await page.goto(await store.checkoutOf(janeEyre.title));
  await expect(page.getByText('$12.99')).toBeVisible();
  const popup = await openPopup(page);
  // Never answered, so that only the login can have a price.
  await page.route('**/book/*', () => {});
  await popup.getByRole('button', { name: 'Ada Marlowe' }).click();

  await expect(page.getByRole('heading', { name: 'Check Out' })).toBeVisible();
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('$12.99')).toHaveCount(0);
});
