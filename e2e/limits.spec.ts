import type { Page } from '@playwright/test';
import { paths } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { cookieHeader, signInAndOpen } from './sign-in.ts';
import { janeEyre } from './test-books.ts';

// A store for this file alone: a limit that one test has met would refuse the calls of another.
test.use({ storeOptions: { env: { STORE_NAME: 'Limits' } } });

const reason = 'There were too many requests at once. Try again in a minute.';

/** Sends so many calls of the signed-in customer that the next one is refused. */
const meetLimit = async (page: Page, address: string, init: RequestInit = {}): Promise<void> => {
  const headers = { cookie: await cookieHeader(page, address) };
  const send = async () => {
    const response = await fetch(address, { ...init, headers });
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

test('an order beyond the limit is not placed, and the screen shows why', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/429 .*\/addOrder/);
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  await meetLimit(page, store.origin + paths.addOrder, { method: 'POST' });

  await page.getByRole('button', { name: 'Checkout' }).click();

  await expect(page.getByText(`The order was not taken. ${reason}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
  expect(await store.orders()).toEqual([]);
});

test('a deletion beyond the limit does not happen, and the screen shows why', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/429 .*\/deleteBook\//);
  await signInAndOpen(page, '/admin');
  await meetLimit(page, store.origin + paths.deleteBook('unknown'), { method: 'DELETE' });

  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();

  await expect(page.getByText(`The book was not deleted. ${reason}`)).toBeVisible();
});

test('a search beyond the limit shows why it found nothing, and keeps what was typed', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/429 .*\/books\?q=/);
  await signInAndOpen(page, '/orders');
  await page.getByRole('link', { name: 'Home' }).click();
  await meetLimit(page, `${store.origin}${paths.books}?q=emma`);

  await page.getByLabel('Search').fill('jane');

  await expect(page.getByText(`The shelf could not be fetched. ${reason}`)).toBeVisible();
  await expect(page.getByLabel('Search')).toHaveValue('jane');
});
