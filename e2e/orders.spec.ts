/** The orders of a customer: their rows, the sum, what comes after buying, and the page of one. */

import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { watchAgain } from './layout-watch.ts';
import { holdBack } from './requests.ts';
import { ada, jun, openSignedIn, signIn, signInAndOpen } from './sign-in.ts';
import { type Store, shop } from './store.ts';
import { janeEyre } from './test-books.ts';
import { addOrder } from './test-orders.ts';
import { buy, checkoutButton, heading, noOrders, orderLink, rowOf, tabTo } from './visitor.ts';

const { title } = janeEyre;

/** Adds orders of Ada, who has signed in, each a minute after the one before. */
async function addOrders(store: Store, count: number): Promise<void> {
  const ofAda = store.db.selectFrom('customers').select('id').where('email', '=', ada.email);
  const { id: buyerId } = await ofAda.executeTakeFirstOrThrow();
  const id = (await store.checkoutOf(title)).replace('/checkout/', '');
  const start = Date.now() - 3 * 86_400_000;
  for (let order = 0; order < count; order += 1) {
    const placedAt = new Date(start + order * 60_000).toISOString();
    await addOrder(store.db, { buyerId, buyer: ada, book: { ...janeEyre, id }, placedAt });
  }
}

test('after buying there are the cover and what happens next, once', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(title));
  await page.getByLabel('Send to').fill('1 Hartfield Lane');
  const main = page.getByRole('main');
  const orders = await holdBack(page, '**/allOrder/*');
  // The test presses nothing: moves in the half second after a press count as its answer.
  await checkoutButton(page).dispatchEvent('click');
  await expect(main.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  await expect(heading(page)).toHaveCount(0);
  await watchAgain(page);
  orders.release();

  const steps = main.getByRole('list', { name: 'What happens next' });
  await expect(heading(page)).toHaveText(`Thank you, Ada. ${title} is yours.`);
  await expect(heading(page)).toBeFocused();
  await expect(main.getByRole('img', { name: `Cover of ${title}` })).toBeVisible();
  await expect(steps).toContainText('We’ll send it to1 Hartfield Lane');
  await expect(steps).toContainText(/You can withdraw until at least \d{1,2} \w{3,4} \d{4}\./);
  await expectAccessible(page, 'orders after buying');

  await steps.getByRole('link', { name: 'its receipt and bookplate' }).click();
  await expect(heading(page)).toHaveText('Your order', { useInnerText: true });
  await page.goBack();
  await expect(rowOf(page, title)).toBeVisible();
  await expect(steps).toHaveCount(0);
  await expect(heading(page)).toHaveText('Ordered books list:');
});

test('whoever bought without an address gives it where the thanks ask for it', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(title));
  await checkoutButton(page).click();
  const sendTo = page.getByLabel('Send to');
  await expect(page.getByRole('heading', { name: 'Where shall we send it?' })).toBeVisible();
  await expect(sendTo).toHaveAttribute('placeholder', /^Your name\n/);
  await sendTo.fill('1 Hartfield Lane');
  await expectAccessible(page, 'orders after buying, with the form of an address');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByRole('main')).toContainText('We’ll send it to1 Hartfield Lane');
  await expect(sendTo).toHaveCount(0);
  await expect(heading(page)).toBeFocused();
  const order = await store.db.selectFrom('orders').select('delivery_address').executeTakeFirstOrThrow();
  expect(order).toEqual({ delivery_address: '1 Hartfield Lane' });
});

