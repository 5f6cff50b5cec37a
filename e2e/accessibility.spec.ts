/** Accessibility of pages without the app, on wide and narrow screens, light and dark. The tests of journeys check all other pages. */

import { screens } from '../contract/paths.ts';
import { withdrawalPaths } from '../contract/withdrawal.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';

test('pages without the app are accessible', async ({ page, store, provokes }) => {
  provokes(/404 .*no-such-page/);
  const book = { title: 'Emma', isbn: '9780141439587', description: 'A clean copy.', copies: 3 };
  const { id } = await store.addBook(book);
  // Axe is a script, so the page is shown as a browser without JavaScript shows it, in one with it.
  await page.route('**/books/*', async (route) => {
    const response = await route.fetch();
    const html = (await response.text())
      .replace(/<script type="module".*?<\/script>/, '')
      .replace(/<(\/?)noscript>/g, '<$1div>');
    await route.fulfill({ response, body: html });
  });
  await page.goto(screens.book(id));
  await page.getByText('sells its books with JavaScript').waitFor();
  await expectAccessible(page, 'a book without JavaScript');
  await page.goto('/no-such-page');
  await page.getByRole('link', { name: 'Back to the shelf' }).waitFor();
  await expectAccessible(page, 'an unknown address');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Withdraw from contract' }).click();
  await expect(page).toHaveURL(withdrawalPaths.page);
  await expectAccessible(page, 'how to withdraw from a contract');
  await page.goto('/docs');
  await page.locator('#placeOrder').getByText('409', { exact: true }).click();
  // One article of each kind is enough: axe would take minutes for all hundred, which the same code renders.
  const kept = ['listBooks', 'placeOrder', 'schema-Book'];
  await page.getByRole('article').evaluateAll((articles, ids) => {
    for (const article of articles) if (!ids.includes(article.id)) article.remove();
  }, kept);
  await expect(page.getByRole('article')).toHaveCount(kept.length);
  await expectAccessible(page, 'the description of the API');
});
