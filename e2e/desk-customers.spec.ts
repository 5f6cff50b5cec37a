/** The customers of the desk: found, signed out, blocked, exported and erased. */

import { readFile } from 'node:fs/promises';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { jun, openSignedIn, signIn, signInAndOpen } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { heading, rowOf } from './visitor.ts';

const customers = deskViewAddress('customers');

/** A customer for this test only: erased customers stay in the worker's store. */
async function addMei({ db }: Store): Promise<{ name: string; email: string }> {
  const mei = { name: 'Mei Lin', email: `mei-${crypto.randomUUID()}@example.com` };
  const book = { id: 'some-book', ...janeEyre };
  await addOrder(db, {
    buyerId: await addBuyer(db, mei),
    buyer: mei,
    book,
    placedAt: '2026-03-02T10:00:00Z',
  });
  return mei;
}

test('a customer is found, exported, and erased only when the e-mail was typed; the orders stay', async ({
  page,
  store,
}) => {
  const mei = await addMei(store);
  await openSignedIn(page, customers);
  const panel = page.getByRole('dialog', { name: mei.name });
  const [search, open] = [page.getByLabel('E-mail'), page.getByRole('button', { name: `Open: ${mei.name}` })];
  await test.step('by e-mail, with the keyboard alone', async () => {
    await search.fill(mei.email.slice(0, 12).toUpperCase());
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(rowOf(page, mei.email)).toContainText('$12.99');
    await search.press('Tab');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('link', { name: '1 order', exact: true })).toHaveAttribute(
      'href',
      `/desk/orders?q=${encodeURIComponent(mei.email)}`,
    );
    await page.keyboard.press('Escape');
    await expect(open).toBeFocused();
  });
  await test.step('is exported, and another e-mail erases nobody', async () => {
    const confirm = panel.getByLabel('Type the e-mail to confirm');
    const erase = panel.getByRole('button', { name: 'Erase for good' });
    await open.click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export everything as JSON' }).click();
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toMatchObject({
      orders: [{ title: janeEyre.title }],
    });
    await panel.getByText('Erase this customer').click();
    await expect(confirm).toBeFocused();
    await expect(confirm).toHaveAccessibleDescription(/cannot be brought back/);
    await expect(panel.getByRole('link', { name: '1 order is not sent yet.' })).toBeVisible();
    await confirm.fill('somebody@example.com');
    await erase.click();
    await expect(panel.getByText(`Type ${mei.email} as it is.`)).toBeVisible();
    await expectAccessible(page, 'a customer who is not erased for another e-mail');
    await confirm.fill(mei.email);
    await erase.press('Enter');
    await expect(page.getByText('Erased. 1 order keeps its book, price and day.')).toBeVisible();
    await expect(heading(page)).toBeFocused();
    expect(await store.orders()).toMatchObject([{ title: janeEyre.title, email: '' }]);
  });
});

test('a customer is signed out everywhere, blocked, and let in again', async ({ page, browser, store }) => {
  const theirs = await browser.newPage({ baseURL: store.origin });
  await signInAndOpen(theirs, '/orders', jun);
  await openSignedIn(page, customers);
  await page.getByLabel('E-mail').fill(jun.email);
  await page.getByRole('button', { name: `Open: ${jun.name}` }).click();
  const panel = page.getByRole('dialog', { name: jun.name });
  const told = panel.getByRole('status').first();

  await panel.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(told).toHaveText(/^Signed out of \d+ browser/);
  await panel.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(told).toContainText('Blocked');
  await expectAccessible(page, 'a customer who is blocked');
  await theirs.reload();
  const refusal = theirs.waitForEvent('console', (message) => message.type() === 'warning');
  await signIn(theirs, jun);
  await refusal;
  await expect(theirs).toHaveURL(/\/login/);
  await panel.getByRole('button', { name: 'Unblock' }).click();
  await expect(told).toContainText('this customer can sign in again');
  await theirs.goto('/orders');
  await signIn(theirs, jun);
  await expect(theirs).toHaveURL('/orders');
  await theirs.close();
});
