import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { testBooks } from './test-books.ts';
import { addBuyer, addOrder, orderTab } from './test-orders.ts';
import { buy, heading, searchField, tabTo, undoButton } from './visitor.ts';

const orders = deskViewAddress('orders');
const mei = { name: 'Mei Lin', email: 'mei@example.com' };
const olu = { name: 'Olu Adeyemi', email: 'olu@example.com' };

/** Three orders: two of one buyer, and one of another, which was sent. */
async function addOrders({ db }: Store): Promise<void> {
  const [first, second, third] = testBooks.map((book, index) => ({ id: `book-${index}`, ...book }));
  if (!first || !second || !third) throw new Error('There are too few test books.');
  const [meiId, oluId] = [await addBuyer(db, mei), await addBuyer(db, olu)];
  const ofMei = { buyerId: meiId, buyer: mei, deliveryAddress: '2 Pearl Street' };
  await addOrder(db, { ...ofMei, book: first, placedAt: '2026-03-02T10:00:00Z' });
  await addOrder(db, { ...ofMei, book: second, placedAt: '2026-03-03T10:00:00Z' });
  await addOrder(db, {
    buyerId: oluId,
    buyer: olu,
    book: third,
    placedAt: '2026-03-04T10:00:00Z',
    sentAt: '2026-03-05T08:30:00Z',
  });
}

const rowsOf = (page: Page) =>
  page
    .getByRole('table', { name: 'Orders' })
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox') });
const newRows = (page: Page) => rowsOf(page).filter({ has: page.getByText('New', { exact: true }) });

test('an order that was just placed is on the desk, which was empty before', async ({ page, store }) => {
  await openSignedIn(page, orders);
  await expect(page.getByText('No orders yet.')).toBeVisible();
  await expect(page).toHaveTitle('Orders – Desk');

  await buy(page, store, 'Sult');
  await page.goto(orders);
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(newRows(page)).toContainText(['Sult']);
  await expect(newRows(page)).toContainText(['ada@example.com']);
});

test('orders are found by buyer, book, day and state, and exported', async ({ page, store }) => {
  await addOrders(store);
  await openSignedIn(page, orders);
  await expect(rowsOf(page)).toHaveCount(3);
  await searchField(page).fill('MEI@example');
  await expect(rowsOf(page)).toHaveCount(2);
  await searchField(page).fill('shelley');
  await expect(rowsOf(page)).toHaveCount(1);
  await searchField(page).press('Escape');
  await orderTab(page, 'To send').click();
  await expect(rowsOf(page)).toHaveCount(2);
  await page.getByLabel('From day').fill('2026-03-03');
  await page.getByLabel('To day').fill('2026-03-03');
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(page).toHaveURL(`${orders}?state=new&from=2026-03-03&to=2026-03-03`);
  await page.reload();
  await expect(rowsOf(page)).toHaveCount(1);
  await searchField(page).fill('oluadeyemi');
  await expect(page.getByText('No order matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await expect(rowsOf(page)).toHaveCount(3);

  await orderTab(page, 'Sent').click();
  await expect(rowsOf(page)).toHaveCount(1);
  const exported = async (name: string) => {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `Export as ${name}` }).click();
    return (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/);
  };
  const [head = '', ...rows] = await exported('CSV');
  expect([head.split(',').length > 5, rows.length]).toEqual([true, 1]);
  const lines = await exported('JSON Lines');
  expect(lines.map((line) => JSON.parse(line).buyer.email)).toEqual([olu.email]);
});

test('a search of the orders with a typo lists, exports and packs similar ones, and says so', async ({
  page,
  store,
}) => {
  await addOrders(store);
  await openSignedIn(page, orders);
  await searchField(page).fill('meilin');
  const note = page.getByText('Nothing matches “meilin”. This is similar:');
  await expect(note).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(2);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as JSON Lines' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.trim().split('\n')).toHaveLength(2);
  await page.getByRole('link', { name: 'Packing list' }).click();
  await expect(page.getByRole('heading', { name: mei.name })).toBeVisible();
  await expect(note).toBeVisible();
  await page.goto(`${orders}?q=mei@exmaple.com`);
  await expect(page.getByText('No order matches.')).toBeVisible();
});

