import { deskViewAddress } from '../contract/desk/paths.ts';
import { screens } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { buy, checkoutButton, orderLink, rowOf } from './visitor.ts';

const orderButton = 'Checkout and pay';
test.use({ storeOptions: { env: { DELIVERY: 'off', CURRENCY: 'CHF', ORDER_BUTTON: orderButton } } });

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
  await page.getByRole('row', { name: frankenstein.title }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Mark as handed over' }).click();
  await expect(rowOf(page, frankenstein.title)).toContainText('Handed over');
  await expect(page.getByText('Marked 1 order as handed over.')).toBeVisible();
  await page.getByRole('button', { name: `Open: ${janeEyre.title}` }).click();
  await page.getByRole('button', { name: /address: / }).click();
  await page.getByLabel('Send to').fill('3 Randalls');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('3 Randalls')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Packing list' }).click();
  await expect(page.getByText('3 Randalls')).toBeVisible();
});

test('with CURRENCY each price has its prefix, and with ORDER_BUTTON the button has these words whatever has changed', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*addOrder/);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await expect(checkoutButton(page)).toHaveText(orderButton);
  await expect(page.getByRole('main')).toContainText('CHF 12.99');

  await store.db
    .updateTable('books')
    .set({ price_cents: 1450 })
    .where('title', '=', janeEyre.title)
    .execute();
  await checkoutButton(page).click();
  await expect(page.getByText('The price is now CHF 14.50.')).toBeVisible();
  await expect(checkoutButton(page)).toHaveText(orderButton);
  await checkoutButton(page).click();

  await page.goto(screens.orders);
  await expect(page.getByRole('columnheader', { name: 'Price (CHF)' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'CHF 14.50' })).toBeVisible();
  await page.goto(screens.admin);
  await expect(page.getByRole('columnheader', { name: 'Price (CHF)' })).toBeVisible();
});
