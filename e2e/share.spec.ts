import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { checkoutButton, heading } from './visitor.ts';

const expectCanonical = (page: Page, address: string) =>
  expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', address);

test('the address that a browser shares is that of the screen', async ({ page, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  const book = store.origin + checkout.replace('/checkout/', '/books/');
  await page.goto('/home');
  await page.getByRole('article').first().waitFor();
  await expectCanonical(page, `${store.origin}/`);

  await page.getByRole('link', { name: `BUY NOW: ${janeEyre.title}` }).click();
  await expect(page).toHaveURL('/login');
  await expectCanonical(page, book);

  await page.goBack();
  await page.getByRole('article').first().waitFor();
  await expectCanonical(page, `${store.origin}/`);

  await openSignedIn(page, checkout);
  await checkoutButton(page).waitFor();
  await expect(page.locator('link[rel="canonical"]')).toHaveCount(0);
  await page.goto(book);
  await expectCanonical(page, book);
  await page.getByRole('link', { name: 'BUY NOW' }).click();
  await checkoutButton(page).waitFor();
  await expectCanonical(page, book);
  await page.getByRole('link', { name: 'Colophon' }).click();
  await page.getByRole('article').first().waitFor();
  await expectCanonical(page, `${store.origin}/`);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  const hostile = `</noscript><script>document.title = 'ran'</script> "Q" & 'S'`;

  test('a book’s page shows it, other screens say what they need', async ({ page, store, provokes }) => {
    await store.addBook({ title: hostile, author: 'Żółć & Söhne', priceCents: 123_450 });
    await page.goto((await store.checkoutOf(hostile)).replace('/checkout/', '/books/'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(hostile);
    await expect(page.getByText('Żółć & Söhne', { exact: true })).toBeVisible();
    await expect(page.getByText('$1,234.50', { exact: true })).toBeVisible();
    await expect(page.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
    const name = `${hostile} by Żółć & Söhne`;
    await expect(page).toHaveTitle(`${name} – Colophon`);
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', name);
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
    expect(data).toMatchObject({ '@type': ['Product', 'Book'], name: hostile, offers: { price: '1234.50' } });

    provokes(/404 .*no-such-page/);
    for (const [address, title] of [
      ['/', 'Home'],
      ['/login', 'Login'],
      ['/orders', 'Orders'],
      ['/admin', 'Admin'],
      ['/no-such-page', 'Not found'],
    ] as const) {
      await page.goto(address);
      await expect(page).toHaveTitle(title);
      await expect(page.getByRole('link', { name: 'Colophon' })).toHaveAttribute('href', '/');
      await expect(page.locator('.no-script-note')).toContainText('Colophon shows its shelf');
      await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-family', /Literata/);
    }
  });

  test('home has the front table and the newest books, each with its BUY NOW', async ({ page, store }) => {
    await store.addBook({ title: hostile });
    await page.goto('/');

    await expect(
      page.getByRole('region', { name: 'On the front table' }).locator('img').first(),
    ).toBeVisible();
    const books = page.getByRole('region', { name: 'On the shelf' }).getByRole('listitem');
    await expect(books).toHaveCount(testBooks.length + 1);
    await expect(books.first()).toContainText(`${hostile} A. Writer $12.99 BUY NOW`);
    await expect(page.getByText('Loading...', { exact: true })).toBeHidden();
    await expect(page.getByRole('search')).toBeHidden();

    await books
      .filter({ hasText: janeEyre.title })
      .getByRole('link', { name: /^BUY NOW/ })
      .click();

    await expect(page).toHaveURL(await store.checkoutOf(janeEyre.title));
    await expect(heading(page)).toHaveText(janeEyre.title);
  });
});
