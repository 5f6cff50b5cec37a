import { deskViewAddress } from '../contract/desk/paths.ts';
import { withdrawalPaths } from '../contract/withdrawal.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { orderTab } from './test-orders.ts';
import { buy, rowOf, tabTo, undoButton } from './visitor.ts';

const { title } = janeEyre;
/** On the clock of the browser, to the second. */
const time = /\d{1,2} \w{3,4} \d{4}(,| at) \d{2}:\d{2}:\d{2} \S+/;

for (const width of [320, 1280]) {
  test(`a buyer withdraws with the keyboard alone, once, and sees when it arrived: ${width} pixels`, async ({
    page,
    store,
  }) => {
    await page.setViewportSize({ width, height: 640 });
    await buy(page, store, title);
    const row = rowOf(page, title);
    const opener = page.getByRole('button', { name: `Withdraw from contract: ${title}` });
    await expect(opener).toBeVisible();
    await tabTo(opener);
    await page.keyboard.press('Enter');
    const reason = page.getByLabel('Reason (optional)');
    await expect(reason).toBeFocused();
    await expect(row).toContainText(
      `You are withdrawing from your purchase of Jane Eyre by Charlotte Brontë, bought on ${new Date().toDateString()} for $12.99.`,
    );
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();

    const requests: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/withdrawOrder/')) requests.push(request.postData());
    });
    await page.keyboard.press('Enter');
    await page.keyboard.type('I have it.');
    const confirm = page.getByRole('button', { name: 'Confirm withdrawal' });
    await tabTo(confirm);
    // Three presses before the screen can change.
    await confirm.evaluate((button) => {
      for (let press = 0; press < 3; press += 1) button.click();
    });

    const acknowledgement = row.getByRole('status');
    await expect(acknowledgement).toBeFocused();
    await expect(acknowledgement).toHaveText(time);
    await expect(page.getByText('Thank you.')).toHaveCount(0);
    await expect(acknowledgement).toContainText(
      'We can’t e-mail you a confirmation, so please print or save this page.',
    );
    await page.reload();
    await expect(row).toContainText('Withdrawn on');
    await expect(row).toContainText(time);
    await expect(opener).toHaveCount(0);
    expect(requests).toEqual([JSON.stringify({ reason: 'I have it.' })]);
    const orders = await store.db
      .selectFrom('orders')
      .select(['withdrawn_by', 'withdrawal_reason'])
      .execute();
    expect(orders).toEqual([{ withdrawn_by: 'customer', withdrawal_reason: 'I have it.' }]);
  });
}

test('a withdrawal that comes too late says so, and keeps what was typed', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/withdrawOrder\//);
  await buy(page, store, title);
  await page.getByRole('button', { name: `Withdraw from contract: ${title}` }).click();
  await page.getByLabel('Reason (optional)').fill('I have it.');
  await store.db.updateTable('orders').set({ sent_at: 1 }).execute();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();

  await expect(page.getByText('It is too late: the days for it are over.')).toBeVisible();
  await expect(page.getByLabel('Reason (optional)')).toHaveValue('I have it.');
  await page.getByRole('button', { name: 'Keep the order' }).click();
  await page.reload();
  await expect(rowOf(page, title)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Withdraw/ })).toHaveCount(0);
});

test('the desk finds what was withdrawn, settles it and packs none of it; the owner cancels', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/desk\/api\/orders\/sent/);
  for (const book of [title, 'Sult']) await buy(page, store, book);
  await store.db.updateTable('orders').set({ sent_at: Date.now() }).where('title', '=', title).execute();
  await page.reload();
  await page.getByRole('button', { name: `Withdraw from contract: ${title}` }).click();
  await expect(rowOf(page, title)).toContainText(/You can until \w{3} \w{3} \d{2} \d{4}\./);
  await page.getByLabel('Reason (optional)').fill('Too long.');
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(rowOf(page, title)).toContainText('Your withdrawal arrived on');

  await page.goto(deskViewAddress('orders'));
  await orderTab(page, 'Withdrawn').click();
  const row = rowOf(page, title);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(row).toContainText('by the buyer');
  await expect(row).toContainText('Too long.');
  await page.getByLabel(`Refunded: ${title}`).click();
  await expect(page.getByLabel(`Refunded: ${title}`)).toBeChecked();
  await page.getByLabel(`Returned: ${title}`).click();
  await expect(page.getByLabel(`Returned: ${title}`)).toBeChecked();
  await page.reload();
  await expect(page.getByLabel(`Refunded: ${title}`)).toBeChecked();
  await expect(page.getByLabel(`Returned: ${title}`)).toBeChecked();
  await page.getByLabel(`Refunded: ${title}`).click();
  await expect(page.getByLabel(`Refunded: ${title}`)).not.toBeChecked();
  await expect(row.getByText('Withdrawn', { exact: true }).last()).toBeVisible();

  await orderTab(page, 'To send').click();
  await page.getByRole('button', { name: 'Cancel the order: Sult, for Ada Marlowe' }).click();
  await page.getByLabel('Reason (optional)').fill('Its spine is broken.');
  await page.getByRole('button', { name: 'Confirm cancellation' }).click();
  await expect(page.getByText('No new orders.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await expect(rowOf(page, 'Sult')).toContainText('by the shop');
  await expect(page.getByLabel('Returned: Sult')).toHaveCount(0);

  await buy(page, store, 'Sult');
  await page.goto(`${deskViewAddress('orders')}?packing=yes&state=all`);
  await expect(page.getByText('1 order, by buyer.')).toBeVisible();
  await store.db.updateTable('orders').set({ withdrawn_at: 1 }).where('withdrawn_at', 'is', null).execute();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Mark 1 as sent' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'No order was marked. Withdrawn: “Sult”' }),
  ).toBeVisible();
  await expect(undoButton(page)).toHaveCount(0);
  await expect(page.getByText('Nothing to pack.')).toBeVisible();

  await openSignedIn(page, '/orders');
  await expect(rowOf(page, 'Sult').filter({ hasText: 'Cancelled by the shop on' })).toHaveCount(1);
});

test('every screen has the way to withdraw at its foot, also without JavaScript', async ({
  page,
  browser,
  store,
}) => {
  const addresses = ['/', '/login', '/orders', '/admin', '/desk', await store.checkoutOf(title)];
  for (const address of addresses) {
    await openSignedIn(page, address);
    await expect(
      page.getByRole('contentinfo').getByRole('link', { name: 'Withdraw from contract' }),
    ).toBeVisible();
  }
  await page.getByRole('contentinfo').getByRole('link').click();
  await expect(page).toHaveURL(withdrawalPaths.page);
  await expect(page).toHaveTitle('Withdraw from contract');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Withdraw from contract');
  expect(await page.locator('script[src]').count()).toBe(0);

  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: store.origin });
  const plain = await context.newPage();
  await plain.goto(await store.checkoutOf(title));
  await plain.getByRole('link', { name: 'Withdraw from contract' }).click();
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Withdraw from contract');
  await context.close();
});
