/** Pages as other programs read them: the address that a browser shares, and the shop without JavaScript. */

import { expect, test } from './fixtures.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { heading } from './visitor.ts';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('home and a book’s page show books with BUY NOW, other screens say what they need', async ({
    page,
    store,
    provokes,
  }) => {
    const hostile = `</noscript><script>document.title = 'ran'</script> "Q" & 'S'`;
    await store.addBook({ title: hostile, author: 'Żółć & Söhne', priceCents: 123_450 });
    await test.step('home', async () => {
      await page.goto('/');
      await expect(
        page.getByRole('region', { name: 'On the front table' }).locator('img').first(),
      ).toBeVisible();
      const books = page.getByRole('region', { name: 'On the shelf' }).getByRole('listitem');
      await expect(books).toHaveCount(testBooks.length + 1);
      await expect(books.first()).toContainText(`${hostile} Żółć & Söhne $1,234.50 BUY NOW`);
      await expect(page.getByText('Loading...', { exact: true })).toBeHidden();
      await books
        .filter({ hasText: janeEyre.title })
        .getByRole('link', { name: /^BUY NOW/ })
        .click();
      await expect(page).toHaveURL(await store.checkoutOf(janeEyre.title));
      await expect(heading(page)).toHaveText(janeEyre.title);
    });
    await test.step('a book', async () => {
      await page.goto((await store.checkoutOf(hostile)).replace('/checkout/', '/books/'));
      await expect(heading(page)).toHaveText(hostile);
      await expect(page.getByText('$1,234.50', { exact: true })).toBeVisible();
      await expect(page.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
      await expect(page).toHaveTitle(`${hostile} by Żółć & Söhne – Colophon`);
    });
    provokes(/404 .*no-such-page/);
    for (const address of ['/login', '/orders', '/no-such-page']) {
      await page.goto(address);
      await expect(page.locator('.no-script-note'), address).toContainText('Colophon shows its shelf');
    }
  });
});
