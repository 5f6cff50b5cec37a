import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk-paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import type { Store } from './store.ts';

const sales = deskViewAddress('sales');

/** Earlier tests of this worker have sold books too, so the figures are compared with those before. */
async function buy(page: Page, store: Store, title: string): Promise<void> {
  await signInAndOpen(page, await store.checkoutOf(title));
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page).toHaveURL('/orders');
}

test('what was just sold is in the sums, the chart and the tables, by day, week and month', async ({
  page,
  store,
}) => {
  await buy(page, store, 'Ulysses');
  await page.goto(sales);

  const today = page.getByRole('table', { name: 'By day' }).getByRole('row').nth(1);
  await expect(today).toContainText('$20.00');
  await expect(page.getByRole('table', { name: 'By day' }).getByRole('row')).toHaveCount(31);
  await expect(page.getByRole('table', { name: 'Best sellers' })).toContainText('Ulysses');
  await expect(page.locator('svg')).toBeVisible();
  await expect(page.getByText('Revenue', { exact: true }).first()).toBeVisible();

  await page.getByRole('combobox', { name: 'By' }).selectOption('Week');
  await expect(page.getByRole('table', { name: 'By week' }).getByRole('row')).toHaveCount(27);
  await page.getByRole('combobox', { name: 'By' }).selectOption('Month');
  await expect(page.getByRole('table', { name: 'By month' }).getByRole('row')).toHaveCount(25);
  await expect(page).toHaveURL(`${sales}?by=month`);
});

test('a time in which nothing was sold says so', async ({ page }) => {
  await signInAndOpen(page, `${sales}?from=2020-01-01&to=2020-01-07`);

  await expect(page.getByText('Nothing was sold in this time.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'By day' }).getByRole('row')).toHaveCount(8);
  await expect(page.locator('svg')).toHaveCount(0);
});

test('the sales are accessible', async ({ page, store }) => {
  await buy(page, store, 'Sult');
  await page.goto(sales);
  await page.getByRole('table', { name: 'Best sellers' }).waitFor();

  await expectAccessible(page);
});
