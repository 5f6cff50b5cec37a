/** Where an order is sent: the customer's address, until the book is sent. */

import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack, loseResponse } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, orderLink } from './visitor.ts';

const highbury = '1 Hartfield Lane\nHighbury';
const { title } = janeEyre;

test('a buyer says where to send the book, and corrects it until it is sent', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/order\//);
  const checkout = await store.checkoutOf(title);
  const [sendTo, main] = [page.getByLabel('Send to'), page.getByRole('main')];
  const opener = page.getByRole('button', { name: `Change address: ${title}` });
  await test.step('at the checkout, where a reload keeps what was typed', async () => {
    await openSignedIn(page, checkout);
    await sendTo.fill(highbury);
    await page.reload();
    await expect(sendTo).toHaveValue(highbury);
    await checkoutButton(page).click();
    await orderLink(page, title).click();
    await expect(main).toContainText('1 Hartfield Lane\nHighbury', { useInnerText: true });
  });
  await test.step('on the page of the order', async () => {
    await opener.press('Enter');
    await expect(sendTo).toBeFocused();
    // The caret is after the address.
    await page.keyboard.type('!');
    await expect(sendTo).toHaveValue(`${highbury}!`);
    await sendTo.fill('2\tDonwell Road');
    await expectAccessible(page, 'the form of an address');
    await page.getByRole('button', { name: 'Save address' }).click();
    await expect(main).toContainText('2 Donwell Road');
    await expect(opener).toBeFocused();
  });
  await test.step('the next checkout proposes it', async () => {
    await page.goto(checkout);
    await expect(sendTo).toHaveValue('2 Donwell Road');
    await page.goBack();
  });
  await test.step('not once the book was sent', async () => {
    await opener.click();
    await sendTo.fill('3 Randalls');
    await store.db.updateTable('orders').set({ sent_at: Date.now() }).execute();
    await page.getByRole('button', { name: 'Save address' }).click();
    await expect(page.getByText('The address was not changed. This order was sent already.')).toBeVisible();
    await expect(sendTo).toHaveValue('3 Randalls');
    await sendTo.press('Escape');
    await page.reload();
    await expect(main).toContainText('2 Donwell Road');
    await expect(opener).toHaveCount(0);
  });
  await test.step('the list says when it left, and the order how to follow it', async () => {
    const { number } = await store.db.selectFrom('orders').select('number').executeTakeFirstOrThrow();
    const parcel = 'https://carrier.example/4711';
    await store.db.updateTable('orders').set({ tracking: parcel }).execute();
    await page.goto('/orders');
    await expect(orderLink(page, title)).toHaveText(new RegExp(`^${title}Sent .+ · ${number}$`));
    await orderLink(page, title).click();
    await expect(page.getByRole('link', { name: 'Follow the parcel' })).toHaveAttribute('href', parcel);
  });
});

test('an order goes to the address that is shown: none replaces it on its way, one that is sent again has the new one', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/ERR_FAILED .*\/addOrder/);
  const sendTo = page.getByLabel('Send to');
  const addresses = async () =>
    (await store.db.selectFrom('orders').select('delivery_address').orderBy('placed_at').execute()).map(
      (order) => order.delivery_address,
    );
  await openSignedIn(page, await store.checkoutOf(title));
  await sendTo.fill(highbury);
  const order = await holdBack(page, '**/addOrder');
  await checkoutButton(page).click();
  await expect(page.getByText('Placing your order…')).toBeVisible();
  await expect(sendTo).not.toBeEditable();
  order.release();
  await expect(page).toHaveURL('/orders');
  expect(await addresses()).toEqual([highbury]);

  await page.unrouteAll();
  await page.goto(await store.checkoutOf(title));
  await page.route('**/addOrder', loseResponse);
  await checkoutButton(page).click();
  await expect(page.getByText('We have not heard whether the order arrived.')).toBeVisible();
  await page.unroute('**/addOrder');
  await sendTo.fill('2 Donwell Road');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/orders');
  expect(await addresses()).toEqual([highbury, '2 Donwell Road']);
});
