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
  const links = page.getByRole('navigation', { name: 'Desk' }).getByRole('link');
  const views = ['Today', 'Orders', 'Books', 'Customers', 'Sales', 'Ways', 'Pages', 'Mail', 'Activity'];
  await expect(links).toHaveText([...views, 'Visit the shop', 'Admin']);
  await expect(page.getByText('Nothing waits.')).toBeVisible();

  await test.step('they are a column, and one line where a table would have no room beside it', async () => {
    const places = async (of: 'x' | 'y') =>
      new Set(await Promise.all((await links.all()).map(async (link) => (await link.boundingBox())?.[of])));
    expect((await places('x')).size).toBe(1);
    for (const width of [820, 1100]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await places('y')).size, `${width} pixels`).toBe(1);
    }
  });
  await test.step('on a phone they are in a line that scrolls', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await links.filter({ hasText: 'Activity' }).press('Enter');
    await expect(heading(page)).toHaveText('Activity');
    await expect(links.filter({ hasText: 'Activity' })).toBeInViewport();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await test.step('the activity tells who has signed in', async () => {
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
