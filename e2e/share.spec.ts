import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { janeEyre } from './test-books.ts';

const canonicalOf = (page: Page) => page.locator('link[rel="canonical"]').getAttribute('href');

test('the address that a browser shares is that of the screen, and on the login that of the book', async ({
  page,
  store,
}) => {
  const checkout = store.origin + (await store.checkoutOf(janeEyre.title));
  await page.goto('/home');
  await page.getByRole('article').first().waitFor();
  expect(await canonicalOf(page)).toBe(`${store.origin}/`);

  await page.getByRole('link', { name: `BUY NOW: ${janeEyre.title}` }).click();
  await expect(page).toHaveURL('/login');
  expect(await canonicalOf(page)).toBe(checkout);

  await page.goBack();
  await page.getByRole('article').first().waitFor();
  expect(await canonicalOf(page)).toBe(`${store.origin}/`);

  await signInAndOpen(page, checkout);
  expect(await canonicalOf(page)).toBe(checkout);
  await page.getByRole('link', { name: 'Colophon' }).click();
  await page.getByRole('article').first().waitFor();
  expect(await canonicalOf(page)).toBe(`${store.origin}/`);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  const hostile = `</noscript><script>document.title = 'ran'</script> "Q" & 'S'`;

  test('the page of a book shows its cover, title, author and price, whatever its title', async ({
    page,
    store,
  }) => {
    await store.addBook({ title: hostile, author: 'Żółć & Söhne', priceCents: 123_450 });

    await page.goto(await store.checkoutOf(hostile));

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(hostile);
    await expect(page.getByText('Żółć & Söhne', { exact: true })).toBeVisible();
    await expect(page.getByText('$1,234.50', { exact: true })).toBeVisible();
    await expect(page.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
    await expect(page).toHaveTitle(`${hostile} by Żółć & Söhne – Colophon`);
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
      'content',
      `${hostile} by Żółć & Söhne`,
    );
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
    expect(data).toMatchObject({ '@type': 'Book', name: hostile, offers: { price: '1234.50' } });
  });

  for (const [address, title] of [
    ['/', 'Home'],
    ['/login', 'Login'],
    ['/orders', 'Orders'],
    ['/admin', 'Admin'],
    ['/no-such-page', 'Not found'],
  ] as const) {
    test(`${address} has its title, and says what the store needs, in its own style`, async ({
      page,
      provokes,
    }) => {
      if (address === '/no-such-page') provokes(/404 .*no-such-page/);
      await page.goto(address);

      await expect(page).toHaveTitle(title);
      await expect(page.getByRole('link', { name: 'Colophon' })).toHaveAttribute('href', '/');
      await expect(page.getByRole('main')).toContainText('Colophon shows its shelf and sells its books');
      await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-family', /Literata/);
      await expect(page.getByRole('main')).toHaveCSS('text-align', 'center');
    });
  }
});

test('the page without JavaScript is accessible in light and dark mode and at 320 pixels', async ({
  page,
  store,
}) => {
  // Axe is a script, so the page is shown as a browser without JavaScript shows it, in one with it.
  await page.route('**/checkout/*', async (route) => {
    const response = await route.fetch();
    const html = (await response.text())
      .replace(/<script type="module".*?<\/script>/, '')
      .replace(/<(\/?)noscript>/g, '<$1div>');
    await route.fulfill({ response, body: html });
  });
  await page.goto(await store.checkoutOf(janeEyre.title));
  await page.getByRole('heading', { name: janeEyre.title }).waitFor();

  await page.setViewportSize({ width: 320, height: 640 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  }
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
});
