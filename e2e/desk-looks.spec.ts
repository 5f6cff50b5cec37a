/** The desk with long names, on small screens and at a high zoom. */
import type { Locator } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';

const buyer = {
  name: 'Wolfeschlegelsteinhausenbergerdorff',
  email: 'wolfeschlegelsteinhausenbergerdorff.of.the.third.line@correspondence.example',
};

const addLongOrder = async ({ db }: Store) =>
  await addOrder(db, {
    buyerId: await addBuyer(db, buyer),
    buyer,
    book: { id: 'jane', ...janeEyre },
    placedAt: new Date().toISOString(),
  });

/** Where the words in an element end, from its left edge, in pixels. */
const endOfWords = (words: Locator) =>
  words.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    return Math.round(range.getBoundingClientRect().right);
  });

test('long names and addresses widen no screen, and are cut with a sign', async ({
  page,
  store,
  provokes,
}) => {
  // The buttons of the packing list come with it, and take a line of their own.
  provokes(/packing=yes.* moved by /);
  await addLongOrder(store);
  await page.setViewportSize({ width: 320, height: 700 });
  for (const [address, text] of [
    [deskViewAddress('orders'), buyer.email],
    [`${deskViewAddress('orders')}?packing=yes&state=new`, buyer.name],
    [deskViewAddress('customers'), buyer.email],
    [deskViewAddress('mail'), buyer.email],
  ] as const) {
    await openSignedIn(page, address);
    await expect(page.getByText(text).first()).toBeVisible();
  }
  // The cell has all of it, for a search in the page and for what points at it.
  const email = page.getByText(buyer.email).first();
  await expect(email).toHaveAttribute('title', buyer.email);
  await expect(email).toHaveCSS('text-overflow', 'ellipsis');
});

test('the lists of orders are all in view on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, deskViewAddress('orders'));
  await expect(page.getByRole('link', { name: /^All/ })).toBeInViewport({ ratio: 1 });
});

test('on a phone the heading of an address stands apart from it', async ({ page, store }) => {
  await addLongOrder(store);
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, deskViewAddress('mail'));
  const address = page.getByText(buyer.email).first();
  await expect(address).toBeVisible();
  const gap = await address.evaluate((element) => {
    const cell = element.closest('td');
    if (cell === null) return 0;
    const heading = Number.parseFloat(
      element.ownerDocument.defaultView?.getComputedStyle(cell, '::before').width ?? '',
    );
    return element.getBoundingClientRect().left - cell.getBoundingClientRect().left - heading;
  });
  expect(gap).toBeGreaterThan(3);
});

test('on paper a list of orders is light, and has room for its titles', async ({ page, store }) => {
  await addLongOrder(store);
  await page.setViewportSize({ width: 718, height: 1000 });
  await openSignedIn(page, deskViewAddress('orders'));
  const title = page.getByRole('cell').filter({ hasText: janeEyre.title });
  await expect(title).toBeVisible();

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

  expect((await title.boundingBox())?.width).toBeGreaterThan(170);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByText('New', { exact: true })).toHaveCSS('color', 'rgb(122, 31, 43)');
});

test('figures end below the end of their heading', async ({ page, store }) => {
  await addLongOrder(store);
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [view, names] of [
    ['orders', ['Price']],
    ['books', ['Price', 'Sold', 'Revenue']],
    ['customers', ['Orders', 'Paid']],
    ['sales', ['Orders', 'Revenue']],
  ] as const) {
    await openSignedIn(page, deskViewAddress(view));
    const table = page.getByRole('table').first();
    await expect(table).toBeVisible();
    // The view of sales has two tables, of which the first comes last.
    await page.waitForLoadState('networkidle');
    for (const name of names) {
      const heading = table.getByRole('columnheader', { name, exact: true });
      const figure = table.locator(`td[data-heading="${name}"]`).first();
      const [above, below] = [await endOfWords(heading), await endOfWords(figure)];
      expect(below, `${view}: ${name}`).toBe(above);
    }
  }
});

test('at 400 % zoom the buttons of a form cover no field', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await openSignedIn(page, deskViewAddress('books'));
  await page.getByRole('button', { name: 'Edit: Jane Eyre' }).click();
  const form = page.getByRole('dialog', { name: 'Edit book' });
  const buttons = form.getByRole('button', { name: 'Save changes' });
  for (const name of ['Title', 'Author', 'Price ($)', 'Copies']) {
    await form.getByLabel(name).focus();
    await expect(form.getByLabel(name)).toBeInViewport({ ratio: 1 });
    await expect(buttons).not.toBeInViewport();
  }
});
