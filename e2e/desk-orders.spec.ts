/** The orders of the desk: what waits today, their list, marks, the panel of an order and the packing list. */

import { readFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { maxPageSize } from '../contract/next-page.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { addBuyer, addOrder, orderTab } from './test-orders.ts';
import { heading, searchField, tabTo, undoButton } from './visitor.ts';

const orders = deskViewAddress('orders');
const mei = { name: 'Mei Lin', email: 'mei@example.com' };
const olu = { name: 'Olu Adeyemi', email: 'olu@example.com' };

/** Three orders: two of one buyer, and one of another, which was sent. */
async function addOrders({ db }: Store): Promise<void> {
  const [first, second, third] = testBooks;
  const ofMei = { buyerId: await addBuyer(db, mei), buyer: mei, deliveryAddress: '2 Pearl Street' };
  await addOrder(db, { ...ofMei, book: { id: 'book-0', ...first }, placedAt: '2026-03-02T10:00:00Z' });
  await addOrder(db, { ...ofMei, book: { id: 'book-1', ...second }, placedAt: '2026-03-03T10:00:00Z' });
  const ofOlu = { buyerId: await addBuyer(db, olu), buyer: olu, book: { id: 'book-2', ...third } };
  await addOrder(db, { ...ofOlu, placedAt: '2026-03-04T10:00:00Z', sentAt: '2026-03-05T08:30:00Z' });
}

const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select: / });
/** What is seldom needed: the days and the exports. */
const menu = (page: Page) => page.getByRole('search').locator('summary');
const told = (page: Page) => page.getByRole('status');

test('the desk begins with what waits, and each figure leads to it', async ({ page, store }) => {
  await addOrders(store);
  await openSignedIn(page, '/desk');
  const table = page.getByRole('table', { name: 'The last orders' });
  await expect(page).toHaveTitle('Today – Desk');
  await expect(table.getByRole('row')).toHaveCount(4);
  const state = page.getByRole('region', { name: 'The store' });
  await expect(state).toContainText('Last backup None yet');
  await expect(state).toContainText(/Disk \d+ % free.*Version \d/);
  await expectAccessible(page, 'today');
  await table.getByRole('button').first().click();
  await expect(page.getByRole('dialog', { name: 'Order' })).toContainText(olu.name);
  await page.goBack();
  await expect(page.getByRole('link', { name: /^To send/ })).toContainText('2');
  await page.getByRole('link', { name: /^To send/ }).click();
  await expect(heading(page)).toHaveText('Packing list');
});

test('orders are found by buyer, book, day and state, and exported', async ({ page, store }) => {
  await addOrders(store);
  await openSignedIn(page, orders);
  const found = async (count: number) => await expect(boxes(page)).toHaveCount(count);
  await searchField(page).fill('MEI@example');
  await found(2);
  await searchField(page).fill('shelley');
  await found(1);
  await searchField(page).press('Escape');
  await orderTab(page, 'To send').click();
  await menu(page).click();
  await page.getByLabel('From day').fill('2026-03-03');
  await page.getByLabel('To day').fill('2026-03-03');
  await expect(page).toHaveURL(`${orders}?state=new&from=2026-03-03&to=2026-03-03`);
  await page.reload();
  await found(1);
  await searchField(page).fill('oluadeyemi');
  await expect(page.getByText('No order matches.')).toBeVisible();
  await expectAccessible(page, 'no order that matches');
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await found(3);
  await page.getByRole('checkbox', { name: /^Select all/ }).check();
  await expectAccessible(page, 'orders that are selected');
  await orderTab(page, 'Sent').click();
  await found(1);
  const download = page.waitForEvent('download');
  await menu(page).click();
  await page.getByRole('link', { name: 'Export as JSON Lines' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).buyer.email)).toEqual([olu.email]);
});

