/** An order that is paid by transfer: what its buyer sees, and how the owner learns that it is paid. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { screens } from '../contract/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { janeEyre } from './test-books.ts';
import { orderTab } from './test-orders.ts';
import { buy, heading, orderLink, rowOf, tabTo, undoButton } from './visitor.ts';

const account = { TRANSFER_IBAN: 'DE89370400440532013000', TRANSFER_NAME: 'Die Buchhandlung' };
test.use({
  storeOptions: { env: { CURRENCY: 'EUR', ...account } },
  permissions: ['clipboard-read', 'clipboard-write'],
});

const { title } = janeEyre;
const payButton = 'Pay €12.99';

test('a buyer learns what to transfer and until when, copies it, and sees that it was paid', async ({
  page,
  store,
}) => {
  await buy(page, store, title);
  const main = page.getByRole('main');
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  const reference = async () =>
    (await store.db.selectFrom('orders').select('number').executeTakeFirstOrThrow()).number;
  await test.step('the thanks lead to the account with the keyboard alone', async () => {
    await expect(heading(page)).toHaveText(`Thank you, Ada. ${title} is kept for you.`);
    await expect(main).toContainText(/To be paid by \d{1,2} \w{3,4} \d{4}, \d\d:\d\d/);
    await tabTo(page.getByRole('button', { name: payButton }));
    await page.keyboard.press('Enter');
    for (const text of ['DE89 3704 0044 0532 0130 00', 'Die Buchhandlung', await reference()])
      await expect(main.getByText(text, { exact: true })).toBeVisible();
    const code = page.getByRole('img', { name: 'The transfer as a QR code' });
    await expect(code).toHaveJSProperty('complete', true);
    await expect(code).not.toHaveJSProperty('naturalWidth', 0);
    await expectAccessible(page, 'the thanks with a transfer');
  });
  await test.step('each line is copied as the form of a bank takes it', async () => {
    for (const [name, text] of [
      ['IBAN', account.TRANSFER_IBAN],
      ['Amount', '12.99'],
      ['Reference', await reference()],
    ] as const) {
      await page.getByRole('button', { name: `Copy: ${name}` }).click();
      await expect.poll(copied).toBe(text);
    }
    await expect(main.getByRole('status').filter({ hasText: /^Copied$/ })).toHaveCount(3);
  });
  await test.step('the order has the same', async () => {
    await expect(orderLink(page, title)).toContainText('To be paid by');
    await orderLink(page, title).click();
    await page.getByRole('button', { name: payButton }).click();
    await expect(main.getByRole('definition').nth(1)).toContainText('DE89 3704 0044 0532 0130 00');
    await expect(main.getByText('To be paid', { exact: true })).toBeVisible();
    await expectAccessible(page, 'an order to pay by transfer');
  });
  await test.step('the owner marks it, takes the mark back and marks it again', async () => {
    await page.goto(deskViewAddress('today'));
    await page.getByRole('link', { name: /^To be paid\s*1/ }).click();
    await expect(rowOf(page, title)).toContainText('To be paid');
    await expectAccessible(page, 'orders to be paid');
    await page.getByRole('row', { name: title }).getByRole('checkbox').check();
    await expect(page.getByRole('button', { name: 'Mark as sent' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    await undoButton(page).click();
    await page.getByRole('button', { name: `Open: ${title}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
    await orderTab(page, 'To send').click();
    await page.getByRole('button', { name: `Open: ${title}` }).click();
    await expect(page.getByRole('dialog')).toContainText('€12.99 marked by hand');
    await expect(page.getByRole('dialog')).toContainText('Marked 1 order as not paid');
  });
  await page.goto(screens.orders);
  await orderLink(page, title).click();
  await expect(main.getByText('Paid', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: payButton })).toHaveCount(0);
});

test('a file of the bank marks what it pays, and lists what it does not, once', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/400 .*payments\/import/);
  await buy(page, store, title);
  const { number } = await store.db.selectFrom('orders').select('number').executeTakeFirstOrThrow();
  const rows = [`12,99;k ${number.toLowerCase()}`, `11,99;${number}`, '22,00;Danke für das schöne Buch'];
  const lines = ['Datum;Währung;Betrag;Verwendungszweck', ...rows.map((row) => `23.11.2026;EUR;${row}`)];
  const choose = (text: string) =>
    page.getByLabel('Choose the bank’s file').setInputFiles({
      ...{ name: 'umsaetze.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') },
    });
  await page.goto(deskViewAddress('orders'));
  await orderTab(page, 'To be paid').click();
  await page.getByRole('link', { name: 'Import payments' }).click();
  await expectAccessible(page, 'the import of payments');
  await choose('a;b');
  const result = page.getByRole('main').getByRole('status').first();
  await expect(result).toContainText('No line has the heads of a bank’s table');
  await choose(lines.join('\n'));
  await expect(result).toContainText('Marked 1 order as paid. These marked no order');
  await expect(rowOf(page, '11.99 EUR')).toContainText('Less than the €12.99 that the order costs.');
  await expect(rowOf(page, 'Danke für das schöne Buch')).toContainText(/It names no order\..*23 Nov 2026/);
  await expectAccessible(page, 'imported payments');
  await choose(lines.join('\n'));
  await expect(result).toContainText('Marked 0 orders as paid. Imported before: 1.');
  await page.getByRole('link', { name: 'See the order' }).click();
  await expect(page.getByRole('dialog')).toContainText('€12.99 by transfer');
});

test('what came twice, and what a withdrawn order was paid with, is sent back and ticked off', async ({
  page,
  store,
}) => {
  await buy(page, store, title);
  const { id, number } = await store.db
    .selectFrom('orders')
    .select(['id', 'number'])
    .executeTakeFirstOrThrow();
  const rows = ['23.11.2026', '24.11.2026'].map((day) => `${day};EUR;12,99;${number}`);
  const text = ['Datum;Währung;Betrag;Verwendungszweck', ...rows].join('\n');
  await page.goto(deskViewAddress('orders', { payments: 'import' }));
  await page.getByLabel('Choose the bank’s file').setInputFiles({
    ...{ name: 'umsaetze.csv', mimeType: 'text/csv', buffer: Buffer.from(text) },
  });
  await expect(rowOf(page, '12.99 EUR')).toContainText('send the money back');
  const panel = page.getByRole('dialog', { name: 'Order' });
  const refunded = panel.getByLabel(`Refunded: ${title}`);
  const toSend = panel.getByText(
    `Send €12.99 back to the account that it came from, with the reference ${number}.`,
  );
  const sendBack = async () => {
    await expect(toSend).toBeVisible();
    await expect(refunded).not.toBeChecked();
    await expectAccessible(page, 'what to send back');
    await refunded.click();
  };
  await test.step('the surplus', async () => {
    await page.goto(deskViewAddress('today'));
    const surplus = page.getByRole('link', { name: /^Surplus/ });
    await expect(surplus).toContainText('1');
    await page.setViewportSize({ width: 390, height: 844 });
    await surplus.click();
    await expect(orderTab(page, 'Surplus')).toBeInViewport({ ratio: 0.99 });
    await expect(orderTab(page, 'Surplus')).toContainText('1');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: `Open: ${title}` }).click();
    // Who has gone back before the store has noted it reads it there.
    const settlement = await holdBack(page, /settle$/);
    await sendBack();
    await page.goBack();
    await page.goBack();
    await expect(surplus).toContainText('1');
    settlement.release();
    await expect(surplus).toHaveCount(0);
    await page.goto(screens.order(id));
    await expect(page.getByText('Paid; €12.99 went back')).toBeVisible();
  });
  await test.step('the order', async () => {
    await page.goto(deskViewAddress('orders'));
    await page.getByRole('button', { name: `Open: ${title}` }).click();
    await panel.getByRole('button', { name: /^Cancel the order/ }).click();
    await panel.getByRole('button', { name: 'Confirm cancellation' }).click();
    await sendBack();
    await expect(toSend).toHaveCount(0);
    await expect(refunded).toBeChecked();
    await refunded.click();
    await expect(toSend).toBeVisible();
  });
  await page.goto(screens.order(id));
  await expect(page.getByText('Cancelled by the shop')).toBeVisible();
});

test('an order that its buyer withdraws cannot be paid from the same screen', async ({ page, store }) => {
  await buy(page, store, title);
  await orderLink(page, title).click();
  await expect(page.getByRole('button', { name: payButton })).toBeVisible();
  await page.getByRole('button', { name: `Withdraw from contract: ${title}` }).click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByText('You have withdrawn from this contract.')).toBeVisible();
  await expect(page.getByText('Not paid', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: payButton })).toHaveCount(0);
});
