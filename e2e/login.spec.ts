import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { watchRequests } from './requests.ts';
import { continueButton, signIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';

const invitation = (page: Page, title: string) =>
  page
    .getByRole('main')
    .filter({ hasText: `Sign in to buy${title}` })
    .locator('cite');

test('the login names the book that the visitor wants, and none if there is none to buy', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*\/checkout\/no-such-book/);
  provokes(/404 .*\/book\/no-such-book/);
  const checkout = await store.checkoutOf(janeEyre.title);
  for (const address of [checkout, `/login?returnTo=${encodeURIComponent(`${checkout}?from=a`)}`]) {
    await test.step(`by an address of its own: ${address}`, async () => {
      await page.goto(address);
      await expect(invitation(page, janeEyre.title)).toBeVisible();
      for (const part of [janeEyre.author, '$12.99']) await expect(page.getByText(part)).toBeVisible();
      const cover = page.getByRole('img', { name: `Cover of ${janeEyre.title}` });
      await expect(cover).not.toHaveJSProperty('naturalWidth', 0);
      await expect(page.getByRole('button')).toHaveText(/^Continue with /);
    });
  }
  await test.step('no book for another screen, nor one that is unknown', async () => {
    const books = watchRequests(page, (path) => path.startsWith('/book'));
    await page.goto('/login?returnTo=%2Forders');
    await expect(page.getByText('Sign in to buy a book')).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(books).toEqual([]);
    await page.goto('/checkout/no-such-book');
    await expect(page.getByText('Sign in to buy a book')).toBeVisible();
    await expect(page.locator('img')).toHaveCount(0);
    await continueButton(page).waitFor();
    await signIn(page);
    await expect(page.getByText('This book is no longer for sale.')).toBeVisible();
  });
});
