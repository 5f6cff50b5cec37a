/** The day of a checkout: today, however wrong the clock of the device is, and however long the page was open. */

import type { Page, Route } from '@playwright/test';
import { dayMs } from '../contract/shop-days.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, rowOf } from './visitor.ts';

const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toDateString();
const today = dayIn(0);
const cell = (page: Page, day: string) => page.getByRole('cell', { name: day });
const daysOfOrders = (store: Store) =>
  store.db
    .selectFrom('orders')
    .select('time')
    .execute()
    .then((orders) => orders.map(({ time }) => time));

/** The page's clock is wrong by so many days. */
const setClock = (page: Page, days: number) => page.clock.install({ time: Date.now() + days * dayMs });

/** No response tells the page which day it is: as when it was opened while its clock was right. */
const hideStoreClock = (page: Page) =>
  page.route(/\/auth\/|\/allOrder\//, async (route: Route) => {
    const response = await route.fetch();
    const { date: _, ...headers } = response.headers();
    // The test may have ended.
    await route.fulfill({ response, headers }).catch(() => {});
  });

test('on a clock that is wrong by three days the book is bought, today', async ({ page, store }) => {
  await setClock(page, 3);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await expect(cell(page, today)).toBeVisible();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await expect(rowOf(page, janeEyre.title)).toContainText(today);
  expect(await daysOfOrders(store)).toEqual([today]);
});

test('on a wrong clock one press buys, also where the store has not told its time, and an order that was sent before is bought once', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/400 .*\/addOrder/);
  provokes(/ERR_FAILED/);
  await hideStoreClock(page);
  await setClock(page, -3);
  const checkout = await store.checkoutOf(janeEyre.title);
  await openSignedIn(page, checkout);
  await expect(cell(page, dayIn(-3))).toBeVisible();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  expect(await daysOfOrders(store)).toEqual([today]);

  await test.step('an order that may have arrived, on another day', async () => {
    await page.goto(checkout);
    await page.route('**/addOrder', (route) => route.abort());
    await checkoutButton(page).click();
    await page.clock.runFor(30_000);
    await expect(page.getByText('We have not heard whether the order arrived.')).toBeVisible();
    await page.unroute('**/addOrder');
    await page.reload();
    await expect(page.getByText('This order was sent before.')).toBeVisible();
    await checkoutButton(page).click();
    await expect(page).toHaveURL('/orders');
    expect(await daysOfOrders(store)).toEqual([today, today]);
  });
});

test('a checkout over midnight shows the new day; one that was asleep for three days shows and posts today', async ({
  page,
  store,
}) => {
  await hideStoreClock(page);
  await setClock(page, -3);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await page.getByLabel('Send to').fill('1 High Street');
  await page.clock.fastForward(dayMs);
  await expect(cell(page, dayIn(-2))).toBeVisible();
  for (const event of ['pageshow', 'focus', 'visibilitychange', 'a press before anything else']) {
    await test.step(event, async () => {
      await page.clock.setSystemTime(Date.now() - 3 * dayMs);
      await page.reload();
      await expect(cell(page, dayIn(-3))).toBeVisible();
      await page.clock.setSystemTime(Date.now());
      if (event.startsWith('a press'))
        return await page.evaluate(
          `[...document.querySelectorAll('button')].find((button) => button.textContent === 'Checkout').click()`,
        );
      await page.evaluate(`window.dispatchEvent(new Event('${event}'))`);
      await expect(cell(page, today)).toBeVisible();
      await expect(page.getByLabel('Send to')).toHaveValue('1 High Street');
    });
  }
  await expect(page).toHaveURL('/orders');
  expect(await daysOfOrders(store)).toEqual([today]);
});
