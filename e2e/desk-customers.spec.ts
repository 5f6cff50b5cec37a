import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { jun, openSignedIn, signIn, signInAndOpen } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { heading, rowOf } from './visitor.ts';

const customers = deskViewAddress('customers');

/** A customer of this test alone: erased ones stay in the store of the worker. */
async function addMei({ db }: Store): Promise<{ id: string; name: string; email: string }> {
  const mei = { name: 'Mei Lin', email: `mei-${crypto.randomUUID()}@example.com` };
  const id = await addBuyer(db, mei);
  const book = { id: 'some-book', ...janeEyre };
  await addOrder(db, { buyerId: id, buyer: mei, book, placedAt: '2026-03-02T10:00:00Z' });
  return { id, ...mei };
}

const panelOf = (page: Page, name: string) => page.getByRole('dialog', { name });

async function openCustomer(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await expect(page.getByRole('table', { name: 'Customers', exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Open: ${email}` }).click();
}

test('a customer is found by e-mail or name, with the keyboard alone', async ({ page, store }) => {
  const mei = await addMei(store);
  await openSignedIn(page, customers);
  for (const name of ['Newest customers', 'Best customers']) {
    await expect(page.getByRole('table', { name }).getByRole('row').nth(1)).toBeVisible();
  }
  await page.getByLabel('E-mail').fill('me');
  await expect(
    page.getByText('Type at least three letters of the e-mail, the name or the last name.'),
  ).toBeVisible();
  await page.getByLabel('E-mail').fill('');

  await page.getByLabel('E-mail').focus();
  await page.keyboard.type(mei.email.slice(0, 12).toUpperCase());
  await expect(page.getByRole('table', { name: 'Customers', exact: true })).toBeVisible();
  await expect(rowOf(page, mei.email)).toContainText('$12.99');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await expect(panelOf(page, mei.name).getByRole('listitem')).toContainText(janeEyre.title);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: `Open: ${mei.email}` })).toBeFocused();
  await page.getByLabel('E-mail').fill('lin');
  await expect(page.getByRole('button', { name: `Open: ${mei.email}` })).toBeVisible();
  await page.getByLabel('E-mail').fill('meilin');
  await expect(page.getByText('Nothing matches “meilin”. This is similar:')).toBeVisible();
  await expect(page.getByRole('button', { name: `Open: ${mei.email}` })).toBeVisible();
  await page.getByLabel('E-mail').fill('nobody-at-all');
  await expect(page.getByText('No customer has such an e-mail or name.')).toBeVisible();
});

test('an order and the activity lead to the customer, who is exported', async ({ page, store }) => {
  const mei = await addMei(store);
  await openSignedIn(page, deskViewAddress('orders'));
  await page.getByRole('link', { name: `The customer ${mei.email}` }).click();
  await expect(heading(page)).toBeFocused();
  await page.getByRole('button', { name: `Open: ${mei.email}` }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export everything as JSON' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(JSON.stringify(JSON.parse(text))).toContain(mei.email);
  expect(text).toContain(janeEyre.title);

  const panel = panelOf(page, mei.name);
  await panel.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(panel.getByRole('status')).toContainText('Blocked');
  await page.goto(`${deskViewAddress('activity')}?action=customer-blocked`);
  await page.getByRole('link', { name: 'See the customer' }).first().click();
  await expect(rowOf(page, mei.email)).toContainText('Blocked');
});

test('a customer is signed out everywhere, blocked, and let in again', async ({ page, browser, store }) => {
  const theirs = await browser.newPage({ baseURL: store.origin });
  await signInAndOpen(theirs, '/orders', jun);
  await openSignedIn(page, customers);
  await openCustomer(page, jun.email);
  const panel = panelOf(page, jun.name);

  await panel.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(panel.getByRole('status')).toHaveText(/^Signed out of \d+ browser/);
  await panel.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(panel.getByRole('status')).toContainText('Blocked');

  await theirs.reload();
  const refusal = theirs.waitForEvent('console', (message) => message.type() === 'warning');
  await signIn(theirs, jun);
  await refusal;
  await expect(theirs).toHaveURL(/\/login/);

  await panel.getByRole('button', { name: 'Unblock' }).click();
  await expect(panel.getByRole('status')).toContainText('this customer can sign in again');
  await theirs.goto('/orders');
  await signIn(theirs, jun);
  await expect(theirs).toHaveURL('/orders');
  await theirs.close();
});

test('a customer is erased only when the e-mail was typed, and the orders stay', async ({ page, store }) => {
  const mei = await addMei(store);
  await openSignedIn(page, customers);
  await openCustomer(page, mei.email);
  const panel = panelOf(page, mei.name);

  await panel.getByText('Erase this customer').click();
  await expect(panel.getByLabel('Type the e-mail to confirm')).toBeFocused();
  await expect(panel.getByLabel('Type the e-mail to confirm')).toHaveAccessibleDescription(
    /cannot be brought back/,
  );
  const unsent = panel.getByRole('link', { name: '1 order is not sent yet.' });
  await expect(unsent).toHaveAttribute('href', `/desk/orders?state=new&q=${encodeURIComponent(mei.email)}`);
  await panel.getByLabel('Type the e-mail to confirm').fill('somebody@example.com');
  await panel.getByRole('button', { name: 'Erase for good' }).click();
  await expect(panel.getByLabel('Type the e-mail to confirm')).toBeFocused();
  await expect(panel.getByText(`Type ${mei.email} as it is.`)).toBeVisible();
  await panel.getByLabel('Type the e-mail to confirm').fill(mei.email);
  await panel.getByRole('button', { name: 'Erase for good' }).press('Enter');

  await expect(page.getByText('Erased. 1 order keeps its book, price and day.')).toBeVisible();
  await expect(page.getByText('No customer has such an e-mail or name.')).toBeVisible();
  await expect(heading(page)).toBeFocused();
  expect(await store.orders()).toMatchObject([{ title: janeEyre.title, email: '' }]);
  await page.goto(deskViewAddress('orders'));
  await expect(rowOf(page, janeEyre.title)).toContainText('An erased customer');
});
