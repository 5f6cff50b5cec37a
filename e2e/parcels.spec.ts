/** Parcels: how to follow them, and their labels on paper. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { heading } from './visitor.ts';

const mei = { name: 'Mei Lin', email: 'mei@example.com' };
const book = { id: 'book-0', ...janeEyre };

test('an order is marked as sent with how to follow its parcel, which can be changed', async ({
  page,
  store,
}) => {
  const buyerId = await addBuyer(store.db, mei);
  const deliveryAddress = '2 Pearl Street';
  const _id = await addOrder(store.db, {
    ...{ buyerId, buyer: mei, book, deliveryAddress, placedAt: '2026-03-02T10:00:00Z' },
  });
  const tracking = async () =>
    (await store.db.selectFrom('orders').select('tracking').where('id', '=', _id).executeTakeFirst())
      ?.tracking;
  await openSignedIn(page, deskViewAddress('orders', { order: _id }));
  const panel = page.getByRole('dialog', { name: 'Order' });
  await expectAccessible(page, 'an order to be sent');
  await panel.getByLabel('Tracking').fill('https://dhl.example/00340');
  await panel.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Marked 1 order as sent.' })).toBeVisible();
  expect(await tracking()).toBe('https://dhl.example/00340');
  await page.getByRole('button', { name: `Open: ${janeEyre.title}` }).click();
  await panel.getByLabel('Tracking').fill('DHL 00340');
  await panel.getByRole('button', { name: 'Save tracking' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  expect(await tracking()).toBe('DHL 00340');
  await expect(panel).toBeVisible();
});

test('the labels of a packing list are its addresses alone, four to a sheet', async ({ page, store }) => {
  for (const [at, deliveryAddress] of ['1 A', '2 B', '3 C', '4 D', '5 E', undefined].entries()) {
    const buyer = { ...mei, email: `mei${at}@example.com` };
    // A buyer may type more lines than a label has room for: they must not cover another label.
    const lines = deliveryAddress === '3 C' ? '\nx'.repeat(200) : '';
    const address = deliveryAddress && {
      deliveryAddress: `${buyer.name}\n${deliveryAddress} Street${lines}`,
    };
    const order = { buyerId: await addBuyer(store.db, buyer), buyer, book, ...address };
    await addOrder(store.db, { ...order, placedAt: `2026-03-0${at + 1}T10:00:00Z` });
  }
  await page.addInitScript('window.print = () => {}');
  await openSignedIn(page, deskViewAddress('orders', { packing: 'yes', state: 'new' }));
  await page.getByRole('button', { name: 'Print labels' }).click();

  await page.emulateMedia({ media: 'print' });
  const labels = page.getByRole('list', { name: 'Labels' }).getByRole('listitem');
  await expect(labels).toHaveText(
    [1, 2, 3, 4, 5].map((at) => new RegExp(`^Mei Lin\\s*${at} . Street[\\sx]*Colophon, [\\dA-Z]{8}$`)),
  );
  await expect(labels.first()).toBeVisible();
  await expect(heading(page)).toBeHidden();
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
  expect(sheets).toHaveLength(2);
  await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
  await expect(labels).toHaveCount(0);
  await expect(heading(page)).toBeVisible();
});
