/** The pages of the shop: written on the desk, read by visitors, and named at the checkout. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { paths, screens } from '../contract/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { checkoutButton, undoButton } from './visitor.ts';

const terms = `# Terms of sale

1 Hartfield Lane
Highbury, [post@hartfield.example](mailto:post@hartfield.example)

## What the post costs

| Where to | Price | How long it takes |
| --- | --- | --- |
| Highbury | $2.00 | The next working day |
| Elsewhere | $12.50 | A week, sometimes ten days |

### Besides

- <b>Bold</b> words
  - of *ours*

> Quoted.
`;

test('a page is written, found at the foot and beside the order button, changed, taken back, removed and restored', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/400 .*\/desk\/api\/pages/);
  const { id } = await store.addBook({ title: 'Emma' });
  await openSignedIn(page, deskViewAddress('pages'));
  const panel = page.getByRole('dialog');
  const notice = (text: string) => page.getByRole('status').filter({ hasText: text });
  const row = page.getByRole('button', { name: 'Open: Terms of sale' });
  await expect(page.getByText('No pages yet.')).toBeVisible();
  await expectAccessible(page, 'pages of the shop, none yet');

  await test.step('it is written', async () => {
    await page.getByRole('button', { name: 'Add a page' }).click();
    const save = panel.getByRole('button', { name: 'Save' });
    await panel.getByLabel('Address').fill('Terms!');
    await panel.getByLabel('Text, in Markdown').fill('Terms');
    await save.click();
    await expect(panel.getByLabel('Address')).toBeFocused();
    await panel.getByLabel('Address').fill('terms');
    await save.click();
    await expect(panel.getByText('Begin with the title as a heading')).toBeVisible();
    await panel.getByLabel('Text, in Markdown').fill(terms);
    await expectAccessible(page, 'a new page of the shop');
    await save.click();
    await expect(notice('Saved /pages/terms.')).toBeVisible();
    await expect(row).toBeVisible();
    await expectAccessible(page, 'pages of the shop');
  });

  const reader = await page.context().newPage();
  await test.step('visitors find it', async () => {
    await reader.goto(screens.home);
    await reader.getByRole('contentinfo').getByRole('link', { name: 'Terms of sale' }).click();
    await expect(reader).toHaveURL(paths.shopPage('terms'));
    await expect(reader).toHaveTitle('Terms of sale – Colophon');
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(['Terms of sale']);
    await expect(reader.getByText('<b>Bold</b> words')).toBeVisible();
    await expectAccessible(reader, 'a page of the shop');
    await expect(reader.getByRole('contentinfo')).toBeVisible();
    await page.goto(screens.admin);
    await expect(page.getByRole('button', { name: 'Add Book' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toBeHidden();
    await page.goto(screens.checkout(id));
    await expect(checkoutButton(page)).toBeVisible();
    const link = page.getByRole('main').getByRole('link', { name: 'Terms of sale' });
    await expect(link).toHaveAttribute('href', new RegExp(`${paths.shopPage('terms')}$`));
    await expectAccessible(page, 'a checkout that names the terms');
  });

  await test.step('it is changed, taken back, and what was typed is not lost by mistake', async () => {
    await page.goto(deskViewAddress('pages', { page: 'terms' }));
    await panel.getByLabel('Text, in Markdown').fill('New terms');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByRole('status')).toContainText('Begin with the title as a heading');
    await panel.getByLabel('Text, in Markdown').fill('# New terms');
    page.once('dialog', (dialog) => void dialog.dismiss());
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'Open: New terms' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.click();
    await panel.getByText('Earlier texts').click();
    await expect(panel.getByRole('button', { name: 'Go back to it: New terms' })).toBeVisible();
    await expectAccessible(page, 'a page of the shop with its earlier texts');
  });

  await test.step('it is removed while a visitor reads it, and restored', async () => {
    provokes(/404 .*pages\/terms/);
    await panel.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('No pages yet.')).toBeVisible();
    await reader.reload();
    await expect(reader.getByRole('heading', { name: 'We can’t find that page' })).toBeVisible();
    await page.getByLabel('Show').selectOption('Removed');
    await page.getByRole('button', { name: 'Restore: Terms of sale' }).click();
    await expect(notice('Terms of sale is back.')).toBeVisible();
    await page.getByLabel('Show').selectOption('In the shop');
    await expect(row).toBeVisible();
    await reader.reload();
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(['Terms of sale']);
  });

  await test.step('Undo of another page at its address brings it back', async () => {
    await page.getByRole('button', { name: 'Add a page' }).click();
    await panel.getByLabel('Address').fill('terms');
    await panel.getByLabel('Text, in Markdown').fill('# Other terms');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'Open: Other terms' })).toBeVisible();
    await undoButton(page).click();
    await expect(row).toBeVisible();
  });
});
