/** The orders of the desk: what waits today, lists, exports, marks, the panel of an order and the packing list. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { commandActor } from '../server/activity/activity.ts';
import { withdrawForShop } from '../server/orders/withdrawal.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { addBuyer, addOrder, orderTab } from './test-orders.ts';
import { buy, heading, searchField, tabTo, undoButton } from './visitor.ts';

const orders = deskViewAddress('orders');
const mei = { name: 'Mei Lin', email: 'mei@example.com' };
const olu = { name: 'Olu Adeyemi', email: 'olu@example.com' };

/** Three orders: two of one buyer, and one of another, which was sent. */
async function addOrders({ db }: Store): Promise<void> {
  const [meiId, oluId] = [await addBuyer(db, mei), await addBuyer(db, olu)];
  const [first, second, third] = testBooks;
  const ofMei = { buyerId: meiId, buyer: mei, deliveryAddress: '2 Pearl Street' };
  await addOrder(db, { ...ofMei, book: { id: 'book-0', ...first }, placedAt: '2026-03-02T10:00:00Z' });
  await addOrder(db, { ...ofMei, book: { id: 'book-1', ...second }, placedAt: '2026-03-03T10:00:00Z' });
  const ofOlu = { buyerId: oluId, buyer: olu, book: { id: 'book-2', ...third } };
  await addOrder(db, { ...ofOlu, placedAt: '2026-03-04T10:00:00Z', sentAt: '2026-03-05T08:30:00Z' });
}

/** Orders of one book, a second apart, up to now. */
async function addRecentOrders({ db }: Store, count: number): Promise<void> {
  const order = { buyerId: await addBuyer(db, mei), buyer: mei, deliveryAddress: '2 Pearl Street' };
  const start = Date.now() - count * 1000;
  for (let index = 0; index < count; index += 1) {
    const placedAt = new Date(start + index * 1000).toISOString();
    await addOrder(db, { ...order, placedAt, book: { id: 'jane', ...janeEyre } });
  }
}

const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select: / });
const told = (page: Page) => page.getByRole('status');
const markAsSent = (page: Page) => page.getByRole('button', { name: 'Mark as sent' });

test('the desk begins with what waits, and each figure leads to it', async ({ page, store }) => {
  await addRecentOrders(store, 12);
  const [first] = await store.db.selectFrom('orders').select('id').execute();
  await withdrawForShop(store.db, first?.id ?? '', { sendsMail: false }, commandActor);
  await openSignedIn(page, '/desk');
  const table = page.getByRole('table', { name: 'The last orders' });
  const toRefund = page.getByRole('link', { name: /^To refund/ });
  await test.step('the last orders, the figures, the state of the store', async () => {
    await expect(page).toHaveTitle('Today – Desk');
    await expect(table.getByRole('row')).toHaveCount(11);
    await expect(page.getByRole('link', { name: /^To send/ })).toContainText('11');
    await expect(page.getByRole('link', { name: /^Sold this week/ })).toContainText('$');
    const state = page.getByRole('region', { name: 'The store' });
    await expect(state).toContainText('Last backupNone yet');
    await expect(state).toContainText(/Disk\d+ % free.*Version\d/);
  });
  await test.step('to the packing list, and to an order', async () => {
    await page.getByRole('link', { name: /^To send/ }).click();
    await expect(heading(page)).toHaveText('Packing list');
    await page.goBack();
    await table.getByRole('link').first().click();
    await expect(page.getByRole('dialog', { name: 'Order' })).toContainText('Mei Lin');
    await page.goBack();
  });
  await test.step('to what is to be refunded', async () => {
    await toRefund.click();
    await expect(orderTab(page, 'Withdrawn')).toHaveAttribute('aria-current', 'true');
    await page.getByLabel(/^Refunded: /).click();
    await expect(page.getByLabel(/^Refunded: /)).toBeChecked();
    await page.goBack();
    await expect(toRefund).toBeHidden();
  });
});

test('orders are found by buyer, book, day and state, also misspelt, and exported', async ({
  page,
  store,
}) => {
  await openSignedIn(page, orders);
  await expect(page.getByText('No orders yet.')).toBeVisible();
  await buy(page, store, 'Sult');
  await page.goto(orders);
  await expect(page.getByRole('row').filter({ hasText: 'Sult' })).toContainText('ada@example.com');
  await store.db.deleteFrom('orders').execute();
  await addOrders(store);
  await page.reload();
  const found = async (count: number) => await expect(boxes(page)).toHaveCount(count);
  const exported = async (name: string) => {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `Export as ${name}` }).click();
    return (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/);
  };
  await test.step('by words, a state and days, which a reload keeps', async () => {
    await searchField(page).fill('MEI@example');
    await found(2);
    await searchField(page).fill('shelley');
    await found(1);
    await searchField(page).press('Escape');
    await orderTab(page, 'To send').click();
    await page.getByLabel('From day').fill('2026-03-03');
    await page.getByLabel('To day').fill('2026-03-03');
    await expect(page).toHaveURL(`${orders}?state=new&from=2026-03-03&to=2026-03-03`);
    await page.reload();
    await found(1);
    await searchField(page).fill('oluadeyemi');
    await expect(page.getByText('No order matches.')).toBeVisible();
    await page.getByRole('button', { name: 'Show all orders' }).click();
    await found(3);
  });
  await test.step('a file has the orders of the list', async () => {
    await orderTab(page, 'Sent').click();
    await found(1);
    expect(await exported('CSV')).toHaveLength(2);
    const lines = await exported('JSON Lines');
    expect(lines.map((line) => JSON.parse(line).buyer.email)).toEqual([olu.email]);
  });
  await test.step('a typo lists, exports and packs similar ones, and says so', async () => {
    await page.goto(`${orders}?q=meilin`);
    const note = page.getByText('Nothing matches “meilin”. This is similar:');
    await expect(note).toBeVisible();
    expect(await exported('JSON Lines')).toHaveLength(2);
    await page.getByRole('link', { name: 'Packing list' }).click();
    await expect(page.getByRole('heading', { name: mei.name })).toBeVisible();
    await expect(note).toBeVisible();
    await page.goto(`${orders}?q=mei@exmaple.com`);
    await expect(page.getByText('No order matches.')).toBeVisible();
  });
});

