/** The day of a checkout: today, however wrong the clock of the device is, and however long the page was open. */

import type { Page } from '@playwright/test';
import { dayMs } from '../contract/shop-days.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, rowOf } from './visitor.ts';

const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toDateString();
const today = dayIn(0);
const cell = (page: Page, day: string) => page.getByRole('cell', { name: day });

/** Presses Checkout. All orders so far have today's date. */
async function buyToday(page: Page, { db }: Store, count: number): Promise<void> {
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  const orders = await db.selectFrom('orders').select('time').execute();
  expect(orders.map(({ time }) => time)).toEqual(Array(count).fill(today));
}

/** Sets the page's clock wrong by a number of days. */
const setClock = (page: Page, days: number) => page.clock.install({ time: Date.now() + days * dayMs });

/** No response tells the page the day, as when the page was opened while its clock was right. */
const hideStoreClock = (page: Page) =>
  page.route(/\/auth\/|\/allOrder\//, async (route) => {
    const response = await route.fetch();
    const { date: _, ...headers } = response.headers();
    // The test may have ended by now.
    await route.fulfill({ response, headers }).catch(() => {});
  });

test('on a clock that is wrong by three days the book is bought, today', async ({ page, store }) => {
  await setClock(page, 3);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await expect(cell(page, today)).toBeVisible();
  await buyToday(page, store, 1);
  await expect(rowOf(page, janeEyre.title)).toContainText(today);
});

test('one press buys today also where the store has not told its time, and after a night or three days of sleep', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/400 .*\/addOrder/);
  await hideStoreClock(page);
  await setClock(page, -3);
  const checkout = await store.checkoutOf(janeEyre.title);
  await openSignedIn(page, checkout);
  await expect(cell(page, dayIn(-3))).toBeVisible();
  await buyToday(page, store, 1);

  await page.goto(checkout);
  await page.getByLabel('Send to').fill('1 High Street');
  await page.clock.fastForward(dayMs);
  await expect(cell(page, dayIn(-2))).toBeVisible();
  await page.clock.setSystemTime(Date.now());
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
  await expect(cell(page, today)).toBeVisible();
  await expect(page.getByLabel('Send to')).toHaveValue('1 High Street');
  await buyToday(page, store, 2);
});
