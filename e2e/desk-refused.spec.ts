import { deskViewAddress } from '../contract/desk-paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, signInAndOpen } from './sign-in.ts';

const activity = deskViewAddress('activity');

test.use({ storeOptions: { env: { ADMIN_EMAILS: jun.email } } });

test('any other account learns why it may not use the desk', async ({ page, provokes }) => {
  provokes(/403/);
  await signInAndOpen(page, activity, ada);

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This account may not use the desk');
  await expect(page.getByText('You are signed in as ada@example.com.')).toContainText(
    'The desk is for the admins that ADMIN_EMAILS or ADMIN_CLAIM names.',
  );
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await signInAndOpen(page, activity, jun);
  await expect(page.getByRole('cell', { name: 'Signed in as an admin' }).first()).toBeVisible();
});
