import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { buy, checkoutButton, orderLink } from './visitor.ts';

test.use({ storeOptions: { env: { DELIVERY: 'off' } } });

test('a shop with DELIVERY=off asks for no address; one from before is shown, and the owner can change it', async ({
  page,
  store,
}) => {
  await openSignedIn(page, await store.checkoutOf(frankenstein.title));
  await checkoutButton(page).waitFor();
  await expect(page.getByLabel('Send to')).toHaveCount(0);
  await checkoutButton(page).click();
  await orderLink(page, frankenstein.title).click();
  await expect(page.getByRole('main')).toContainText('Not handed over yet');
  await expect(page.getByRole('button', { name: /address/ })).toHaveCount(0);

  await buy(page, store, janeEyre.title);
  const ofJane = store.db.updateTable('orders').where('title', '=', janeEyre.title);
  await ofJane.set({ delivery_address: '1 Hartfield Lane' }).execute();
  await page.goto(deskViewAddress('orders'));
  await expect(page.getByText('1 Hartfield Lane')).toBeVisible();
  await page.getByRole('button', { name: `Open: ${janeEyre.title}` }).click();
  await page.getByRole('button', { name: /address: / }).click();
  await page.getByLabel('Send to').fill('3 Randalls');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('3 Randalls')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Packing list' }).click();
  await expect(page.getByText('3 Randalls')).toBeVisible();
});
