/** The browser's account changes in another tab, while a page shows the old account's data. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, jun, openSignedIn, type Person } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, noOrders } from './visitor.ts';

/** Signs another person in without a sign-out, in another tab, which informs the page. */
async function changeAccount(page: Page, person: Person): Promise<void> {
  const otherTab = await page.context().newPage();
  await openSignedIn(otherTab, '/orders', person);
  await otherTab.evaluate(`new BroadcastChannel('session').postMessage('signed in')`);
  await otherTab.close();
}

/** Two people have signed in once in this browser, and the first is signed in. */
async function signInBoth(page: Page): Promise<void> {
  for (const person of [jun, ada]) {
    await page.context().clearCookies();
    await openSignedIn(page, '/orders', person);
    // Orders that are still fetched would be refused without the cookie.
    await noOrders(page).waitFor();
  }
}

const addresses = async (page: Page) =>
  await page.evaluate<(string | undefined)[]>(
    `fetch('/allOrder/' + document.querySelector('main').innerText.match(/\\S+@\\S+/)[0])
      .then((response) => response.json())
      .then((orders) => orders.map(({ deliveryAddress }) => deliveryAddress))`,
  );

test('the next customer’s checkout has nothing of the former one, who finds it again', async ({
  page,
  store,
}) => {
  await signInBoth(page);
  const sendTo = page.getByLabel('Send to');
  const earlier = page.getByText('You bought this');
  const checkout = await store.checkoutOf(janeEyre.title);
  await page.goto(checkout);
  await sendTo.fill('Ada’s known address');
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');

  await page.goto(checkout);
  await expect(sendTo).toHaveValue('Ada’s known address');
  // Orders of the book that are still fetched would be refused too.
  await expect(earlier).toBeVisible();
  await sendTo.fill('Ada’s typed address');
  await changeAccount(page, jun);
  await expect(page.getByText(jun.email)).toBeVisible();
  await expect(sendTo).toHaveValue('');
  await expect(earlier).toHaveCount(0);
  const orders = page.waitForResponse(`**/allOrder/${encodeURIComponent(jun.email)}?*`);
  await page.reload();
  await expect(sendTo).toHaveValue('');
  await orders;
  await changeAccount(page, ada);
  await expect(page.getByText(ada.email)).toBeVisible();
  await expect(sendTo).toHaveValue('Ada’s typed address');
  await expect(earlier).toBeVisible();

  await changeAccount(page, jun);
  await expect(page.getByText(jun.email)).toBeVisible();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await expect(page.getByRole('main')).toContainText(jun.email);
  expect(await addresses(page)).toEqual([undefined]);
});
