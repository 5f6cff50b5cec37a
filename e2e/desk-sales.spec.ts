import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { buy } from './visitor.ts';

const sales = deskViewAddress('sales');

test('a sale is in the sums, the chart and the tables, by day, week and month', async ({ page, store }) => {
  await buy(page, store, 'Ulysses');
  await page.goto(sales);

  const today = page.getByRole('table', { name: 'Daily' }).getByRole('row').nth(1);
  await expect(today).toContainText('$20.00');
  await expect(page.getByRole('table', { name: 'Daily' }).getByRole('row')).toHaveCount(31);
  await expect(page.getByRole('table', { name: 'Best sellers' })).toContainText('Ulysses');
  await expect(page.locator('svg')).toBeVisible();
  await expect(page.getByText('Revenue', { exact: true }).first()).toBeVisible();

  await page.getByRole('combobox', { name: 'By' }).selectOption('Week');
  await expect(page.getByRole('table', { name: 'Weekly' }).getByRole('row')).toHaveCount(27);
  await page.getByRole('combobox', { name: 'By' }).selectOption('Month');
  await expect(page.getByRole('table', { name: 'Monthly' }).getByRole('row')).toHaveCount(25);
  await expect(page).toHaveURL(`${sales}?by=month`);
});

test('a day that the store does not take is told at its field, and stays', async ({ page, provokes }) => {
  provokes(/400 .*\/desk\/api\/sales/);
  provokes(/400 .*\/desk\/api\/orders/);
  await openSignedIn(page, `${sales}?from=2026-03-02`);
  const [first, last] = [page.getByLabel('From day'), page.getByLabel('To day')];
  await page.getByRole('table', { name: 'Daily' }).waitFor();

  await last.fill('2026-03-01');
  await expect(page.getByRole('alert')).toHaveText('To day: Must not be before the first day.');
  await expect(last).toHaveAccessibleDescription('To day: Must not be before the first day.');
  await expect(last).toHaveValue('2026-03-01');

  await first.fill('1990-01-01');
  await expect(first).toHaveAccessibleDescription(/^From day: Must be less than 3,700 days before/);
  await expect(last).toHaveAccessibleDescription('');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);

  // On a phone the fields are folded away, and the reason is not.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${deskViewAddress('orders')}?from=2026-03-02&to=2026-03-01`);
  await expect(page.getByRole('alert')).toHaveText('To day: Must not be before the first day.');
});

test('a time without sales says so, and the chart of several years names them', async ({ page, store }) => {
  const buyer = { name: 'Mei Lin', email: 'mei@example.com' };
  const buyerId = await addBuyer(store.db, buyer);
  const book = { id: 'some-book', ...janeEyre };
  await addOrder(store.db, { buyerId, buyer, book, placedAt: '2024-05-02T10:00:00Z' });
  await openSignedIn(page, `${sales}?from=2020-01-01&to=2020-01-07`);
  await expect(page.getByText('Nothing was sold in this time.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Daily' }).getByRole('row')).toHaveCount(8);
  await expect(page.locator('svg')).toHaveCount(0);

  await page.goto(`${sales}?from=2024-05-01&to=2025-05-31`);

  await expect(page.getByText('1 May 2024', { exact: true })).toBeVisible();
  await expect(page.getByText('31 May 2025', { exact: true })).toBeVisible();
});

test('a month has the same sum by day, week and month, beside that of the time before', async ({
  page,
  store,
}) => {
  const buyer = { name: 'Mei Lin', email: 'mei@example.com' };
  const buyerId = await addBuyer(store.db, buyer);
  const book = { id: 'some-book', ...janeEyre, priceCents: 1000 };
  const place = (placedAt: string) => addOrder(store.db, { buyerId, buyer, book, placedAt });
  for (const day of ['2025-08-31', '2025-09-30', '2025-10-01', '2025-10-31', '2025-11-01']) {
    await place(`${day}T12:00:00Z`);
  }
  const october = 'from=2025-10-01&to=2025-10-31';
  const figures = page.locator('dl').first();
  const bar = page.getByRole('slider', { name: 'Look at one bar' });
  await openSignedIn(page, `${sales}?by=week&${october}`);

  await expect(page.getByRole('table', { name: 'Weekly' }).getByRole('row')).toHaveCount(6);
  await expect(page.getByRole('table', { name: 'Weekly' })).toContainText('1 – 5 Oct 2025');
  await expect(figures).toContainText('$20.00');
  await expect(figures).toContainText('Previous, 27 Aug – 26 Sept 2025$10.00');
  await expect(bar).toHaveAttribute(
    'aria-valuetext',
    /^27 – 31 Oct 2025: \$10\.00, 1 order; before, 22 – 26 Sept 2025: /,
  );
  await bar.press('Home');
  await expect(bar).toHaveAttribute(
    'aria-valuetext',
    /^1 – 5 Oct 2025: \$10\.00, 1 order; before, 27 – 31 Aug 2025: /,
  );
  for (const [by, name] of [
    ['Day', 'Daily'],
    ['Month', 'Monthly'],
  ] as const) {
    await page.getByRole('combobox', { name: 'By' }).selectOption(by);
    await expect(page.getByRole('table', { name })).toBeVisible();
    await expect(figures).toContainText('$20.00');
  }

  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  expect((await file).suggestedFilename()).toMatch(/^sales-by-month-from-2025-10-01-to-2025-10-31-/);
  await page.getByRole('link', { name: 'Last month' }).click();
  await expect(page).toHaveURL(/by=month&from=\d{4}-\d\d-01&to=/);
  await expect(page.getByRole('link', { name: 'Last month' })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('table', { name: 'Monthly' }).getByRole('row')).toHaveCount(2);
});
