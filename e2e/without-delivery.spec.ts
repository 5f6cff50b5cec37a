import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, detailsButton, rowOf } from './visitor.ts';

test.use({ storeOptions: { env: { DELIVERY: 'off' } } });

test('a shop with DELIVERY=off asks for no address', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await checkoutButton(page).waitFor();
  await expect(page.getByLabel('Send to')).toHaveCount(0);
  await checkoutButton(page).click();
  await detailsButton(page, janeEyre.title).click();
  await expect(rowOf(page, janeEyre.title)).toContainText('Not handed over yet');
  await expect(page.getByRole('button', { name: /address/ })).toHaveCount(0);
});
