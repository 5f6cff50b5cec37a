import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk-paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import { ada, openSignedIn, signIn } from './sign-in.ts';
import { coverPng, janeEyre, testBooks, testImage } from './test-books.ts';

const books = deskViewAddress('books');

const editButton = (page: Page, title: string) => page.getByRole('button', { name: `Edit: ${title}` });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

async function openJaneEyre(page: Page): Promise<void> {
  await openSignedIn(page, books);
  await editButton(page, janeEyre.title).click();
  await expect(page.getByLabel('Title')).toHaveValue(janeEyre.title);
}

test('a book is changed with the keyboard alone, and the shop has the change at once', async ({ page }) => {
  await openSignedIn(page, books);
  await tabTo(editButton(page, janeEyre.title));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Title')).toHaveValue(janeEyre.title);
  await tabTo(page.getByLabel('Price ($)'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('9.95');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Currer Bell');
  await tabTo(saveButton(page));
  await page.keyboard.press('Enter');

  await expect(page.getByText('Saved Jane Eyre.')).toBeVisible();
  await expect(editButton(page, janeEyre.title)).toBeFocused();
  await expect(rowOf(page, janeEyre.title)).toContainText('$9.95');
  await expect(rowOf(page, janeEyre.title)).toContainText('Currer Bell');

  await page.goto('/?q=currer');
  await expect(page.getByRole('article')).toContainText('$9.95');
});

test('what was typed outlasts Back, a reload and the end of the session, until it is saved', async ({
  page,
  context,
  provokes,
}) => {
  provokes(/401/);
  await openJaneEyre(page);
  await page.getByLabel('Price ($)').fill('11');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Jane Eyre is not saved yet.')).toBeVisible();
  await expect(editButton(page, janeEyre.title)).toBeFocused();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Price ($)')).toHaveValue('11');
  await page.getByLabel('Search keywords').fill('Thornfield');

  await page.reload();
  await expect(page.getByText('Here is what you typed before.')).toBeVisible();
  await expect(page.getByLabel('Price ($)')).toHaveValue('11');

  await context.clearCookies();
  await saveButton(page).click();
  await expect(page).toHaveURL(/\/login\?returnTo=/);
  await signIn(page);
  await expect(page.getByLabel('Price ($)')).toHaveValue('11');
  await expect(page.getByLabel('Search keywords')).toHaveValue('Thornfield');
  await saveButton(page).click();

  await expect(rowOf(page, janeEyre.title)).toContainText('$11.00');
  await expect(page).toHaveURL(books);
  await page.reload();
  await expect(rowOf(page, janeEyre.title)).toContainText('Thornfield');
  await expect(page.getByText('is not saved yet')).toHaveCount(0);
});

test('a draft of a book that was changed meanwhile says what has changed', async ({ page, store }) => {
  await openJaneEyre(page);
  await page.getByLabel('Title').fill('Jane');
  await store.reprice(janeEyre.title, 1450);

  await page.reload();

  await expect(page.getByRole('alert')).toContainText('Price ($): was 12.99, is now 14.50');
  await expect(page.getByLabel('Title')).toHaveValue('Jane');
  await expect(page.getByLabel('Price ($)')).toHaveValue('14.50');
});

test('a book is added with keywords and a picture, and found by them at once', async ({ page, provokes }) => {
  provokes(/400/);
  await openSignedIn(page, books);
  await page.getByRole('button', { name: 'Add a book' }).click();
  await page.getByLabel('Title').fill('Villette');
  await page.getByLabel('Author').fill('Charlotte Brontë');
  await page.getByLabel('Search keywords').fill('Snowe');
  await page
    .getByLabel('Or upload a picture')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng('#654321') });
  await expect(page.getByText('Uploaded. Save to keep it.')).toBeVisible();
  await page.getByRole('button', { name: 'Add the book' }).click();
  await expect(page.getByLabel('Price ($)')).toBeFocused();
  await expectAccessible(page);
  await page.goBack();
  await expect(page.getByText('The new book Villette is not saved yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByLabel('Price ($)').fill('9.50');
  await page.getByRole('button', { name: 'Add the book' }).click();

  await expect(page.getByText('Added Villette: it is for sale.')).toBeVisible();
  await expect(rowOf(page, 'Villette')).toContainText('$9.50');
  await page.goto('/?q=snowe');
  await expect(page.getByRole('article')).toContainText('Villette');
});

test('an addition whose response is lost adds the book once, and the same book can be added again', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/ERR_FAILED/);
  await openSignedIn(page, books);
  const villettes = async () =>
    (await store.db.selectFrom('books').select('id').where('title', '=', 'Villette').execute()).length;
  const fillIn = async () => {
    await page.getByRole('button', { name: 'Add a book' }).click();
    await page.getByLabel('Title').fill('Villette');
    await page.getByLabel('Author').fill('Charlotte Brontë');
    await page.getByLabel('Price ($)').fill('9.50');
    await page.getByLabel('Address of the image').fill(testImage);
  };
  await page.route(
    '**/addBook',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

  await fillIn();
  await page.getByRole('button', { name: 'Add the book' }).click();
  await expect(page.getByText('Added Villette: it is for sale.')).toBeVisible();
  expect(await villettes()).toBe(1);

  await fillIn();
  await page.getByRole('button', { name: 'Add the book' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(villettes).toBe(2);
});

test('a change whose response is lost is saved once and is no conflict, however it was typed', async ({
  page,
  provokes,
}) => {
  provokes(/ERR_FAILED|412/);
  await openJaneEyre(page);
  await page.getByLabel('Title').fill(`${janeEyre.title} `);
  await page.getByLabel('Price ($)').fill('12.5');
  await page.route(
    '**/book/*',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

  await saveButton(page).click();

  await expect(page.getByText('Saved Jane Eyre.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toContainText('$12.50');
});

test('a book may have any id that an import gives it', async ({ page, store }) => {
  for (const id of ['new', 'constructor', '__proto__']) {
    await store.db.updateTable('books').set({ id }).where('title', '=', janeEyre.title).execute();
    await openJaneEyre(page);
    await page.getByLabel('Search keywords').fill(`keywords of ${id}`);
    await page.reload();
    await saveButton(page).click();
    await expect(rowOf(page, janeEyre.title)).toContainText(`keywords of ${id}`);
  }
});

test('a book is deleted in its panel, and Undo brings it back', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await openJaneEyre(page);

  await page.getByRole('button', { name: 'Delete' }).press('Enter');

  await expect(page.getByText('Deleted Jane Eyre.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByText('Restored Jane Eyre: it is for sale again.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
  // The heading is still in view: nothing was scrolled past the row that came back.
  expect(await page.evaluate<number>('window.scrollY')).toBe(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
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
  await expect(page.getByText('Uploaded. Save to keep it.')).toBeVisible();
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

test('Save without a change does not hide what another tab has changed', async ({ page, context }) => {
  await openJaneEyre(page);
  const other = await context.newPage();
  await other.goto(books);
  await editButton(other, janeEyre.title).click();
  await other.getByLabel('Price ($)').fill('14.50');
  await saveButton(other).click();
  await expect(other.getByText('Saved Jane Eyre.')).toBeVisible();

  await saveButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Price ($): was 12.99, is now 14.50');
  await saveButton(page).click();

  await expect(page.getByText('Nothing was changed.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toContainText('$14.50');
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
  await openSignedIn(page, '/admin');
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
  await openSignedIn(page, books);
  await expect(page.getByRole('button', { name: /^Edit:/ })).toHaveCount(testBooks.length);
  await expectAccessible(page);
  await page.getByLabel('Search').fill('shelley');
  await expect(page.getByRole('button', { name: /^Edit:/ })).toHaveCount(1);
  await page.getByLabel('Search').fill('qwertz');
  await page.getByRole('button', { name: 'Show all books' }).click();
  await expect(page.getByRole('button', { name: /^Edit:/ })).toHaveCount(testBooks.length);
});