test('eleven orders are on a screen, the first one twelve Tabs away, and a panel leads from one to the next', async ({
  page,
  store,
}) => {
  const ofMei = { buyerId: await addBuyer(store.db, mei), buyer: mei };
  const volume = (number: number) => ({ ...janeEyre, id: `book-${number}`, title: `Volume ${number}` });
  for (let number = 1; number <= 12; number += 1) {
    const placedAt = new Date(Date.now() - number * 3_600_000).toISOString();
    const address = { deliveryAddress: '2 Pearl Street\nBath BA1 2NS\nUnited Kingdom' };
    await addOrder(store.db, { ...ofMei, placedAt, book: volume(number), ...(number < 12 && address) });
  }
  await openSignedIn(page, orders);
  const openers = page.getByRole('button', { name: /^Open: / });
  await expect(openers.nth(10)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('row').nth(1)).toContainText('Bath BA1 2NS, United Kingdom');
  for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('Tab');
  await expect(openers.first()).toBeFocused();

  await test.step('the keys of the panel stay where they are', async () => {
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Order' });
    await expect(panel.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await tabTo(panel.getByRole('button', { name: 'Next' }));
    for (const number of [2, 3]) {
      await page.keyboard.press('Enter');
      await expect(panel.getByRole('link', { name: volume(number).title })).toBeVisible();
      await expect(panel.getByRole('button', { name: 'Next' })).toBeFocused();
    }
    await page.goBack();
    await expect(panel).toHaveCount(0);
  });
  await test.step('with Shift the orders between are selected too', async () => {
    await boxes(page).nth(1).check();
    await boxes(page)
      .nth(8)
      .click({ modifiers: ['Shift'] });
    await expect(page.getByText('8 orders selected')).toBeVisible();
    await boxes(page)
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await expect(page.getByText('3 orders selected')).toBeVisible();
  });
  await test.step('those without an address have a tab', async () => {
    await orderTab(page, 'No address').click();
    await expect(openers).toHaveText(['Volume 12']);
    await expect(orderTab(page, 'No address')).toContainText('1');
  });
});

test('a panel leads from the last order of a page to the first of the next page', async ({ page, store }) => {
  const ofMei = { buyerId: await addBuyer(store.db, mei), buyer: mei };
  let last = '';
  for (let number = maxPageSize + 1; number > 0; number -= 1) {
    const placedAt = new Date(Date.now() - number * 3_600_000).toISOString();
    const book = { ...janeEyre, id: 'book', title: `Volume ${number}` };
    const id = await addOrder(store.db, { ...ofMei, placedAt, book });
    if (number === maxPageSize) last = id;
  }
  await openSignedIn(page, `${orders}?order=${last}`);
  const panel = page.getByRole('dialog', { name: 'Order' });
  await panel.getByRole('button', { name: 'Next' }).click();
  await expect(panel.getByRole('link', { name: `Volume ${maxPageSize + 1}` })).toBeVisible();
});

test('orders are marked as sent with the keyboard alone, and back; each has its history and a note', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404/);
  await addOrders(store);
  await page.route('**/desk/api/orders/sent', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await openSignedIn(page, orders);
  const newRows = page.getByRole('row').filter({ has: page.getByText('To send', { exact: true }) });
  const selectAll = page.getByRole('checkbox', { name: /^Select all/ });
  const mark = page.getByRole('button', { name: 'Mark as sent' });
  await test.step('a failure marks none', async () => {
    await tabTo(selectAll);
    await page.keyboard.press('Space');
    await tabTo(mark);
    await page.keyboard.press('Enter');
    await expect(told(page)).toContainText('The orders were not marked. Please try again.');
    await expect(newRows).toHaveCount(2);
  });
  await test.step('marked, and Undo', async () => {
    await mark.press('Enter');
    await expect(newRows).toHaveCount(0);
    await expect(told(page)).toContainText('Marked 2 orders as sent.');
    await expect(undoButton(page)).toBeFocused();
    await expect(selectAll).not.toBeChecked();
    await page.keyboard.press('Enter');
    await expect(newRows).toHaveCount(2);
    await expect(heading(page)).toBeFocused();
    const sent = await store.db.selectFrom('orders').select('sent_at').orderBy('id').execute();
    expect(sent.map(({ sent_at }) => sent_at !== null)).toEqual([false, false, true]);
  });
  await test.step('the panel of an order', async () => {
    const opener = page.getByRole('button', { name: /^Open: / }).nth(1);
    await opener.click();
    const panel = page.getByRole('dialog', { name: 'Order' });
    const history = panel.getByRole('listitem');
    await expect(history).toHaveText([
      /^Marked 2 orders as new/,
      /^Marked 2 orders as sent, by ada@/,
      /^Placed, by Mei Lin/,
    ]);
    await panel.getByLabel('Private note').fill('Wrap it.');
    await panel.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
    await expect(history.first()).toHaveText(/^Added a note to an order, by ada@/);
    await expectAccessible(page, 'an order with its history and a note');
    await page.reload();
    await expect(panel.getByLabel('Private note')).toHaveValue('Wrap it.');
    await page.keyboard.press('Escape');
    await expect(page.getByText('Note', { exact: true })).toBeVisible();
  });
});

