import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk-paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, signInAndOpen } from './sign-in.ts';
import { coverPng, janeEyre, testBooks } from './test-books.ts';

const books = deskViewAddress('books');

const editButton = (page: Page, title: string) => page.getByRole('button', { name: `Edit: ${title}` });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

async function openJaneEyre(page: Page): Promise<void> {
  await signInAndOpen(page, books);
  await editButton(page, janeEyre.title).click();
  await expect(page.getByLabel('Title')).toHaveValue(janeEyre.title);
}

test('a book is changed with the keyboard alone, and the shop has the change at once', async ({ page }) => {
  await signInAndOpen(page, books);
  await editButton(page, janeEyre.title).press('Enter');
  await page.getByLabel('Price ($)').press('ControlOrMeta+a');
  await page.keyboard.type('9.95');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Currer Bell');
  await page.keyboard.press('Enter');

  await expect(page.getByText('Saved Jane Eyre.')).toBeVisible();
  await expect(editButton(page, janeEyre.title)).toBeFocused();
  await expect(rowOf(page, janeEyre.title)).toContainText('$9.95');
  await expect(rowOf(page, janeEyre.title)).toContainText('Currer Bell');

  await page.goto('/?q=currer');
  await expect(page.getByRole('article')).toContainText('$9.95');
});

test('a picture is uploaded for a book, and its cover shows it', async ({ page, store }) => {
  const before = await store.db
    .selectFrom('books')
    .select('image')
    .where('title', '=', janeEyre.title)
    .executeTakeFirstOrThrow();
  await openJaneEyre(page);

  await page
    .getByLabel('Or upload a picture')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng('#123456') });
  await expect(page.getByText('Uploaded. Save the changes to show it.')).toBeVisible();
  await expect(page.getByLabel('Address of the image')).not.toHaveValue(before.image);
  await saveButton(page).click();
  await expect(page.getByText('Saved Jane Eyre.')).toBeVisible();

  const after = await store.db
    .selectFrom('books')
    .select('image')
    .where('title', '=', janeEyre.title)
    .executeTakeFirstOrThrow();
  expect(after.image).toMatch(/^\/images\/[0-9a-f]{32}\.webp$/);
  expect(after.image).not.toBe(before.image);
});

test('two editors do not overwrite each other: the second sees what the first changed, and keeps the typing', async ({
  page,
  context,
  provokes,
}) => {
  provokes(/412/);
  await openJaneEyre(page);
  await page.getByLabel('Title').fill('Jane Eyre, an Autobiography');
  await page.getByLabel('Price ($)').fill('11');
  const other = await context.newPage();
  await other.goto(books);
  await editButton(other, janeEyre.title).click();
  await other.getByLabel('Price ($)').fill('14.50');
  await other.getByLabel('Search keywords').fill('Thornfield');
  await saveButton(other).click();
  await expect(other.getByText('Saved Jane Eyre.')).toBeVisible();

  await saveButton(page).click();

  const notice = page.getByRole('alert');
  await expect(notice).toContainText('Price ($): was 12.99, is now 14.50; you typed 11');
  await expect(notice).toContainText('Search keywords: was empty, is now Thornfield');
  await expect(notice).toBeFocused();
  await expect(page.getByLabel('Title')).toHaveValue('Jane Eyre, an Autobiography');
  await expect(page.getByLabel('Price ($)')).toHaveValue('11');
  await expect(page.getByLabel('Search keywords')).toHaveValue('Thornfield');
  await expectAccessible(page);

  await saveButton(page).click();
  await expect(rowOf(page, 'Jane Eyre, an Autobiography')).toContainText('$11.00');
  await expect(rowOf(page, 'Jane Eyre, an Autobiography')).toContainText('Thornfield');
});

test('an error is shown at its field, and nothing that was typed is lost without a question', async ({
  page,
  provokes,
}) => {
  provokes(/400/);
  await openJaneEyre(page);
  await page.getByLabel('Price ($)').fill('twelve');
  await saveButton(page).click();
  await expect(page.getByLabel('Price ($)')).toBeFocused();
  await expect(page.getByText('Write an amount with at most two decimals')).toBeVisible();
  await expectAccessible(page);

  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Price ($)')).toHaveValue('twelve');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(editButton(page, janeEyre.title)).toBeFocused();
});

test('a book that was deleted meanwhile cannot be changed, and says so', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404/);
  await openJaneEyre(page);
  await page.getByLabel('Price ($)').fill('1');
  await store.remove(janeEyre.title);

  await saveButton(page).click();

  await expect(page.getByRole('alert')).toHaveText(
    'This book was deleted meanwhile. Restore it to change it.',
  );
  await expect(page.getByLabel('Price ($)')).toHaveValue('1');
});

test('a deleted book is listed with who deleted it and when, and is restored', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.goto(books);
  await page.getByLabel('Show').selectOption('Deleted');
  await expect(rowOf(page, janeEyre.title)).toContainText(ada.email);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: `Restore: ${janeEyre.title}` }).press('Enter');

  await expect(page.getByText('No book was deleted.')).toBeVisible();
  await expect(page.getByText('Restored Jane Eyre: it is for sale again.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByLabel('Show').selectOption('For sale');
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
});

test('the books are found by title, author and keyword, and are accessible', async ({ page }) => {
  await signInAndOpen(page, books);
  await expect(page.getByRole('button', { name: /^Edit:/ })).toHaveCount(testBooks.length);
  await expectAccessible(page);
  await page.getByLabel('Search').fill('shelley');
  await expect(page.getByRole('button', { name: /^Edit:/ })).toHaveCount(1);
  await page.getByLabel('Search').fill('qwertz');
  await page.getByRole('button', { name: 'Show all books' }).click();
  await expect(page.getByRole('button', { name: /^Edit:/ })).toHaveCount(testBooks.length);
});
