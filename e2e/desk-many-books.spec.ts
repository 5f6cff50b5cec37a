/** Many books of the desk at once, and the desk's keys. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { testBooks } from './test-books.ts';
import { priceOf, rowOf, searchField, undoButton } from './visitor.ts';

const books = deskViewAddress('books');

test('many prices change by a percentage after a preview, and Undo leaves out what was changed since', async ({
  page,
  store,
}) => {
  const [one, two] = testBooks;
  // A tenth of five cents is half a cent, so that price stays the same.
  const count = testBooks.length - 1;
  await openSignedIn(page, books);
  const selectAll = page.getByRole('checkbox', { name: /^Select all/ });
  await selectAll.check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.keyboard.type('-10');
  const preview = page.getByRole('region', { name: 'Preview: Raise or lower price' });
  await expect(preview.getByRole('listitem')).toHaveCount(count);
  await expect(preview).toContainText('→ $11.69');
  await expectAccessible(page, 'the preview of a change of many books');
  await page.getByRole('button', { name: `Apply to ${count} books` }).click();
  await expect(page.getByText(`Changed ${count} books.`)).toBeVisible();
  await expect(priceOf(page, one.title)).toHaveValue('11.69');

  await store.db
    .updateTable('books')
    .set(({ eb }) => ({ price_cents: 4_321, version: eb('version', '+', 1) }))
    .where('title', '=', two.title)
    .execute();
  await undoButton(page).click();
  await expect(page.getByText('1 book stays as it is: 1 changed meanwhile.')).toBeVisible();
  await expect(priceOf(page, one.title)).toHaveValue('12.99');
  await expect(priceOf(page, two.title)).toHaveValue('43.21');

  await test.step('those of a subject', async () => {
    for (const title of ['Typhoon', 'Persuasion']) await store.addBook({ title, keywords: 'Sea' });
    await page.goto(`${books}?subject=Sea`);
    await expect(page.getByRole('row')).toHaveCount(3);
    await expect(page.getByLabel('Subject')).toHaveValue('Sea');
    await page.getByLabel('Subject').selectOption('All');
    await expect(page.getByRole('row')).toHaveCount(testBooks.length + 3);
    await store.db.updateTable('books').set({ removed_at: 1 }).where('keywords', '=', 'Sea').execute();
    await page.reload();
  });
  await test.step('deleted together, one restored', async () => {
    await selectAll.check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText(`Deleted ${testBooks.length} books.`)).toBeVisible();
    await expect(page.getByText('No books yet.')).toBeVisible();
    await page.getByLabel('Show').selectOption('Deleted');
    await page.getByRole('checkbox', { name: `Select: ${one.title}` }).check();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(page.getByText('Jane Eyre: deleted → for sale.')).toBeVisible();
  });
  await test.step('the focus of a row that is gone is in the next one', async () => {
    await page.getByRole('button', { name: `Restore: ${two.title}` }).press('Enter');
    await expect(rowOf(page, two.title)).toHaveCount(0);
    await expect(page.getByRole('row').filter({ has: page.locator(':focus') })).toHaveCount(1);
  });
});

test('a key leads to the search, where letters are letters, and Ctrl K to any view and book', async ({
  page,
}) => {
  await openSignedIn(page, deskViewAddress('orders'));
  await expect(page.getByText('No orders yet.')).toBeVisible();
  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type('gb?/');
  await expect(searchField(page)).toHaveValue('gb?/');
  await page.keyboard.press('Escape');
  // In a field, the key would have another effect.
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Go to' })).toBeFocused();
  await page.keyboard.type('jane');
  await expect(page.getByRole('option')).toHaveCount(3);
  await expectAccessible(page, 'any view and book, found by a key');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${books}?q=jane`);
});
