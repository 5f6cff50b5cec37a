/** The books of the desk: one is added, changed, deleted and restored, and no fault loses what was typed. */

import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { loseResponse } from './requests.ts';
import { ada, openSignedIn, signIn } from './sign-in.ts';
import { changeBook, janeEyre } from './test-books.ts';
import { heading, pickCover, priceOf, rowOf, tabTo, undoButton } from './visitor.ts';

const books = deskViewAddress('books');

const editButton = (page: Page) => page.getByRole('button', { name: `Open: ${janeEyre.title}` });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const price = (page: Page) => page.getByLabel('Price ($)');
const rowOfJane = (page: Page) => rowOf(page, janeEyre.title);

async function openJaneEyre(page: Page): Promise<void> {
  await openSignedIn(page, books);
  await editButton(page).click();
  await expect(page.getByLabel('Title')).toHaveValue(janeEyre.title);
}

test('a book is changed with the keyboard alone, the shop has it at once, and Undo takes it back', async ({
  page,
}) => {
  await openSignedIn(page, books);
  await tabTo(editButton(page));
  await page.keyboard.press('Enter');
  await tabTo(price(page));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('9.95');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Currer Bell');
  await tabTo(saveButton(page));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved Jane Eyre: $12.99 → $9.95.')).toBeVisible();
  await expect(editButton(page)).toBeFocused();
  const found = await page.request.get('/books?q=currer');
  expect(await found.json()).toMatchObject([{ title: janeEyre.title, price: { value: 9.95 } }]);

  await undoButton(page).click();
  await expect(page.getByText('Jane Eyre is as it was before.')).toBeVisible();
  await expect(priceOf(page, janeEyre.title)).toHaveValue('12.99');
  await expect(rowOfJane(page)).not.toContainText('Currer Bell');
});

