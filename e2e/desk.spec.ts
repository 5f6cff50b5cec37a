/** The desk's own frame: its views, its menu on a phone, the way back after a sign-in; and the activity. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { recordActivity } from '../server/activity/activity.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, openSignedIn, signIn, signInAndOpen } from './sign-in.ts';
import { heading } from './visitor.ts';

const activity = deskViewAddress('activity');

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

test('the activity is filtered by what was done, by whom and when, also after a sign-in or a failure', async ({
  page,
  context,
  store,
  provokes,
}) => {
  provokes(/40[14]/);
  // The trail of the worker's store keeps what other tests have done.
  await store.db.deleteFrom('activity').execute();
  for (const [action, { email }] of [
    ['book-deleted', jun],
    ['book-edited', jun],
    ['book-edited', ada],
  ] as const) {
    const actor = { customerId: 'some-id', email, address: '192.0.2.7' };
    const details = { fields: 'price', oldPrice: 12.99, newPrice: 10.99 };
    await recordActivity(store.db, action, actor, { book: { id: '1', title: 'The Trail' }, details });
  }
  await openSignedIn(page, activity);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'The Trail' }) });
  const [what, who] = [page.getByLabel('What'), page.getByLabel('Who')];
  await test.step('what and who', async () => {
    await what.selectOption('Changed a book');
    await expect(rows).toHaveCount(2);
    await who.fill(jun.email.toUpperCase());
    await expect(rows).toHaveCount(1);
    for (const part of ['Changed a book: The Trail', 'Price $12.99 → $10.99', '192.0.2.7'])
      await expect(rows).toContainText(part);
  });
  await test.step('a sign-in leads back to the same list', async () => {
    await context.clearCookies();
    await what.selectOption('Deleted a book');
    await expect(page).toHaveURL(/\/login\?returnTo=/);
    await signIn(page);
    await expect(page).toHaveURL(/\?action=book-deleted&who=JUN(%40|@)EXAMPLE\.COM$/);
    await expect(rows).toHaveCount(1);
  });
});
