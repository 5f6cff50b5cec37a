/** Withdrawing from a contract, and cancelling an order: the customer's way and the owner's. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { longDays } from '../web/components/days.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { holdBack } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { orderTab } from './test-orders.ts';
import { buy, orderLink, rowOf, tabTo } from './visitor.ts';

const { title } = janeEyre;

test('a buyer withdraws with the keyboard alone, once, and sees when it arrived', async ({ page, store }) => {
  const requests: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/withdrawOrder/')) requests.push(request.postData());
  });
  await buy(page, store, title);
  await orderLink(page, title).click();
  const main = page.getByRole('main');
  const opener = page.getByRole('button', { name: `Withdraw from contract: ${title}` });
  await tabTo(opener);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Reason (optional)')).toBeFocused();
  await expectAccessible(page, 'the form of a withdrawal');
  await expect(main).toContainText(
    `You are withdrawing from your purchase of Jane Eyre by Charlotte Brontë, bought on ${longDays.format(new Date())} for $12.99.`,
  );
  const acknowledgement = main.getByRole('status');
  // The time is shown with seconds, on the clock of the browser.
  const time = /\d{1,2} \w{3,4} \d{4}(,| at) \d{2}:\d{2}:\d{2} \S+/;
  await test.step('two presses are one withdrawal', async () => {
    await page.keyboard.type('I have it.');
    await tabTo(page.getByRole('button', { name: 'Confirm withdrawal' }));
    const withdrawal = await holdBack(page, /withdrawOrder/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    withdrawal.release();
    await expect(acknowledgement).toBeFocused();
    await expect(acknowledgement).toHaveText(time);
    await expect(acknowledgement).toContainText('Please print or save this page as your confirmation.');
    expect(requests).toEqual([JSON.stringify({ reason: 'I have it.' })]);
    await expectAccessible(page, 'an order that was withdrawn just now');
  });
  await page.reload();
  await expect(main).toContainText('Withdrawn on');
  await expect(main).toContainText(time);
  await expect(opener).toHaveCount(0);
  const orders = store.db.selectFrom('orders').select(['withdrawn_by', 'withdrawal_reason']);
  expect(await orders.execute()).toEqual([{ withdrawn_by: 'customer', withdrawal_reason: 'I have it.' }]);
});

test('a withdrawal is not kept back while it is on its way; one that comes too late says so, and keeps what was typed', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/withdrawOrder\//);
  await buy(page, store, title);
  await orderLink(page, title).click();
  await page.getByRole('button', { name: `Withdraw from contract: ${title}` }).click();
  await page.getByLabel('Reason (optional)').fill('I have it.');
  await store.db.updateTable('orders').set({ sent_at: 1 }).execute();
  const withdrawal = await holdBack(page, /withdrawOrder/);
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByRole('button', { name: 'Keep the order' })).toBeDisabled();
  await page.keyboard.press('Escape');
  withdrawal.release();
  await expect(page.getByText('The days in which this order could be withdrawn are over.')).toBeVisible();
  await expect(page.getByLabel('Reason (optional)')).toHaveValue('I have it.');
});

test('the desk finds what was withdrawn, settles it and packs none of it; the owner cancels', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/desk\/api\/orders\/sent/);
  for (const book of [title, 'Sult']) await buy(page, store, book);
  const byBuyer = { withdrawn_by: 'customer', withdrawal_reason: 'Too long.' } as const;
  const withdrawn = { ...byBuyer, withdrawn_at: Date.now(), sent_at: 1 };
  await store.db.updateTable('orders').set(withdrawn).where('title', '=', title).execute();
  const panel = page.getByRole('dialog', { name: 'Order' });
  await test.step('it is refunded and returned, and what was pressed by mistake is taken back', async () => {
    await page.goto(deskViewAddress('orders'));
    await orderTab(page, 'Withdrawn').click();
    await expect(page.getByRole('row')).toHaveCount(2);
    await rowOf(page, title).getByLabel(`Refunded: ${title}`).click();
    await page.getByRole('button', { name: `Open: ${title}` }).click();
    await expect(panel).toContainText('by the buyer');
    await expect(panel).toContainText('Too long.');
    const [refunded, returned] = [
      panel.getByLabel(`Refunded: ${title}`),
      panel.getByLabel(`Returned: ${title}`),
    ];
    await expect(refunded).toBeChecked();
    // A tick is sent even if the page is left at once.
    const settlement = await holdBack(page, /settle$/);
    await returned.click();
    await settlement.requested;
    await page.reload();
    settlement.release();
    const returns = store.db.selectFrom('orders').select('id').where('returned_at', 'is not', null);
    await expect.poll(() => returns.execute()).toHaveLength(1);
    await page.reload();
    await expect(returned).toBeChecked();
    await expectAccessible(page, 'an order that was refunded and returned');
    await refunded.click();
    await expect(refunded).not.toBeChecked();
    await page.keyboard.press('Escape');
  });
  await test.step('the owner cancels the other order, and the focus stays in its panel', async () => {
    await orderTab(page, 'To send').click();
    await page.getByRole('button', { name: 'Open: Sult' }).click();
    await page.getByRole('button', { name: 'Cancel the order: Sult, for Ada Marlowe' }).click();
    await page.getByLabel('Reason (optional)').fill('Its spine is broken.');
    await expectAccessible(page, 'the form to cancel an order');
    await page.getByRole('button', { name: 'Confirm cancellation' }).press('Enter');
    await expect(panel).toContainText(/Cancelled .*, by the shop/);
    await expect(panel.getByLabel('Returned: Sult')).toHaveCount(0);
    await expect(panel.locator(':focus')).toHaveCount(1);
  });
  await test.step('an order that is withdrawn while it is packed is not marked', async () => {
    await buy(page, store, 'Sult');
    await page.goto(`${deskViewAddress('orders')}?packing=yes&state=all`);
    await page.getByRole('checkbox').check();
    await store.db.updateTable('orders').set({ withdrawn_at: 1 }).where('withdrawn_at', 'is', null).execute();
    await page.getByRole('button', { name: 'Mark 1 as sent' }).click();
    await expect(page.getByText('No order was marked. Withdrawn: “Sult”')).toBeVisible();
    await expect(page.getByText('Nothing to pack.')).toBeVisible();
  });
  await openSignedIn(page, '/orders');
  await expect(rowOf(page, 'Sult').filter({ hasText: 'Cancelled by the shop' })).toHaveCount(1);
});
