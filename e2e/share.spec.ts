/** The shop without JavaScript. */

import { expect, test } from './fixtures.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { heading } from './visitor.ts';

test.use({ javaScriptEnabled: false });

test('without JavaScript home shows books with BUY NOW, which lead to a page of the book', async ({
  page,
  store,
}) => {
  const hostile = `</noscript><script>document.title = 'ran'</script> "Q" & 'S'`;
  await store.addBook({ title: hostile, author: 'Żółć & Söhne', priceCents: 123_450 });
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'On the front table' }).locator('img').first()).toBeVisible();
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
