/** The shop without JavaScript. */

import { expect, test } from './fixtures.ts';
import { heading } from './visitor.ts';

test.use({ javaScriptEnabled: false });

test('without JavaScript home shows its front table, whose books lead to their pages, and a sentence says what is missing', async ({
  page,
  store,
}) => {
  const hostile = `</noscript><script>document.title = 'ran'</script> "Q" & 'S'`;
  await store.addBook({ title: hostile, author: 'Żółć & Söhne', priceCents: 123_450 });
  await page.goto('/');
  const table = page.getByRole('region', { name: 'On the front table' });
  await expect(table.locator('img').first()).toBeVisible();
  await expect(page.getByText('Loading...', { exact: true })).toBeHidden();
  await expect(page.getByRole('complementary').last()).toContainText('sells its books with JavaScript');
  await table.getByRole('link', { name: hostile }).first().click();
  await expect(heading(page)).toHaveText(hostile);
  await expect(page.getByText('$1,234.50').first()).toBeVisible();
});
