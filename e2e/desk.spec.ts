/** The desk's own frame: its views, its menu on a phone, and filters. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { recordActivity } from '../server/activity/activity.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, openSignedIn, signInAndOpen } from './sign-in.ts';
import { heading } from './visitor.ts';

test('the desk is a link away from Manage books, its views from each other, and a sign-out leads home', async ({
  page,
  provokes,
}) => {
  await signInAndOpen(page, '/admin');
  await page.getByRole('link', { name: 'the desk' }).click();
  await expect(page).toHaveURL('/desk');
  const views = ['Today', 'Orders', 'Books', 'Import', 'Sales', 'Customers', 'Activity', 'Mail', 'Webhooks'];
  await expect(page.getByRole('navigation', { name: 'Desk' }).getByRole('link')).toHaveText(views);
  await expect(page.getByText('No orders yet.')).toBeVisible();

  await test.step('on a phone they are behind a button', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const menu = page.getByRole('button', { name: 'Menu' });
    const navigation = page.getByRole('navigation');
    await menu.press('Enter');
    await page.getByRole('link', { name: 'Books' }).press('Enter');
    await expect(heading(page)).toHaveText('Books');
    await expect(navigation).toHaveCount(0);
    await menu.click();
    await expectAccessible(page, 'the menu of a phone');
    await page.getByRole('link', { name: 'Shop' }).press('Escape');
    await expect(navigation).toHaveCount(0);
    await expect(menu).toBeFocused();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();

  provokes(/404/);
  await page.goto('/desk/no-such-view');
  await expect(page.getByRole('heading', { name: 'We can’t find that page' })).toBeVisible();
});

test('the activity is filtered by what was done, by whom and when', async ({ page, store }) => {
  const book = { id: '1', title: 'The Trail' };
  for (const [action, { email }] of [
    ['book-edited', ada],
    ['book-edited', jun],
    ['book-deleted', jun],
  ] as const)
    await recordActivity(store.db, action, { customerId: 'c', email, address: '192.0.2.7' }, { book });
  await openSignedIn(page, deskViewAddress('activity'));
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'The Trail' }) });
  await expect(rows).toHaveCount(3);
  await page.getByLabel('What').selectOption('Changed a book');
  await expect(rows).toHaveCount(2);
  await expectAccessible(page, 'activity, with filters');
  await page.getByLabel('Who').fill(jun.email.toUpperCase());
  await expect(rows).toHaveCount(1);
  await page.getByLabel('To day').fill('2020-01-01');
  await expect(page.getByText('Nothing was done that matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(rows).toHaveCount(3);
});
