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
