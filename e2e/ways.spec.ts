/** Ways to get a book, and gifts: from the checkout to the packing list. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, openSignedIn } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { setWays } from './test-ways.ts';
import { checkoutButton, heading, orderLink, rowOf, tabTo, undoButton } from './visitor.ts';

const { title } = janeEyre;

test('a buyer chooses a way, sees what it costs, and makes the book a gift', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/409 .*\/addOrder/);
  await setWays(store.db, [
    { id: 'post', name: 'Post', price_cents: 490, asks_address: 1, line: 'Two to three working days.' },
    { id: 'collect', name: 'Collect <b>here</b>', pay_on_collection: 1 },
  ]);
  const [main, post] = [page.getByRole('main'), page.getByRole('radio', { name: 'Post' })];
  const sendTo = page.getByLabel('Send to');
  const checkout = await store.checkoutOf(title);
  await page.goto(checkout.replace('checkout', 'books'));
  await expect(page.getByText('Post $4.90 · Collect <b>here</b>')).toBeVisible();
  await openSignedIn(page, checkout);
  await expect(post).toBeChecked();
  await expect(sendTo).toBeVisible();
  await page.getByRole('radio', { name: 'Collect <b>here</b>' }).check();
  await expect(sendTo).toHaveCount(0);
  await expect(main).toContainText('Book $12.99 · Delivery FreeTotal $12.99');
  await test.step('on a phone the bar covers nothing that has the focus', async () => {
    await page.setViewportSize({ width: 320, height: 490 });
    const shelf = page.getByRole('link', { name: 'Back to the shelf' });
    await tabTo(shelf);
    const [link, button] = [await shelf.boundingBox(), await checkoutButton(page).boundingBox()];
    expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThan(button?.y ?? 0);
  });
  await page.getByRole('checkbox', { name: 'It’s a gift' }).check();
  await page.getByLabel('Words for the gift').fill('For Jun');
  await page.reload();
  await expect(page.getByLabel('Words for the gift')).toHaveValue('For Jun');
  await expect(post).not.toBeChecked();
  await post.check();
  await expect(main).toContainText('Book $12.99 · Delivery $4.90');
  await expectAccessible(page, 'a checkout with ways and a gift');

  await setWays(store.db, [{ id: 'post', name: 'Post', price_cents: 600, asks_address: 1 }]);
  await checkoutButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'the total is $18.99 now' })).toBeVisible();
  await page.getByRole('button', { name: 'Checkout at the new price' }).click();
  await orderLink(page, title).click();
  await expect(main).toContainText('For Jun');
  await expect(main).toContainText('$18.99');
  await expectAccessible(page, 'an order with a way and a gift');
});

test('the owner keeps the ways on the desk, in order, and Undo brings one back', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/400 .*\/desk\/api\/ways/);
  await setWays(store.db, []);
  await openSignedIn(page, deskViewAddress('ways'));
  await expect(page.getByText('No ways yet.')).toBeVisible();
  const [name, price] = [page.getByLabel('Name'), page.getByLabel('Price ($)')];
  const save = page.getByRole('button', { name: 'Save' });
  const names = page.getByRole('row').getByRole('button', { name: /^Open: / });
  await page.getByRole('button', { name: 'Add a way' }).click();
  await name.fill('Post');
  await price.fill('4,900');
  await save.click();
  await expect(page.getByRole('dialog')).toContainText('such as 12.99');
  await price.fill('4,90');
  await expectAccessible(page, 'the panel of a way');
  await save.click();
  await expect(rowOf(page, 'Post')).toContainText('$4.90');
  await expect(rowOf(page, 'Post')).toContainText('Asks for an address');
  await page.getByRole('button', { name: 'Add a way' }).click();
  await name.fill('Collect it');
  await price.fill('0');
  await page.getByLabel('Ask for an address').uncheck();
  await page.getByLabel('Paid on collection').check();
  await save.click();
  await expect(names).toHaveText(['Post', 'Collect it']);
  await expectAccessible(page, 'the ways');

  await names.last().click();
  await page.getByLabel('Place in the list').fill('1');
  await save.click();
  await expect(names).toHaveText(['Collect it', 'Post']);
  await names.first().click();
  await page.getByRole('button', { name: 'Remove: Collect it' }).click();
  await expect(names).toHaveText(['Post']);
  await undoButton(page).click();
  await expect(names).toHaveText(['Collect it', 'Post']);
});

test('the packing list has a list for each way, gifts first, and a slip on paper without a price', async ({
  page,
  store,
}) => {
  await setWays(store.db, [
    { id: 'post', name: 'Post', price_cents: 490, asks_address: 1 },
    { id: 'here', name: 'Here', pay_on_collection: 1 },
  ]);
  for (const [title, way, words] of [
    [frankenstein.title, 'Post', undefined],
    [janeEyre.title, 'Post', 'For Jun,\nwith love.'],
    [frankenstein.title, 'Here', undefined],
  ] as const) {
    await openSignedIn(page, await store.checkoutOf(title));
    await page.getByRole('radio', { name: way }).check();
    if (way === 'Post') await page.getByLabel('Send to').fill('1 Hartfield Lane');
    if (words) {
      await page.getByLabel('It’s a gift').check();
      await page.getByLabel('Words for the gift').fill(words);
    }
    await checkoutButton(page).click();
    await expect(page).toHaveURL('/orders');
  }
  await page.goto(deskViewAddress('orders', { packing: 'yes', state: 'new' }));

  const parcels = (way: string) => page.getByRole('region', { name: way }).getByRole('heading', { level: 3 });
  await expect(parcels('Post')).toHaveText([/^Ada Marlowe\s*Gift/, /^Ada Marlowe/]);
  await expect(parcels('Here')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Here' })).toContainText('To be paid on collection: $');
  await expectAccessible(page, 'a packing list with ways and a gift');
  const slip = page.getByText(`A gift from ${ada.name}`).locator('..');
  await expect(slip).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(slip).toBeVisible();
  await expect(slip).toContainText('For Jun,\nwith love.', { useInnerText: true });
  await expect(slip).not.toContainText('$');
  await expect(heading(page)).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Mark all as sent' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Marked 2 orders as sent.' })).toBeVisible();
  await expect(parcels('Post')).toHaveCount(0);
  await expect(parcels('Here')).toHaveCount(1);
});
