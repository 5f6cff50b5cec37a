import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, signInAndOpen } from './sign-in.ts';
import { addButton, deleteButton, heading, openView, pickCover } from './visitor.ts';

// One worker, and so one store, for all tests of the file.
test.describe.configure({ mode: 'default' });
test.use({ storeOptions: { env: { ADMIN_EMAILS: ada.email } } });

test('only a named admin deletes and uses the desk; others learn why', async ({ page, provokes }) => {
  provokes(/403 .*\/deleteBook\//);
  provokes(/403 .*\/desk\/api\//);
  const activity = deskViewAddress('activity');
  await signInAndOpen(page, '/admin', jun);
  await deleteButton(page).click();
  await expect(page.getByText('This account may not change the catalogue.')).toBeVisible();
  await expect(deleteButton(page)).toBeVisible();

  await page.goto(activity);
  await expect(heading(page)).toHaveText('This account may not use the desk');
  await expect(page.getByText('You are signed in as jun@example.com.')).toContainText(
    'The desk is for the admins that ADMIN_EMAILS or ADMIN_CLAIM names.',
  );
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');

  await signInAndOpen(page, activity, ada);
  await expect(page.getByRole('cell', { name: 'Signed in as an admin' }).first()).toBeVisible();
  await page.goto('/admin');
  await deleteButton(page).click();
  await expect(deleteButton(page)).toHaveCount(0);
  await openView(page, 'Add Book');
  await pickCover(page);
  await expect(addButton(page)).toBeEnabled();
});

test('an admin whose e-mail is not verified sees why nothing happens', async ({ page, store, provokes }) => {
  provokes(/403 .*\/deleteBook\//);
  provokes(/403 .*\/desk\/api\//);
  const reason = 'the sign-in provider did not say that its e-mail is verified.';
  await signInAndOpen(page, '/admin', ada);
  // The demo's provider calls every e-mail verified.
  await store.db.updateTable('customers').set({ is_email_verified: 0 }).execute();

  await deleteButton(page).click();
  const message = page.getByText('This account may not change the catalogue.');
  await expect(message).toContainText(reason);
  await expect(message).toContainText('Ask the person who looks after the sign-in of this shop.');

  await page.goto(deskViewAddress('orders'));
  await expect(heading(page)).toHaveText('This account may not use the desk');
  await expect(page.getByText('You are signed in as ada@example.com.')).toContainText(reason);
});
