import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { commandActor } from '../server/activity/activity.ts';
import { withdrawForShop } from '../server/orders/withdrawal.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder, orderTab } from './test-orders.ts';
import { heading } from './visitor.ts';

const orders = deskViewAddress('orders');
const mei = { name: 'Mei Lin', email: 'mei@example.com' };

async function addOrders({ db }: Store, count: number): Promise<void> {
  const buyerId = await addBuyer(db, mei);
  const start = Date.now() - count * 1000;
  for (let index = 0; index < count; index += 1) {
    const placedAt = new Date(start + index * 1000).toISOString();
    const order = { buyerId, buyer: mei, deliveryAddress: '2 Pearl Street', placedAt };
    await addOrder(db, { ...order, book: { id: 'jane', ...janeEyre } });
  }
}

const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select: / });

test('the desk begins with what waits, and each figure leads to it', async ({ page, store }) => {
  await addOrders(store, 12);
  await openSignedIn(page, '/desk');

  await expect(page).toHaveTitle('Today – Desk');
  const table = page.getByRole('table', { name: 'The last orders' });
  await expect(table.getByRole('row')).toHaveCount(11);
  await expect(page.getByRole('link', { name: /^To send/ })).toContainText('12');
  await expect(page.getByRole('link', { name: /^Sold this week/ })).toContainText('$');
  const state = page.getByRole('region', { name: 'The store' });
  await expect(state).toContainText('Last backupNone yet');
  await expect(state).toContainText(/Disk\d+ % free.*Version\d/);
  await expect(table.locator('time').first()).toHaveAttribute('title', /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);

  await page.getByRole('link', { name: /^To send/ }).click();
  await expect(heading(page)).toHaveText('Packing list');
  await expect(page.getByRole('button', { name: 'Mark all as sent' })).toBeVisible();
  await page.goBack();
  await table.getByRole('link').first().click();
  await expect(page.getByRole('dialog', { name: 'Order' })).toContainText('Mei Lin');
});

test('a withdrawn order waits to be refunded, and its tag is not that of a new one', async ({
  page,
  store,
}) => {
  await addOrders(store, 2);
  const [first] = await store.db.selectFrom('orders').select('id').execute();
  await withdrawForShop(store.db, first?.id ?? '', { sendsMail: false }, commandActor);
  await openSignedIn(page, '/desk');

  const toRefund = page.getByRole('link', { name: /^To refund/ });
  await expect(toRefund).toContainText('1');
  const table = page.getByRole('table', { name: 'The last orders' });
  const newTag = await table.getByText('New', { exact: true }).getAttribute('class');
  await expect(table.getByText('Withdrawn', { exact: true })).not.toHaveAttribute('class', newTag ?? '');

  await toRefund.click();
  await expect(orderTab(page, 'Withdrawn')).toHaveAttribute('aria-current', 'true');
  // The store notes it later than it says what is to be done today.
  const { promise: wentBack, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/settle', async (route) => {
    await wentBack;
    await route.continue();
  });
  await page.getByLabel(/^Refunded: /).click();
  await page.goBack();
  await expect(toRefund).toContainText('1');
  goOn();
  await expect(toRefund).toBeHidden();
});

test('twenty orders are marked as sent with four clicks', async ({ page, store }) => {
  await addOrders(store, 25);
  await openSignedIn(page, orders);
  await expect(boxes(page)).toHaveCount(25);
  await expect(orderTab(page, 'To send')).toHaveText('To send25');

  await orderTab(page, 'To send').click();
  await boxes(page).nth(2).click();
  await boxes(page)
    .nth(21)
    .click({ modifiers: ['Shift'] });
  await expect(page.getByText('20 orders selected')).toBeVisible();
  await page.getByRole('button', { name: 'Mark as sent' }).click();

  await expect(page.getByRole('status')).toContainText('Marked 20 orders as sent.');
  await expect(boxes(page)).toHaveCount(5);
  await expect(orderTab(page, 'To send')).toHaveText('To send5');
  await expect(orderTab(page, 'Sent')).toHaveText('Sent20');
});

test('the panel of an order has its history and takes a note', async ({ page, store }) => {
  await addOrders(store, 3);
  await openSignedIn(page, orders);
  await boxes(page).nth(0).click();
  await boxes(page).nth(1).click();
  await page.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(page.getByRole('status')).toContainText('Marked 2 orders as sent.');

  await page
    .getByRole('button', { name: /^Open: / })
    .first()
    .click();
  const panel = page.getByRole('dialog', { name: 'Order' });
  await expect(panel.getByRole('listitem')).toHaveText([
    /^Marked 2 orders as sent, by ada@/,
    /^Placed, by Mei Lin/,
  ]);
  await panel.getByLabel('Private note').fill('Wrap it.');
  await panel.getByRole('button', { name: 'Save note' }).click();
  await expect(panel.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  await expect(panel.getByRole('listitem').first()).toHaveText(/^Added a note to an order, by ada@/);
  await page.reload();
  await expect(panel.getByLabel('Private note')).toHaveValue('Wrap it.');

  await panel.getByRole('button', { name: 'Mark as new' }).click();
  await expect(panel).toBeHidden();
  await expect(page).toHaveURL(orders);
  await expect(page.getByText('Note', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(orderTab(page, 'Sent')).toHaveText('Sent2');
});