test('the packing list has a parcel for each address, also one that was corrected, and orders without one last', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/400 .*\/desk\/api\/orders/);
  await addOrders(store);
  const jun = { name: 'Jun', email: 'jun@example.com' };
  const ofJun = { buyerId: await addBuyer(store.db, jun), buyer: jun, book: { id: 'sult', ...testBooks[5] } };
  await addOrder(store.db, { ...ofJun, placedAt: '2026-03-06T10:00:00Z' });
  await openSignedIn(page, orders);
  await page.getByRole('button', { name: `Open: ${testBooks[1].title}` }).click();
  await page.getByRole('button', { name: `Change address: ${testBooks[1].title}` }).click();
  await page.getByLabel('Send to').fill('3 Randalls\nHighbury');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('Corrected', { exact: true })).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Packing list' }).click();
  const parcels = page.getByRole('listitem').filter({ has: page.getByRole('heading') });
  await expect(parcels.filter({ hasText: mei.email })).toHaveCount(2);
  await expect(parcels.filter({ hasText: 'Address corrected' })).toContainText('3 Randalls');
  const waiting = parcels.last();
  await expect(waiting).toContainText(/Jun jun@example.com.*No address yet/s);
  await expectAccessible(page, 'the packing list');
  await test.step('who marks an order whose address is corrected meanwhile is told, and Undo leaves what another has marked', async () => {
    const corrected = { delivery_address: '4 Hartfield', address_corrected_at: Date.now() };
    await store.db.updateTable('orders').set(corrected).where('title', '=', janeEyre.title).execute();
    await store.db
      .updateTable('orders')
      .set({ sent_at: 1 })
      .where('title', '=', testBooks[1].title)
      .execute();
    await page.getByRole('button', { name: 'Mark all as sent' }).click();
    await expect(told(page).filter({ hasText: 'Marked 1 order as sent.' })).toContainText(
      `The address was corrected meanwhile: ${janeEyre.title}. Undo shows it.`,
    );
    await undoButton(page).click();
    await expect(page.getByText('4 Hartfield')).toBeVisible();
    await expect(parcels).toHaveCount(2);
  });
  const mark = page.getByRole('button', { name: 'Mark 1 as sent' });
  await page.getByText(janeEyre.title, { exact: true }).click();
  await mark.click();
  await expect(told(page)).toContainText('Marked 1 order as sent.');
  await expect(parcels).toHaveCount(1);
  await waiting.getByRole('checkbox').check();
  await mark.click();
  await expect(page.getByText('Nothing to pack.')).toBeVisible();
  await test.step('a list whose next page fails is fetched again as a whole', async () => {
    const withWrongPage = async (route: Route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), link: '</desk/api/orders?cursor=>; rel="next"' };
      await route.fulfill({ response, headers });
    };
    await page.route('**/desk/api/orders?*', withWrongPage, { times: 1 });
    await page.goto(`${orders}?packing=yes&state=all`);
    await expect(page.getByText('The orders could not be fetched.')).toBeVisible();
    const list = await holdBack(page, '**/desk/api/orders?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Loading...')).toBeVisible();
    list.release();
    await expect(parcels).toHaveCount(4);
  });
});
