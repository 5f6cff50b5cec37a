import type { Page } from '@playwright/test';
import { paths } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { cookieHeader, openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton } from './visitor.ts';

// A store for this file alone: a limit that one test has met would refuse the calls of another.
test.use({ storeOptions: { env: { STORE_NAME: 'Limits' } } });

/** Sends so many calls of the signed-in customer that the next one is refused. */
const meetLimit = async (page: Page, address: string, method: string): Promise<void> => {
  const headers = { cookie: await cookieHeader(page, address) };
  const send = async () => {
    const response = await fetch(address, { method, headers });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses: number[] = [];
  // One after the other in each of a few chains: all at once would be overload.
  const sendMany = async () => {
    while (statuses.length < 601) statuses.push(await send());
  };
  await Promise.all(Array.from({ length: 10 }, sendMany));
  expect(statuses).toContain(429);
};

test('a call beyond its limit does nothing, and the screen says why', async ({ page, store, provokes }) => {
  const reason = 'There were too many requests at once. Try again in a minute.';
  provokes(/429 .*\/addOrder/);
  await openSignedIn(page, await store.checkoutOf(janeEyre.title));
  await meetLimit(page, store.origin + paths.addOrder, 'POST');
  await checkoutButton(page).click();
  await expect(page.getByText(`The order was not taken. ${reason}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
  expect(await store.orders()).toEqual([]);
});
