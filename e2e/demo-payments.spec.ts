/** The demo's payment provider: a buyer pays on its page, and a refund in its dashboard is heard of. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, orderLink, rowOf } from './visitor.ts';

test.use({ storeOptions: { env: { DEMO_PAYMENTS: 'on' } } });

test('a buyer pays on the demo’s page after a declined card, and has the money back', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/402 \(Payment Required\)/);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await expect(page.getByText('You pay after the order, online.')).toBeVisible();
  await checkoutButton(page).click();
  await expect(page.getByRole('button', { name: 'Pay $12.99' })).toBeVisible();
  const { number } = await store.db.selectFrom('orders').select('number').executeTakeFirstOrThrow();
  await page.getByRole('button', { name: 'Pay $12.99' }).click();
  await expect(page.getByRole('heading', { name: 'Pay $12.99 to Colophon' })).toBeVisible();
  await expect(page.getByText(`Order ${number}`)).toBeVisible();
  await page.getByRole('button', { name: 'Pay by a card that is declined' }).click();
  await expect(page.getByRole('alert')).toHaveText('The card was declined. Nothing was paid.');
  await expectAccessible(page, 'the demo’s payment page');

  await page.getByRole('button', { name: 'Pay, with the webhook lost' }).click();
  await expect(page.getByRole('main').getByText('Paid', { exact: true })).toBeVisible();
  expect(page.url()).toContain(`${store.origin}/orders/`);

  await page.goto(`${store.identityOrigin}/payments`);
  await expect(page.getByText(`${number}, $12.99, paid`)).toBeVisible();
  await expectAccessible(page, 'the demo’s dashboard');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(page.getByText(`${number}, $12.99, paid, $12.99 refunded`)).toBeVisible();
  const state = () => store.db.selectFrom('payments').select('state').executeTakeFirstOrThrow();
  await expect.poll(state).toEqual({ state: 'refunded' });
  await page.goto(`${store.origin}/orders`);
  await orderLink(page, janeEyre.title).click();
  await expect(page.getByRole('main').getByText('Refunded', { exact: true })).toBeVisible();
  await page.goto(`${store.origin}${deskViewAddress('orders')}`);
  await expect(rowOf(page, janeEyre.title)).toContainText('Refunded');
});
