import type { Action } from '../contract/desk/activity.ts';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { recordActivity } from '../server/activity/activity.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, openSignedIn, signIn, signInAndOpen } from './sign-in.ts';
import type { Store } from './store.ts';
import { heading } from './visitor.ts';

const activity = deskViewAddress('activity');

const book = { id: '1', title: 'The Trail' };

const record = (store: Store, action: Action, { email }: { email: string } = jun) =>
  recordActivity(
    store.db,
    action,
    { customerId: 'some-id', email, address: '192.0.2.7' },
    { book, details: { fields: 'price', oldPrice: 12.99, newPrice: 10.99 } },
  );

test('the desk is a link away from Manage books, and a sign-out leads home', async ({ page, provokes }) => {
  await signInAndOpen(page, '/admin');
  await page.getByRole('link', { name: 'the desk' }).click();

  await expect(page).toHaveURL('/desk');
  await expect(page.getByRole('navigation', { name: 'Desk' }).getByRole('link')).toHaveText([
    'Today',
    'Orders',
    'Books',
    'Import',
    'Sales',
    'Customers',
    'Activity',
    'Mail',
    'Webhooks',
  ]);
  await expect(page.getByText('No orders yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();

  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();

  provokes(/404/);
  await page.goto('/desk/no-such-view');
  await expect(page.getByRole('heading', { name: 'We can’t find that page' })).toBeVisible();
});

test('on a phone the list comes first, and filters and views behind buttons', async ({ page, store }) => {
  await record(store, 'book-added');
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, activity);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  const { y } = (await rows.first().boundingBox()) ?? { y: Number.NaN };
  expect(y).toBeLessThan(844 / 3);
  await expect(page.getByLabel('What')).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);

  await page.getByRole('button', { name: 'Filters' }).press('Enter');
  await page.getByLabel('What').selectOption('Added a book');
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toHaveAttribute('aria-expanded', 'true');
  await expect(rows.first()).toContainText('Added a book');
  await page.getByRole('button', { name: 'Menu' }).press('Enter');

  await page.getByRole('link', { name: 'Books' }).press('Enter');
  await expect(heading(page)).toHaveText('Books');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await page.getByRole('link', { name: 'Shop' }).press('Escape');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(menu).toBeFocused();
  await menu.click();
  await page.getByRole('link', { name: 'Shop' }).click();
  await expect(page).toHaveURL('/');
});

test('a sign-in leads back to the same list of the desk', async ({ page, context, provokes }) => {
  await page.goto(`${activity}?action=admin-signed-in&who=ada%40example.com`);
  await signIn(page, ada);
  await expect(page).toHaveURL(/activity\?action=admin-signed-in&who=ada(%40|@)example.com$/);
  await expect(page).toHaveTitle('Activity – Desk');
  await expect(page.getByRole('cell', { name: 'Signed in as an admin' }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Who')).toHaveValue(ada.email);

  provokes(/401/);
  await context.clearCookies();
  await page.getByLabel('What').selectOption('Deleted a book');
  await expect(page).toHaveURL(/\/login\?returnTo=/);
  await signIn(page);
  await expect(page).toHaveURL(/activity\?action=book-deleted&who=ada(%40|@)example.com$/);
});

test('the activity is filtered by what was done, by whom and when', async ({ page, store }) => {
  // The trail of the worker's store keeps what other tests have done.
  await store.db.deleteFrom('activity').execute();
  await record(store, 'book-deleted');
  await record(store, 'book-edited');
  await record(store, 'book-edited', ada);
  await openSignedIn(page, activity);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell', { name: book.title }) });

  await page.getByLabel('What').selectOption('Changed a book');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Who').fill(jun.email.toUpperCase());
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Changed a book: The Trail');
  await expect(rows).toContainText('Price $12.99 → $10.99');
  await expect(rows).toContainText('192.0.2.7');

  await page.getByLabel('To day').fill('2020-01-01');
  await expect(page.getByRole('status')).toContainText('Nothing was done that matches.');
  await expect(page).toHaveURL(`${activity}?action=book-edited&who=JUN%40EXAMPLE.COM&to=2020-01-01`);
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(page.getByLabel('Who')).toHaveValue('');
  await expect(page).toHaveURL(activity);
  await expect(heading(page)).toBeFocused();
});

test('a list that cannot be fetched is fetched again on demand', async ({ page, provokes }) => {
  provokes(/404/);
  let isBroken = true;
  await page.route('**/desk/api/activity*', (route) =>
    isBroken ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await openSignedIn(page, activity);
  await expect(page.getByRole('alert')).toContainText('The activity could not be fetched.');
  isBroken = false;

  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByRole('table')).toBeVisible();
  await expect(heading(page)).toBeFocused();
});
