/** The desk's own frame: its views. */

import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { heading } from './visitor.ts';

test('the desk is a link away from Manage books, its views from each other, and a sign-out leads home', async ({
  page,
  provokes,
}) => {
  await signInAndOpen(page, '/admin');
  await page.getByRole('link', { name: 'the desk' }).click();
  await expect(page).toHaveURL('/desk');
  const views = [
    'Today',
    'Orders',
    'Books',
    'Import',
    'Ways',
    'Sales',
    'Customers',
    'Pages',
    'Activity',
    'Mail',
    'Webhooks',
    'Shop',
    'Admin',
  ];
  await expect(page.getByRole('navigation', { name: 'Desk' }).getByRole('link')).toHaveText(views);
  await expect(page.getByText('No orders yet.')).toBeVisible();

  await test.step('they are one line', async () => {
    const links = page.getByRole('navigation', { name: 'Desk' }).getByRole('link');
    for (const width of [820, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const places = await Promise.all((await links.all()).map((link) => link.boundingBox()));
      const bar = await page.getByRole('banner').boundingBox();
      expect(new Set(places.map((place) => place?.y)).size, `${width} pixels`).toBe(1);
      expect(bar?.height, `${width} pixels`).toBeLessThan(80);
    }
  });
  await test.step('on a phone they are in a line that scrolls', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'Webhooks' }).press('Enter');
    await expect(heading(page)).toHaveText('Webhooks');
    await expect(page.getByRole('link', { name: 'Webhooks' })).toBeInViewport();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await test.step('the activity tells who has signed in', async () => {
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByLabel('What').selectOption('Signed in as an admin');
    await expect(page.getByRole('cell', { name: 'ada@example.com' }).first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expectAccessible(page, 'activity, with filters');
  });
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();

  provokes(/404/);
  await page.goto('/desk/no-such-view');
  await expect(page.getByRole('heading', { name: 'We can’t find that page' })).toBeVisible();
});