test('typing outlasts Back, a reload, the session, errors and Escape, whatever id the book has', async ({
  page,
  context,
  store,
  provokes,
}) => {
  provokes(/40[01]/);
  // An import may give a book this id.
  await store.db.updateTable('books').set({ id: '__proto__' }).where('title', '=', janeEyre.title).execute();
  await openJaneEyre(page);
  await test.step('Back', async () => {
    await price(page).fill('11');
    await page.goBack();
    await expect(editButton(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Here is what you typed before.')).toBeVisible();
    await expect(price(page)).toHaveValue('11');
  });
  await test.step('a reload', async () => {
    await page.reload();
    await expect(page.getByText('Here is what you typed before.')).toBeVisible();
    await expect(price(page)).toHaveValue('11');
  });
  await test.step('a session that has ended', async () => {
    await context.clearCookies();
    await saveButton(page).click();
    await expect(page).toHaveURL(/\/login\?returnTo=/);
    await signIn(page);
    await expect(price(page)).toHaveValue('11');
    await saveButton(page).click();
    await expect(priceOf(page, janeEyre.title)).toHaveValue('11.00');
  });
  await test.step('an error, and Escape', async () => {
    await editButton(page).click();
    await expect(price(page)).toHaveValue('11.00');
    await expect(page.getByText('Here is what you typed before.')).toHaveCount(0);
    await price(page).fill('twelve');
    await saveButton(page).click();
    await expect(price(page)).toBeFocused();
    await expect(page.getByText('Write an amount with at most two decimals')).toBeVisible();
    await expectAccessible(page, 'a book with a wrong price');
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.keyboard.press('Escape');
    await expect(price(page)).toHaveValue('twelve');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Close' }).click();
    await expect(editButton(page)).toBeFocused();
  });
});

test('the series in a title becomes two fields with one press, and the title stays', async ({
  page,
  provokes,
}) => {
  provokes(/400/);
  const title = 'Jane Eyre (The Brontës, #2)';
  await openJaneEyre(page);
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Take “The Brontës, book 2” from the title' }).press('Enter');

  await expect(page.getByLabel('Series', { exact: true })).toHaveValue('The Brontës');
  await expect(page.getByLabel('Number in the series')).toHaveValue('2');
  await expect(page.getByLabel('Number in the series')).toBeFocused();
  await page.getByLabel('Pages').fill('many');
  await saveButton(page).click();
  await expect(page.getByLabel('Pages')).toBeFocused();
  await page.getByLabel('Pages').fill('532');
  await saveButton(page).click();
  await expect(page.getByText('Saved')).toBeVisible();
  const found = await page.request.get('/books?series=the-brontes');
  expect(await found.json()).toMatchObject([{ title, series: 'The Brontës', seriesNumber: '2' }]);
});

test('a hand scanner fills in the ISBN and saves nothing; the camera reads it, and is off afterwards', async ({
  page,
}) => {
  await page.addInitScript(`
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas');
      canvas.getContext('2d').fillRect(0, 0, 300, 150);
      window.camera = canvas.captureStream(5);
      return window.camera;
    };
    // The camera sees the barcode of the price first.
    const seen = [[], [{ rawValue: '4006381333931' }], [{ rawValue: '9780141441146' }]];
    window.BarcodeDetector = class { detect = async () => window.isHeldUp ? seen.shift() : [] };
  `);
  await openJaneEyre(page);
  const isbn = page.getByLabel('ISBN');
  await isbn.focus();
  // The scanner's next read replaces what is in the field.
  for (const read of ['9780141439587', '0141439580']) {
    await page.keyboard.type(read);
    await page.keyboard.press('Enter');
    await expect(isbn).toHaveValue(read);
  }
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await page.getByRole('button', { name: 'Stop the camera' }).waitFor();
  await expectAccessible(page, 'a book, and the camera to scan it');
  await page.evaluate('void (window.isHeldUp = true)');
  await expect(isbn).toHaveValue('9780141441146');
  expect(await page.evaluate('window.camera.active')).toBe(false);
});

test('two editors do not overwrite each other', async ({ page, store, provokes }) => {
  provokes(/412/);
  await openJaneEyre(page);
  await price(page).fill('11');
  const [book] = await store.booksNamed(janeEyre.title);
  await changeBook(store.db, book?.id ?? '', { priceCents: 1550, keywords: 'Thornfield' });
  await saveButton(page).click();
  await expect(price(page)).toBeFocused();
  await expect(price(page)).toHaveAccessibleDescription(/changed meanwhile: here 15\.50 is stored/);
  await expect(page.getByLabel('Subjects')).toHaveValue('Thornfield');
  await expectAccessible(page, 'a book that somebody else has changed');
  await expect(price(page)).toHaveValue('11');
  await saveButton(page).click();
  const inRow = priceOf(page, janeEyre.title);
  await expect(inRow).toHaveValue('11.00');
  await expect(rowOfJane(page)).toContainText('Thornfield');

  await changeBook(store.db, book?.id ?? '', { priceCents: 1600 });
  await inRow.fill('12');
  await inRow.press('Enter');
  await expect(page.getByText('1 changed meanwhile')).toBeVisible();
  await expect(inRow).toHaveValue('12');
  await inRow.press('Enter');
  await expect(page.getByText('Jane Eyre: $16.00 → $12.00.')).toBeVisible();
});

test('a book is added once, even if the response is lost, and a deleted one is restored', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/ERR_FAILED/);
  await openSignedIn(page, books);
  await page.getByRole('button', { name: 'Add a book' }).click();
  for (const [label, text] of Object.entries({ Title: 'Shirley', Author: 'Charlotte Brontë' }))
    await page.getByLabel(label).fill(text);
  await price(page).fill('9.50');
  await pickCover(page, 'Or upload a picture');
  await expect(page.getByText('Uploaded. Save to keep it.')).toBeVisible();
  await expectAccessible(page, 'a new book with a picture');
  await page.route('**/addBook', loseResponse, { times: 1 });
  await page.getByRole('button', { name: 'Add the book' }).click();
  await expect(page.getByText('Added Shirley: it is for sale.')).toBeVisible();
  const image = expect.stringMatching(/^\/images\/[0-9a-f]{32}\.webp$/);
  expect(await store.booksNamed('Shirley')).toMatchObject([{ image }]);

  await page.getByRole('button', { name: 'Open: Shirley' }).click();
  await page.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByText('Shirley: for sale → deleted.')).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await page.getByLabel('Show').selectOption('Deleted');
  await expect(rowOf(page, 'Shirley')).toContainText(ada.email);
  await expectAccessible(page, 'the deleted books');
  await page.getByRole('button', { name: 'Restore: Shirley' }).press('Enter');
  await expect(page.getByText('Shirley: deleted → for sale.')).toBeVisible();
});
