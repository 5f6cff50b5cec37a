import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { ada, openSignedIn } from './sign-in.ts';
import { buy, rowOf } from './visitor.ts';

const mail = deskViewAddress('mail');

test('the mail of an order is read on the desk, with the keyboard alone', async ({ page, store }) => {
  await openSignedIn(page, mail);
  await expect(page.getByText('No mail yet.')).toBeVisible();
  await expect(page.getByText('This is the demo: mail is shown here, and sent to nobody.')).toBeVisible();
  await page.getByLabel('Show').selectOption('Given up');
  await page.getByRole('button', { name: 'Show all mail' }).click();
  await expect(page.getByText('No mail yet.')).toBeVisible();

  await buy(page, store, 'Sult');
  await page.goto(mail);
  const row = rowOf(page, 'Sult');
  await expect(row).toContainText(ada.email);
  await expect(row).toContainText('Shown here only');
  await row.getByRole('button', { name: /^Read:/ }).press('Enter');
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('Sult');
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(ada.email);
  await expect(page.getByRole('region', { name: 'Notice to the shop' })).toContainText('Sult');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row.getByRole('button', { name: /^Read:/ })).toBeFocused();
});
