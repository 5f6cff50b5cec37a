import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { loseResponse } from './requests.ts';
import { jun, openSignedIn, signIn, signInAndOpen } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, detailsButton, rowOf, undoButton } from './visitor.ts';

const highbury = '1 Hartfield Lane\nHighbury';
const { title } = janeEyre;

test('a buyer says where to send the book, and corrects it until it is sent', async ({
  page,
  store,
  provokes,
}) => {
  const checkout = await store.checkoutOf(title);
  await openSignedIn(page, checkout);
  const sendTo = page.getByLabel('Send to');
  await page.setViewportSize({ width: 320, height: 568 });
  await sendTo.fill(highbury);
  const total = await page.getByText('Total').boundingBox();
  const field = await sendTo.boundingBox();
  expect(total?.y, 'the bar with the total is below the field').toBeGreaterThan(
    (field?.y ?? 0) + (field?.height ?? 0),
  );
  await page.reload();
  await expect(sendTo).toHaveValue(highbury);
  await checkoutButton(page).click();

  const row = rowOf(page, title);
  await detailsButton(page, title).click();
  await expect(row).toContainText('To: 1 Hartfield Lane\nHighbury', { useInnerText: true });
  const opener = page.getByRole('button', { name: `Change address: ${title}` });
  await opener.press('Enter');
  await expect(sendTo).toBeFocused();
  // The caret stands behind the address.
  await page.keyboard.type('!');
  await expect(sendTo).toHaveValue(`${highbury}!`);
  await sendTo.fill('2\tDonwell Road');
  await page.reload();
  await expect(sendTo).toHaveValue('2 Donwell Road');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(row).toContainText('To: 2 Donwell Road');
  await expect(opener).toBeFocused();

  await page.goto(checkout);
  await expect(sendTo).toHaveValue('2 Donwell Road');
  await page.goBack();
  await opener.click();
  await sendTo.fill('3 Randalls');
  provokes(/409 .*\/order\//);
  await store.db.updateTable('orders').set({ sent_at: Date.now() }).execute();
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('The book was sent meanwhile.')).toBeVisible();
  await expect(sendTo).toHaveValue('3 Randalls');
  await sendTo.press('Escape');
  await page.reload();
  await expect(row).toContainText('To: 2 Donwell Road');
  await expect(opener).toHaveCount(0);
});

test('an order that is sent again with another address goes there', async ({ page, store, provokes }) => {
  provokes(/ERR_FAILED .*\/addOrder/);
  await openSignedIn(page, await store.checkoutOf(title));
  const sendTo = page.getByLabel('Send to');
  await sendTo.fill(highbury);
  await page.route('**/addOrder', loseResponse);
  await checkoutButton(page).click();
  await expect(page.getByText('We have not heard whether the order arrived.')).toBeVisible();
  await page.unroute('**/addOrder');

  await sendTo.fill('2 Donwell Road');
  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page).toHaveURL('/orders');
  expect(await store.db.selectFrom('orders').select('delivery_address').execute()).toEqual([
    { delivery_address: '2 Donwell Road' },
  ]);
});

test('while an order is on its way, its address cannot become another one', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(title));
  const sendTo = page.getByLabel('Send to');
  await sendTo.fill(highbury);
  const isAnswered = Promise.withResolvers<void>();
  await page.route('**/addOrder', async (route) => {
    await isAnswered.promise;
    await route.continue();
  });

  await checkoutButton(page).click();
  await expect(page.getByText('Placing your order…')).toBeVisible();
  await expect(sendTo).not.toBeEditable();
  await sendTo.press('x');
  isAnswered.resolve();

  await expect(page).toHaveURL('/orders');
  expect(await store.db.selectFrom('orders').select('delivery_address').execute()).toEqual([
    { delivery_address: highbury },
  ]);
});

test('what was typed outlasts a session that ends, and is not shown to another customer', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/401 .*\/addOrder/);
  const checkout = await store.checkoutOf(title);
  await signInAndOpen(page, checkout);
  await page.getByLabel('Send to').fill(highbury);
  await page.context().clearCookies();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/login');
  await signIn(page);
  await expect(page.getByLabel('Send to')).toHaveValue(highbury);

  await page.context().clearCookies();
  await signInAndOpen(page, checkout, jun);
  await expect(checkoutButton(page)).toBeVisible();
  await expect(page.getByLabel('Send to')).toHaveValue('');
});

test('the desk packs by address, and the owner corrects one', async ({ page, store }) => {
  const checkout = await store.checkoutOf(title);
  for (const address of [highbury, highbury, '2 Donwell Road']) {
    await openSignedIn(page, checkout);
    await page.getByLabel('Send to').fill(address);
    await checkoutButton(page).click();
    await expect(page).toHaveURL('/orders');
  }

  await page.goto(deskViewAddress('orders'));
  await page
    .getByRole('button', { name: `Change address: ${title}` })
    .first()
    .click();
  await page.getByLabel('Send to').fill('3 Randalls\nHighbury');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('Corrected', { exact: true })).toHaveCount(1);

  await page.getByRole('link', { name: 'Packing list' }).click();
  const parcels = page.getByRole('listitem').filter({ has: page.getByRole('heading') });
  await expect(parcels).toHaveCount(2);
  await expect(parcels.nth(0)).toContainText('1 Hartfield Lane');
  await expect(parcels.nth(0).getByRole('checkbox')).toHaveCount(2);
  await expect(parcels.nth(1)).toContainText('3 Randalls');
  await expect(parcels.nth(1)).toContainText('Address corrected');
});

test('who marks an order as sent whose address was corrected meanwhile is told so', async ({
  page,
  store,
}) => {
  await openSignedIn(page, await store.checkoutOf(title));
  await page.getByLabel('Send to').fill(highbury);
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await page.goto(`${deskViewAddress('orders')}?packing=yes&state=new`);
  await expect(page.getByText('1 Hartfield Lane')).toBeVisible();
  await store.db
    .updateTable('orders')
    .set({ delivery_address: '3 Randalls', address_corrected_at: Date.now() })
    .execute();

  await page.getByRole('button', { name: 'Mark all as sent' }).click();

  const notice = page.getByRole('status').filter({ hasText: 'Marked 1 order as sent.' });
  await expect(notice).toContainText(`The address was corrected meanwhile: ${title}. Undo shows it.`);
  await undoButton(page).click();
  await expect(page.getByText('3 Randalls')).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as sent' }).click();
  await expect(notice).toBeVisible();
  await expect(notice).not.toContainText('corrected');
});
