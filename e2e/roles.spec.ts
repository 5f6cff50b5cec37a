import { deskViewAddress } from '../contract/desk-paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, signInAndOpen } from './sign-in.ts';
import { coverPng, janeEyre } from './test-books.ts';

test.use({ storeOptions: { env: { ADMIN_EMAILS: ada.email } } });

test('a customer who is not one of the named admins cannot delete a book, and sees why', async ({
  page,
  provokes,
}) => {
  provokes(/403 .*\/deleteBook\//);
  await signInAndOpen(page, '/admin', jun);

  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();

  await expect(page.getByText('This account may not change the catalogue.')).toBeVisible();
  await expect(page.getByRole('cell', { name: janeEyre.title, exact: true })).toBeVisible();
});

test('an admin whose e-mail the provider does not call verified sees why the store refuses', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/403 .*\/deleteBook\//);
  provokes(/403 .*\/desk\/api\//);
  const reason = 'the sign-in provider did not say that its e-mail is verified.';
  await signInAndOpen(page, '/admin', ada);
  // The demo's provider calls every e-mail verified.
  await store.db.updateTable('customers').set({ is_email_verified: 0 }).execute();

  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  const message = page.getByText('This account may not change the catalogue.');
  await expect(message).toContainText(reason);
  await expect(message).toContainText('Ask the person who looks after the sign-in of this shop.');
  await expectAccessible(page);

  await page.goto(deskViewAddress('orders'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This account may not use the desk');
  await expect(page.getByText('You are signed in as ada@example.com.')).toContainText(reason);
});

test('a named admin can delete a book and upload an image', async ({ page }) => {
  await signInAndOpen(page, '/admin', ada);
  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  await expect(page.getByRole('cell', { name: janeEyre.title, exact: true })).toHaveCount(0);

  await page.getByRole('navigation').getByRole('button', { name: 'Add Book' }).click();
  await page
    .getByLabel('Image')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng() });

  await expect(page.getByRole('main').getByRole('button', { name: 'Add Book' })).toBeEnabled();
});