test('the sum is that of all orders, without what was withdrawn', async ({ page, store }) => {
  const total = page.getByText(/^\d+ books?, /);
  await openSignedIn(page, '/orders');
  await page.getByRole('list', { name: 'On the front table' }).waitFor();
  await expectAccessible(page, 'no order yet');
  await addOrders(store, 150);
  await page.reload();
  await expect(total).toHaveText('150 books, $1,948.50');
  await expect(page.locator('main [aria-hidden="true"] > [data-title]')).toHaveCount(60);
  expect(await page.getByRole('row').count()).toBeLessThan(90);
  await test.step('a search finds an order by its title, its author or its number', async () => {
    const first = store.db.selectFrom('orders').select('number').orderBy('placed_at');
    const { number } = await first.executeTakeFirstOrThrow();
    await page.getByLabel('Search your orders').fill(`bronte ${number.toLowerCase()}`);
    await expect(page.getByText('1 order found')).toBeVisible();
    await expect(rowOf(page, title)).toHaveCount(1);
    await orderLink(page, title).click();
    await heading(page).filter({ visible: true, hasText: 'Your order' }).waitFor();
    await page.goBack();
    await expect(page.getByText('1 order found')).toBeVisible();
  });
  await buy(page, store, title);
  await expect(total).toHaveText('151 books, $1,961.49');
  await orderLink(page, title).first().click();
  await page.getByRole('button', { name: `Withdraw from contract: ${title}` }).click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByText('Your withdrawal arrived on')).toBeVisible();
  await page.getByRole('link', { name: 'Back to your orders' }).click();
  await expect(total).toHaveText('150 books, $1,948.50');
  await expect(orderLink(page, title).first()).toHaveText(new RegExp(`^${title}Withdrawn · \\w{8}$`));
});

test('an order has a page of its own, from which Back leads to its row, and which prints as a receipt on one page', async ({
  page,
  store,
}) => {
  const longTitle = `The Life and Strange Surprizing Adventures ${'of Robinson Crusoe '.repeat(8)}`.trim();
  await store.addBook({ title: longTitle, author: 'Anneliese von Hohenstaufen' });
  await buy(page, store, longTitle);
  await page.reload();
  const link = orderLink(page, longTitle);
  await tabTo(link);
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await page.getByRole('link', { name: 'Back to your orders' }).click();
  await expect(page).toHaveURL('/orders');
  await expect(link).toBeFocused();
  await page.goForward();

  const main = page.getByRole('main');
  const placed = store.db.selectFrom('orders').select(['id', 'number', 'placed_at']);
  const { id, number, placed_at: placedAt } = await placed.executeTakeFirstOrThrow();
  await test.step('the order, the buyer and the shop', async () => {
    await expect(page).toHaveURL(`/orders/${id}`);
    await expect(page).toHaveTitle('Order');
    const hour = new Date(placedAt).toTimeString().slice(0, 5);
    const parts = [number, ada.name, ada.email, longTitle, 'Anneliese von Hohenstaufen', '$12.99', hour];
    for (const part of [...parts, 'Not sent yet']) await expect(main).toContainText(part);
    await expect(main.getByText('Shop', { exact: true }).locator('..')).toContainText(
      `Colophon ${shop.email}`,
    );
    await expectAccessible(page, 'the page of an order');
  });
  await test.step('on paper', async () => {
    await page.reload();
    await main.getByRole('img', { name: `Bookplate: Ex libris ${ada.name}` }).waitFor();
    await page.emulateMedia({ media: 'print' });
    const margin = { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' };
    await expect(heading(page)).toHaveText('Receipt', { useInnerText: true });
    for (const part of [page.getByRole('button', { name: 'Print' }), page.getByRole('navigation')])
      await expect(part).toBeHidden();
    const pdf = (await page.pdf({ format: 'A4', margin })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await page.emulateMedia({ media: 'screen' });
  });
});

test('the page of an order is for its buyer, after a sign-in too, and has the address of a receipt in 0.2.0', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*\/order\//);
  await openSignedIn(page, '/orders');
  await noOrders(page).waitFor();
  await addOrders(store, 1);
  await page.context().clearCookies();
  const { id } = await store.db.selectFrom('orders').select('id').executeTakeFirstOrThrow();
  await page.goto(`/orders?receipt=${id}`);
  await expect(page).toHaveURL('/login');
  await signIn(page);
  await expect(page).toHaveURL(`/orders/${id}`);
  await expect(page.getByRole('main')).toContainText(title);
  await page.context().clearCookies();
  // Another test of this worker ends all of this customer's sessions.
  await signInAndOpen(page, `/orders/${id}`, jun);
  await expect(page.getByText('None of your orders has this number.')).toBeVisible();
});
