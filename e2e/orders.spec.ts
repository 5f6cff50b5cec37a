/** The orders of a customer as a library: covers, rows that open, the shelf above them. */

import type { Page } from '@playwright/test';
import { dayText } from '../web/components/days.ts';
import { expect, test } from './fixtures.ts';
import { ada, openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { addOrder } from './test-orders.ts';
import { buy, checkoutButton, detailsButton, noOrders, rowOf, tabTo } from './visitor.ts';

const { title } = janeEyre;
const longTitle = 'The History of the Life and Adventures of a Very Long Title, Which Goes On. '
  .repeat(2)
  .trim();
const shopEmail = 'service@shop.example';
test.use({ storeOptions: { env: { SHOP_EMAIL: shopEmail } } });

const shelf = '[data-title]';

/** Adds orders of Ada, who has signed in, each a minute after the one before. */
async function addOrders(store: Store, count: number, book: { id: string; title: string }): Promise<void> {
  const { id: buyerId } = await store.db
    .selectFrom('customers')
    .select('id')
    .where('email', '=', ada.email)
    .executeTakeFirstOrThrow();
  const start = Date.now() - 3 * 86_400_000;
  for (let order = 0; order < count; order += 1) {
    await addOrder(store.db, {
      buyerId,
      buyer: ada,
      book: { ...book, author: janeEyre.author, priceCents: 1299 },
      placedAt: new Date(start + order * 60_000).toISOString(),
    });
  }
}

const bookOf = async (store: Store) => ({
  id: (await store.checkoutOf(title)).replace('/checkout/', ''),
  title,
});

/** The sum of the layout shifts since the page was opened. */
const shiftOf = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 100);
  })`);

for (const width of [320, 1280]) {
  test(`a row opens and closes with the keyboard, and stays open: ${width} pixels`, async ({
    page,
    store,
  }) => {
    await page.setViewportSize({ width, height: 640 });
    await buy(page, store, title);
    const row = rowOf(page, title);
    const details = detailsButton(page, title);
    await expect(row.getByRole('cell').first()).toHaveText(title);
    await expect(details).toHaveAttribute('aria-expanded', 'false');

    await tabTo(details);
    await page.keyboard.press('Enter');
    await expect(details).toHaveAttribute('aria-expanded', 'true');
    const { id, placed_at: placedAt } = await store.db
      .selectFrom('orders')
      .select(['id', 'placed_at'])
      .executeTakeFirstOrThrow();
    await expect(row).toContainText(id);
    const hour = new Date(placedAt).toTimeString().slice(0, 5);
    await expect(row).toContainText(new RegExp(`Placed \\d{1,2} \\w+ \\d{4}, ${hour}`));
    await expect(row).toContainText('Not sent yet');

    await store.db
      .updateTable('orders')
      .set({ sent_at: Date.parse('2025-11-23T12:00:00') })
      .execute();
    await page.reload();
    await expect(row).toContainText('Sent 23 Nov 2025');
    await page.getByRole('link', { name: title }).click();
    await expect(page).toHaveURL(/\/books\//);
    await page.goBack();
    await expect(page.getByRole('link', { name: title })).toBeFocused();
    await expect(row).toContainText('Sent 23 Nov 2025');
    await details.press('Space');
    await expect(row.getByRole('cell').first()).toHaveText(title);
    await page.reload();
    await expect(details).toHaveAttribute('aria-expanded', 'false');
  });
}

test('cover and title lead to the book, and to nothing when it was deleted', async ({ page, store }) => {
  await buy(page, store, title);
  const row = rowOf(page, title);
  await expect(row.locator('[data-cover]')).toHaveCSS('width', '40px');
  await row.locator('[data-cover]').click();
  await expect(page).toHaveURL((await store.checkoutOf(title)).replace('/checkout/', '/books/'));
  await page.goBack();

  await store.remove(title);
  await page.reload();
  await expect(row.locator('[data-text="No longer sold"]')).toBeVisible();
  await expect(row.getByRole('link')).toHaveCount(0);
  await expect(row.getByRole('cell').first()).toHaveText(title);
  await expect(row.locator('[data-cover]')).toBeVisible();
});

test('the shelf and the sum grow with each book, and are without what was withdrawn', async ({
  page,
  store,
}) => {
  await buy(page, store, title);
  const total = page.getByText(/^\d+ books?, /);
  const spines = page.locator(`main [aria-hidden="true"] > ${shelf}`);
  await expect(spines).toHaveCount(1);
  // The price of a single book stands in its row.
  await expect(total).toHaveCount(0);
  await buy(page, store, frankenstein.title);
  await expect(total).toHaveText(/^2 books, \$\d+\.\d\d$/);
  await expect(spines).toHaveCount(2);
  await expect(spines.last()).toHaveAttribute('data-title', 'Frankenstein');
  await expect(page.getByText(frankenstein.title, { exact: true })).toHaveCount(2);

  await buy(page, store, title);
  await expect(total).toHaveText(/^3 books, /);
  await page
    .getByRole('button', { name: `Withdraw from contract: ${title}` })
    .first()
    .click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(total).toHaveText(/^2 books, /);
  await expect(spines).toHaveCount(2);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(spines.first()).toHaveCSS('box-shadow', 'rgba(255, 255, 255, 0.14) 0px 0px 0px 1px inset');
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(spines.first()).not.toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

test('the words of a spine stay on it, are cut with a sign, and lie on their side but for those of East Asia', async ({
  page,
  store,
}) => {
  await openSignedIn(page, '/orders');
  await noOrders(page).waitFor();
  for (const title of ['Alice’s Adventures', longTitle, '紅樓夢'])
    await addOrders(store, 1, { id: title, title });
  await page.reload();
  const spines = page.locator(`main [aria-hidden="true"] > ${shelf}`);
  await expect(spines).toHaveCount(3);
  const looks = await spines.evaluateAll((elements) =>
    elements.map((spine) => {
      const { width, textOrientation, webkitLineClamp } = spine.ownerDocument.defaultView.getComputedStyle(
        spine,
        '::before',
      );
      const place = Number.parseFloat(width) <= spine.clientWidth ? 'inside' : 'outside';
      return `${textOrientation}, ${place}, ${webkitLineClamp} lines`;
    }),
  );
  expect(looks.toSorted()).toEqual([
    'mixed, inside, 2 lines',
    'sideways, inside, 2 lines',
    'sideways, inside, 3 lines',
  ]);
});

test('on a phone the facts of an order come before its details, each with its heading', async ({
  page,
  store,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await buy(page, store, title);
  const row = rowOf(page, title);
  await detailsButton(page, title).click();
  await expect(row.getByRole('cell', { name: 'Quantity 1', exact: true })).toBeVisible();
  const above = await row.getByText('$12.99').boundingBox();
  const below = await row.getByText('Not sent yet').boundingBox();
  expect(above?.y).toBeLessThan(below?.y ?? 0);
});

test('the sum is that of all orders when they come in pages, and the page stays light', async ({
  page,
  store,
}) => {
  await openSignedIn(page, '/orders');
  await noOrders(page).waitFor();
  await addOrders(store, 230, await bookOf(store));
  await page.reload();

  await expect(page.getByText('230 books, $2,987.70')).toBeVisible();
  await expect(page.locator(`main ${shelf}`).first()).toBeVisible();
  expect(await page.locator('main [aria-hidden="true"] > [data-title]').count()).toBe(100);
  expect(await page.getByRole('row').count()).toBeLessThan(90);
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await page.setViewportSize({ width: 1280, height: 640 });
  await buy(page, store, title);
  await expect(page.getByText('231 books, $3,000.69')).toBeVisible();
  await page.getByRole('button', { name: `Withdraw from contract: ${title}` }).click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByText('230 books, $2,987.70')).toBeVisible();
  await expect(page.getByText('Your withdrawal arrived on')).toBeVisible();
});

test('before the first order there are the books of the front table', async ({ page, store }) => {
  await openSignedIn(page, '/orders');
  await expect(noOrders(page)).toBeVisible();
  const covers = page.getByRole('list', { name: 'On the front table' }).getByRole('link');
  await expect(covers.first()).toBeVisible();
  const name = (await covers.first().getAttribute('aria-label')) ?? '';
  await covers.first().click();
  await expect(page).toHaveURL(/\/books\//);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name.split(',')[0] ?? '');
  expect(await store.orders()).toEqual([]);
});

test('the first Tab leads past the navigation, and nothing moves while the orders arrive', async ({
  page,
  store,
}) => {
  await buy(page, store, title);
  await expect(page.getByText('Thank you.')).toBeVisible();
  await page.route('**/allOrder/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.reload();
  await expect(detailsButton(page, title)).toBeVisible();
  expect(await shiftOf(page)).toBeLessThan(0.01);

  await page.evaluate('document.activeElement.blur()');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: title })).toBeFocused();
  expect(new URL(page.url()).hash).toBe('');
});

test('nothing moves while the thanks for a book arrive', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(title));
  // Longer than the time after a click in which what moves counts as its answer.
  await page.route('**/allOrder/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue();
  });
  await checkoutButton(page).click();
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  const before = await shiftOf(page);
  await expect(page.getByText('Thank you.')).toBeVisible();
  expect((await shiftOf(page)) - before).toBeLessThan(0.01);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveTitle(/^Orders/);
});

test('on paper the orders have one left edge, and no thanks', async ({ page, store }) => {
  await buy(page, store, title);
  await expect(page.getByText('Thank you.')).toBeVisible();
  await page.emulateMedia({ media: 'print' });

  await expect(page.getByText('Thank you.')).toBeHidden();
  const leftOf = async (name: string) => {
    const box = await page.getByText(name, { exact: true }).first().boundingBox();
    return box?.x;
  };
  for (const name of ['Colophon', ada.email, 'Ordered books list:', 'Book Name']) {
    expect(await leftOf(name), name).toBe(0);
  }
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden();
});

test('after buying there are the cover, what happens next and a bookplate, once', async ({ page, store }) => {
  await openSignedIn(page, await store.checkoutOf(title));
  await page.getByLabel('Send to').fill('1 Hartfield Lane');
  await checkoutButton(page).click();

  const main = page.getByRole('main');
  await expect(main.getByRole('status').filter({ hasText: 'Thank you.' })).toHaveText(
    `Thank you. ${title} is yours.`,
  );
  await expect(main.getByRole('img', { name: `Cover of ${title}` })).toBeVisible();
  const plate = main.getByRole('img', { name: `Bookplate: Ex libris ${ada.name}` });
  await expect(plate).toBeVisible();
  await expect(plate.locator('[dir]').first()).toHaveCSS('font-size', '30px');
  // The words of the plate are those of a picture.
  await expect(main.getByText(ada.name)).toHaveCount(1);
  const steps = main.getByRole('list', { name: 'What happens next' });
  await expect(steps).toContainText('We’ll send it to1 Hartfield Lane');
  await expect(steps).toContainText(/You can withdraw until at least \w{3} \w{3} \d{2} \d{4}\./);

  await steps.getByRole('link', { name: 'Receipt and bookplate' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt');
  await page.goBack();
  await expect(rowOf(page, title)).toBeVisible();
  await expect(plate).toHaveCount(0);
  await expect(main.getByRole('status')).toBeEmpty();
});

/** @returns how many pages the printed page has. */
const countPages = async (page: Page): Promise<number> =>
  (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

test('a receipt has an address of its own, and prints as one page with its bookplate', async ({
  page,
  store,
}) => {
  await store.addBook({ title: longTitle, author: 'Anneliese von Hohenstaufen' });
  await buy(page, store, longTitle);
  await page.reload();
  await detailsButton(page, longTitle).click();
  await rowOf(page, longTitle).getByRole('link', { name: 'Receipt and bookplate' }).click();
  const receipt = page.getByRole('main');
  const [order] = await store.db.selectFrom('orders').select('id').execute();
  const parts = [order?.id ?? '', ada.name, ada.email, longTitle, 'Anneliese von Hohenstaufen', '$12.99'];
  for (const part of parts) await expect(receipt).toContainText(part);
  await expect(receipt.getByText('Shop', { exact: true }).locator('..')).toContainText(
    `Colophon${shopEmail}`,
  );

  await page.reload();
  await page.emulateMedia({ media: 'print' });
  await expect(receipt.getByRole('img', { name: `Bookplate: Ex libris ${ada.name}` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('navigation')).toBeHidden();
  for (const name of ['Colophon', 'Receipt', 'Order']) {
    const box = await page.getByText(name, { exact: true }).first().boundingBox();
    expect(box?.x, name).toBe(0);
  }
  expect(await countPages(page)).toBe(1);

  await page.emulateMedia({ media: 'screen' });
  await store.db.updateTable('orders').set({ withdrawn_at: Date.now(), withdrawn_by: 'customer' }).execute();
  await page.reload();
  await expect(receipt).toContainText(`Withdrawn ${dayText(new Date())}`);
  await expect(receipt.getByRole('img')).toHaveCount(0);
  await page.goto('/orders?receipt=none');
  await expect(page.getByText('None of your orders has this number.')).toBeVisible();
});

test('Back from a receipt leads to its row', async ({ page, store }) => {
  await buy(page, store, title);
  await detailsButton(page, title).click();
  const link = rowOf(page, title).getByRole('link', { name: 'Receipt and bookplate' });
  await link.click();
  await page.getByRole('link', { name: 'Back to your orders' }).click();
  await expect(page).toHaveURL('/orders');
  await expect(link).toBeFocused();
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt');
});