test('orders are marked as sent with the keyboard alone, or by a range, and back', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404/);
  await addOrders(store);
  await page.route('**/desk/api/orders/sent', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await openSignedIn(page, orders);
  const newRows = page.getByRole('row').filter({ has: page.getByText('New', { exact: true }) });
  const selectAll = page.getByRole('checkbox', { name: /^Select all/ });
  await test.step('a failure marks none', async () => {
    await tabTo(selectAll);
    await page.keyboard.press('Space');
    await tabTo(markAsSent(page));
    await page.keyboard.press('Enter');
    await expect(told(page)).toContainText('The orders were not marked. Please try again.');
    await expect(newRows).toHaveCount(2);
  });
  await test.step('marked, and Undo', async () => {
    await markAsSent(page).press('Enter');
    await expect(newRows).toHaveCount(0);
    await expect(told(page)).toContainText('Marked 2 orders as sent.');
    await expect(selectAll).toBeFocused();
    await tabTo(undoButton(page));
    await page.keyboard.press('Enter');
    await expect(newRows).toHaveCount(2);
    await expect(heading(page)).toBeFocused();
    const sent = await store.db.selectFrom('orders').select('sent_at').orderBy('id').execute();
    expect(sent.map(({ sent_at }) => sent_at !== null)).toEqual([false, false, true]);
  });
  await test.step('twenty with a press at each end', async () => {
    await store.db.deleteFrom('orders').execute();
    await addRecentOrders(store, 25);
    await page.goto(`${orders}?state=new`);
    await boxes(page).nth(2).click();
    await boxes(page)
      .nth(21)
      .click({ modifiers: ['Shift'] });
    await markAsSent(page).click();
    await expect(told(page)).toContainText('Marked 20 orders as sent.');
    await expect(orderTab(page, 'To send')).toHaveText('To send5');
    await expect(orderTab(page, 'Sent')).toHaveText('Sent20');
  });
});

test('the panel of an order has its history and takes a note', async ({ page, store }) => {
  await addRecentOrders(store, 3);
  await openSignedIn(page, orders);
  for (const index of [0, 1]) await boxes(page).nth(index).click();
  await markAsSent(page).click();
  await expect(told(page)).toContainText('Marked 2 orders as sent.');
  await page
    .getByRole('button', { name: /^Open: / })
    .first()
    .click();
  const panel = page.getByRole('dialog', { name: 'Order' });
  const history = panel.getByRole('listitem');
  await expect(history).toHaveText([/^Marked 2 orders as sent, by ada@/, /^Placed, by Mei Lin/]);
  await panel.getByLabel('Private note').fill('Wrap it.');
  await panel.getByRole('button', { name: 'Save note' }).click();
  await expect(history.first()).toHaveText(/^Added a note to an order, by ada@/);
  await page.reload();
  await expect(panel.getByLabel('Private note')).toHaveValue('Wrap it.');

  await panel.getByRole('button', { name: 'Mark as new' }).click();
  await expect(panel).toBeHidden();
  await expect(page).toHaveURL(orders);
  await expect(page.getByText('Note', { exact: true })).toBeVisible();
  await undoButton(page).click();
  await expect(orderTab(page, 'Sent')).toHaveText('Sent2');
});

test('the packing list has a parcel for each buyer, also on paper, and those without an address apart', async ({
  page,
  store,
}) => {
  await addOrders(store);
  const jun = { name: 'Jun', email: 'jun@example.com' };
  const ofJun = { buyerId: await addBuyer(store.db, jun), buyer: jun, book: { id: 'jane', ...janeEyre } };
  await addOrder(store.db, { ...ofJun, placedAt: '2026-03-06T10:00:00Z' });
  await openSignedIn(page, orders);
  await page.getByRole('link', { name: 'Packing list' }).click();
  await expect(page).toHaveURL(`${orders}?packing=yes&state=new`);
  await expect(heading(page)).toBeFocused();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Mei Linmei@example.com',
    'No address yet',
  ]);
  const waiting = page.getByRole('region', { name: 'No address yet' });
  await expect(waiting.getByRole('heading', { level: 3 })).toHaveText('Junjun@example.com');
  await test.step('on paper', async () => {
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText(/^Order [0-9a-f-]{36}$/).first()).toBeVisible();
    for (const hidden of ['Print', 'Mark all as sent', 'Log out'])
      await expect(page.getByText(hidden, { exact: true })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
  });
  await test.step('one, then all that have an address, then one that has none', async () => {
    const mark = page.getByRole('button', { name: 'Mark 1 as sent' });
    await page.getByText('Jane Eyre', { exact: true }).first().click();
    await mark.click();
    await expect(told(page)).toContainText('Marked 1 order as sent.');
    await page.getByRole('button', { name: 'Mark all as sent' }).click();
    await expect(page.getByRole('button', { name: 'Mark all as sent' })).toHaveCount(0);
    await waiting.getByRole('checkbox').check();
    await mark.click();
    await expect(page.getByText('Nothing to pack.')).toBeVisible();
    await undoButton(page).click();
    await expect(waiting).toBeVisible();
    await page.getByRole('link', { name: 'Back to the orders' }).click();
    await expect(page).toHaveURL(`${orders}?state=new`);
  });
});
