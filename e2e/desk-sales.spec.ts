import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { buy } from './visitor.ts';

const sales = deskViewAddress('sales');

test('a sale is in the sums, the chart and the tables, by day and week, beside the sum of the time before', async ({
  page,
  store,
}) => {
  await buy(page, store, 'Ulysses');
  const buyer = { name: 'Mei Lin', email: 'mei@example.com' };
  const order = { buyerId: await addBuyer(store.db, buyer), buyer };
  const book = { id: 'some-book', ...janeEyre, priceCents: 1000 };
  for (const day of ['2025-08-31', '2025-09-30', '2025-10-01', '2025-10-31', '2025-11-01'])
    await addOrder(store.db, { ...order, book, placedAt: `${day}T12:00:00Z` });
  const table = (name: string) => page.getByRole('table', { name });
  const figures = page.locator('dl').first();
  const chart = page.getByRole('img', { name: 'Revenue' });
  await test.step('the last thirty days, with today', async () => {
    await page.goto(sales);
    await expect(table('Daily').getByRole('row')).toHaveCount(31);
    await expect(table('Daily').getByRole('row').nth(1)).toContainText('$20.00');
    await expect(table('Best sellers')).toContainText('Ulysses');
    await expect(chart).toBeVisible();
  });
  await test.step('a month by week, with the chart’s name', async () => {
    await page.goto(`${sales}?by=week&from=2025-10-01&to=2025-10-31`);
    await expect(table('Weekly').getByRole('row')).toHaveCount(6);
    await expect(table('Weekly')).toContainText('1 – 5 Oct 2025');
    await expect(figures).toContainText('$20.00');
    await expect(figures).toContainText('Previous, 1 – 30 Sept 2025 $10.00');
    await expectAccessible(page, 'sales by week');
    await expect(chart).toHaveAccessibleName('Revenue, 1 – 31 Oct 2025: at most $10.00');
  });
  await test.step('a file of it, and other times', async () => {
    const file = page.waitForEvent('download');
    await page.getByRole('search').locator('summary').click();
    await page.getByRole('link', { name: 'Export as CSV' }).click();
    expect((await file).suggestedFilename()).toMatch(/^sales-by-week-from-2025-10-01-to-2025-10-31-/);
    await page.getByRole('link', { name: 'Last month' }).click();
    await expect(page).toHaveURL(/by=week&from=\d{4}-\d\d-01&to=/);
    await expect(page.getByRole('link', { name: 'Last month' })).toHaveAttribute('aria-current', 'true');
    await page.goto(`${sales}?from=2020-01-01&to=2020-01-07`);
    await expect(page.getByText('Nothing was sold in this time.')).toBeVisible();
    await expect(chart).toHaveCount(0);
  });
});
