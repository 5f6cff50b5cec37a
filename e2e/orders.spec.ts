/** The orders of a customer: their rows, the sum, what comes after buying, and the receipt. */

import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { watchAgain } from './layout-watch.ts';
import { holdBack } from './requests.ts';
import { ada, openSignedIn } from './sign-in.ts';
import { type Store, shop } from './store.ts';
import { janeEyre } from './test-books.ts';
import { addOrder } from './test-orders.ts';
import { buy, checkoutButton, detailsButton, rowOf, tabTo } from './visitor.ts';

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

test('after buying there are the cover, what happens next and a bookplate, once', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(title));
  await page.getByLabel('Send to').fill('1 Hartfield Lane');
  const main = page.getByRole('main');
  const orders = await holdBack(page, '**/allOrder/*');
  // No press: what moves in the half second after one counts as its answer.
  await checkoutButton(page).dispatchEvent('click');
  await expect(main.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  await watchAgain(page);
  orders.release();

  const plate = main.getByRole('img', { name: `Bookplate: Ex libris ${ada.name}` });
  const steps = main.getByRole('list', { name: 'What happens next' });
  await expect(main.getByRole('status').filter({ hasText: 'Thank you.' })).toHaveText(
    `Thank you. ${title} is yours.`,
  );
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(main.getByRole('img', { name: `Cover of ${title}` })).toBeVisible();
  await expect(plate).toBeVisible();
  await expect(steps).toContainText('We’ll send it to1 Hartfield Lane');
  await expect(steps).toContainText(/You can withdraw until at least \w{3} \w{3} \d{2} \d{4}\./);
  await expectAccessible(page, 'orders after buying');

  await steps.getByRole('link', { name: 'Receipt and bookplate' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt');
  await page.goBack();
  await expect(rowOf(page, title)).toBeVisible();
  await expect(plate).toHaveCount(0);
  await expect(main.getByRole('status')).toBeEmpty();

  await test.step('its row opens with the keyboard, and has its number, its time and its state', async () => {
    const row = rowOf(page, title);
    await tabTo(detailsButton(page, title));
    await page.keyboard.press('Enter');
    await expect(detailsButton(page, title)).toHaveAttribute('aria-expanded', 'true');
    const chosen = store.db.selectFrom('orders').select(['id', 'placed_at']);
    const { id, placed_at: placedAt } = await chosen.executeTakeFirstOrThrow();
    await expect(row).toContainText(id);
    const hour = new Date(placedAt).toTimeString().slice(0, 5);
    await expect(row).toContainText(new RegExp(`Placed \\d{1,2} \\w+ \\d{4}, ${hour}`));
    await expect(row).toContainText('Not sent yet');
  });
});

test('the sum is that of all orders, without what was withdrawn', async ({ page, store }) => {
  const total = page.getByText(/^\d+ books?, /);
  await openSignedIn(page, '/orders');
  await page.getByRole('list', { name: 'On the front table' }).waitFor();
  await expectAccessible(page, 'no order yet');
  await addOrders(store, 150);
  await page.reload();
  await expect(total).toHaveText('150 books, $1,948.50');
  await expect(page.locator('main [aria-hidden="true"] > [data-title]')).toHaveCount(100);
  expect(await page.getByRole('row').count()).toBeLessThan(90);
  await buy(page, store, title);
  await expect(total).toHaveText('151 books, $1,961.49');
  await page
    .getByRole('button', { name: `Withdraw from contract: ${title}` })
    .first()
    .click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(total).toHaveText('150 books, $1,948.50');
});

test('a receipt has an address of its own, from which Back leads to its row, and prints as one page', async ({
  page,
  store,
}) => {
  const longTitle = `The Life and Strange Surprizing Adventures ${'of Robinson Crusoe '.repeat(8)}`.trim();
  await store.addBook({ title: longTitle, author: 'Anneliese von Hohenstaufen' });
  await buy(page, store, longTitle);
  await page.reload();
  await detailsButton(page, longTitle).click();
  const link = rowOf(page, longTitle).getByRole('link', { name: 'Receipt and bookplate' });
  await link.click();
  await page.getByRole('link', { name: 'Back to your orders' }).click();
  await expect(page).toHaveURL('/orders');
  await expect(link).toBeFocused();
  await page.goForward();

  const receipt = page.getByRole('main');
  await test.step('the order, the buyer and the shop', async () => {
    const [order] = await store.db.selectFrom('orders').select('id').execute();
    const parts = [order?.id ?? '', ada.name, ada.email, longTitle, 'Anneliese von Hohenstaufen', '$12.99'];
    for (const part of parts) await expect(receipt).toContainText(part);
    await expect(receipt.getByText('Shop', { exact: true }).locator('..')).toContainText(
      `Colophon${shop.email}`,
    );
    await expectAccessible(page, 'a receipt');
  });
  await test.step('on paper', async () => {
    await page.reload();
    await page.emulateMedia({ media: 'print' });
    await expect(receipt.getByRole('img', { name: `Bookplate: Ex libris ${ada.name}` })).toBeVisible();
    for (const part of [page.getByRole('button', { name: 'Print' }), page.getByRole('navigation')])
      await expect(part).toBeHidden();
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await page.emulateMedia({ media: 'screen' });
  });
});