test('orders are marked as sent with the keyboard alone, and back', async ({ page, store, provokes }) => {
  provokes(/404/);
  await addOrders(store);
  await page.route('**/desk/api/orders/sent', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await openSignedIn(page, orders);
  const isSent = async () =>
    (await store.db.selectFrom('orders').select('sent_at').orderBy('id').execute()).map(
      ({ sent_at }) => sent_at !== null,
    );
  const selectAll = page.getByRole('checkbox', { name: /^Select all/ });
  const markAsSent = page.getByRole('button', { name: 'Mark as sent' });

  await tabTo(selectAll);
  await page.keyboard.press('Space');
  await tabTo(markAsSent);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('The orders were not marked. Please try again.');
  await expect(newRows(page)).toHaveCount(2);

  await tabTo(markAsSent);
  await page.keyboard.press('Enter');
  await expect(newRows(page)).toHaveCount(0);
  await expect.poll(isSent).toEqual([true, true, true]);
  await expect(page.getByRole('status')).toContainText('Marked 2 orders as sent.');
  await expect(selectAll).toBeFocused();
  await tabTo(undoButton(page));
  await page.keyboard.press('Enter');
  await expect(newRows(page)).toHaveCount(2);
  await expect.poll(isSent).toEqual([false, false, true]);
  await expect(heading(page)).toBeFocused();

  const janeEyre = page.getByRole('checkbox', { name: 'Select: Jane Eyre, for Mei Lin' });
  await orderTab(page, 'To send').click();
  await expect(rowsOf(page)).toHaveCount(2);
  await janeEyre.check();
  await markAsSent.click();
  await expect(rowsOf(page)).toHaveCount(1);
  await selectAll.check();
  await orderTab(page, 'Sent').click();
  await expect(rowsOf(page)).toHaveCount(2);
  await janeEyre.check();
  await page.getByRole('button', { name: 'Mark as new' }).click();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page)).toContainText('Olu Adeyemi');
});

test('the packing list has those without an address apart, and does not mark them with all', async ({
  page,
  store,
}) => {
  await addOrders(store);
  const [book] = testBooks.map((one, index) => ({ id: `book-${index}`, ...one }));
  if (!book) throw new Error('There is no test book.');
  const jun = { name: 'Jun', email: 'jun@example.com' };
  const buyerId = await addBuyer(store.db, jun);
  await addOrder(store.db, { buyerId, buyer: jun, book, placedAt: '2026-03-06T10:00:00Z' });
  await openSignedIn(page, `${orders}?packing=yes&state=new`);

  const waiting = page.getByRole('region', { name: 'No address yet' });
  await expect(waiting.getByRole('heading', { level: 3 })).toHaveText('Junjun@example.com');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Mei Linmei@example.com',
    'No address yet',
  ]);
  await page.getByRole('button', { name: 'Mark all as sent' }).click();

  await expect(page.getByRole('status')).toContainText('Marked 2 orders as sent.');
  await expect(waiting.getByRole('checkbox')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Mark all as sent' })).toHaveCount(0);
  await waiting.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Mark 1 as sent' }).click();
  await expect(page.getByText('Nothing to pack.')).toBeVisible();
});

test('the packing list has a parcel for each buyer, also on paper', async ({ page, store }) => {
  await addOrders(store);
  await openSignedIn(page, orders);
  await page.getByRole('link', { name: 'Packing list' }).click();

  await expect(page).toHaveURL(`${orders}?packing=yes&state=new`);
  await expect(heading(page)).toBeFocused();
  await expect(page.getByText('2 orders, by buyer.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Mei Linmei@example.com']);
  await expect(page.getByRole('listitem').getByRole('listitem')).toHaveCount(2);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Mei Lin' })).toBeVisible();
  await expect(page.getByText(/^Order [0-9a-f-]{36}$/)).toHaveCount(2);
  for (const hidden of ['Print', 'Mark all as sent', 'Log out']) {
    await expect(page.getByText(hidden, { exact: true })).toBeHidden();
  }
  await page.emulateMedia({ media: 'screen' });

  await page.getByText('Jane Eyre', { exact: true }).click();
  await page.getByRole('button', { name: 'Mark 1 as sent' }).click();
  await expect(page.getByRole('status')).toContainText('Marked 1 order as sent.');
  await expect(page.getByRole('checkbox')).toHaveCount(1);
  await page.getByRole('button', { name: 'Mark all as sent' }).click();
  await expect(page.getByText('Nothing to pack.')).toBeVisible();
  await undoButton(page).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(1);
  await page.getByRole('link', { name: 'Back to the orders' }).click();
  await expect(page).toHaveURL(`${orders}?state=new`);

  for (const [search, message] of [
    ['packing=yes&state=new&q=mei', '1 order of your search, by buyer.'],
    ['packing=yes&state=new&q=nobody', 'No order of your search is to be packed.'],
    ['state=new&from=2030-01-01', 'No order matches.'],
  ]) {
    await page.goto(`${orders}?${search}`);
    await expect(page.getByText(message ?? '')).toBeVisible();
  }
});
