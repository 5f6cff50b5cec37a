/** Ways to get a book, and gifts: from the checkout to the packing list. */

import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { setWays } from './test-ways.ts';
import { checkoutButton, orderLink } from './visitor.ts';

const { title } = janeEyre;

test('a buyer chooses a way, sees what it costs, and makes the book a gift', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  await setWays(store.db, [
    { id: 'post', name: 'Post', price_cents: 490, asks_address: 1, line: 'Two to three working days.' },
    { id: 'collect', name: 'Collect <b>here</b>', pay_on_collection: 1 },
  ]);
  const [main, post] = [page.getByRole('main'), page.getByRole('radio', { name: 'Post' })];
  const sendTo = page.getByLabel('Send to');
  await openSignedIn(page, await store.checkoutOf(title));
  await expect(post).toBeChecked();
  await expect(sendTo).toBeVisible();
  await page.getByRole('radio', { name: 'Collect <b>here</b>' }).check();
  await expect(sendTo).toHaveCount(0);
  await expect(main).toContainText('Total $12.99');
  await page.getByRole('checkbox', { name: 'It’s a gift' }).check();
  await page.getByLabel('Words for the gift').fill('For Jun');
  await page.reload();
  await expect(page.getByLabel('Words for the gift')).toHaveValue('For Jun');
  await expect(post).not.toBeChecked();
  await post.check();
  await expect(main).toContainText('Book $12.99 + Post $4.90');
  await expectAccessible(page, 'a checkout with ways and a gift');

  await setWays(store.db, [{ id: 'post', name: 'Post', price_cents: 600, asks_address: 1 }]);
  await checkoutButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'the total is $18.99 now' })).toBeVisible();
  await page.getByRole('button', { name: 'Checkout at the new price' }).click();
  await orderLink(page, title).click();
  await expect(main).toContainText('For Jun');
  await expect(main).toContainText('$18.99');
  await expectAccessible(page, 'an order with a way and a gift');
});
