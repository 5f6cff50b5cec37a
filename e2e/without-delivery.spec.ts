import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { buy, checkoutButton, detailsButton, rowOf } from './visitor.ts';

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

test('the desk shows an address from before DELIVERY was off, and the owner can change it', async ({
  page,
  store,
}) => {
  for (const { title } of [janeEyre, frankenstein]) await buy(page, store, title);
  await store.db
    .updateTable('orders')
    .set({ delivery_address: '1 Hartfield Lane' })
    .where('title', '=', janeEyre.title)
    .execute();

  await page.goto(deskViewAddress('orders'));
  await expect(page.getByText('1 Hartfield Lane')).toBeVisible();
  await page.getByRole('button', { name: /address: / }).click();
  await page.getByLabel('Send to').fill('3 Randalls');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('3 Randalls')).toBeVisible();
  await page.getByRole('link', { name: 'Packing list' }).click();
  await expect(page.getByText('3 Randalls')).toBeVisible();
});
