import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { paths } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { loseResponse } from './requests.ts';
import { ada, openSignedIn, signIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre, testBooks, testImage } from './test-books.ts';
import { heading, pickCover, rowOf, scrollY, searchField, tabTo, undoButton } from './visitor.ts';

const books = deskViewAddress('books');

const editButton = (page: Page, title: string = janeEyre.title) =>
  page.getByRole('button', { name: `Edit: ${title}` });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const field = (page: Page, name: string) => page.getByLabel(name);
const price = (page: Page) => field(page, 'Price ($)');
const continueTyping = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();

async function openJaneEyre(page: Page): Promise<void> {
  await openSignedIn(page, books);
  await editButton(page).click();
  await expect(field(page, 'Title')).toHaveValue(janeEyre.title);
}

/** Changes the book as another admin does. */
async function changeElsewhere(page: Page, store: Store, changes: object): Promise<void> {
  const [book] = await store.booksNamed(janeEyre.title);
  const headers = { 'if-match': '*' };
  const response = await page.request.patch(paths.book(book?.id ?? ''), { data: changes, headers });
  expect(response.status()).toBe(200);
}

test('a search that finds little names other words that find books, as links', async ({ page, store }) => {
  await store.addBook({ title: 'Frankenstien', author: 'Anon' });
  for (const number of [2, 3]) await store.addBook({ title: `Frankenstein ${number}`, author: 'Anon' });
  await openSignedIn(page, books);
  await searchField(page).fill('frankenstien');

  await expect(page.getByText('Also: frankenstein (3)')).toBeVisible();
  await page.getByRole('link', { name: 'frankenstein', exact: true }).click();
  await expect(searchField(page)).toHaveValue('frankenstein');
  await expect(page.getByRole('row')).toHaveCount(1 + 3);

  await searchField(page).fill('hamsum');
  await expect(page.getByText('Results for hamsun: nothing matches “hamsum”.')).toBeVisible();
  await searchField(page).fill('jane frankenstein');
  await page.getByText('No book matches. These words find books: jane, frankenstein').waitFor();
  await page.getByRole('link', { name: 'jane', exact: true }).click();
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
});

test('a book is changed with the keyboard alone, and the shop has the change at once', async ({ page }) => {
  await openSignedIn(page, books);
  await tabTo(editButton(page));
  await page.keyboard.press('Enter');
  await expect(field(page, 'Title')).toHaveValue(janeEyre.title);
  await tabTo(price(page));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('9.95');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Currer Bell');
  await tabTo(saveButton(page));
  await page.keyboard.press('Enter');

  await expect(page.getByText('Saved Jane Eyre: $12.99 → $9.95.')).toBeVisible();
  await expect(editButton(page)).toBeFocused();
  await expect(rowOf(page, janeEyre.title)).toContainText('$9.95');
  await expect(rowOf(page, janeEyre.title)).toContainText('Currer Bell');
  await page.goto('/?q=currer');
  await expect(page.getByRole('article')).toContainText('$9.95');
});

test('a long title is shown from its beginning when it is edited', async ({ page, store }) => {
  const long = `Cinderella Ate My Daughter: ${'Dispatches from the Front Lines '.repeat(5)}`.trim();
  await store.addBook({ title: long });
  await openSignedIn(page, books);
  await page.getByRole('button', { name: `Edit: ${long}` }).click();

  await expect(field(page, 'Title')).toBeFocused();
  await expect(field(page, 'Title')).toHaveJSProperty('scrollLeft', 0);
});

test('a hand scanner fills in the ISBN and saves nothing, and a wrong one is marked', async ({
  page,
  provokes,
}) => {
  provokes(/400 .*\/book\//);
  await openJaneEyre(page);
  const isbn = field(page, 'ISBN');
  await isbn.focus();
  for (const read of ['9780141441146', '978-0-14-144114-7']) {
    await page.keyboard.type(read);
    await page.keyboard.press('Enter');
    await expect(isbn).toHaveValue(read);
  }
  await expect(page.getByRole('dialog')).toBeVisible();
  await saveButton(page).click();
  await expect(isbn).toHaveAttribute('aria-invalid', 'true');
  await expect(isbn).toBeFocused();
  await expect(page.getByText('Write the 10 or 13 digits of the ISBN')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('0-14-144114-3');
  await field(page, 'Description').fill('A clean copy.\n\nSigned.');
  await saveButton(page).click();
  await expect(page.getByText('Saved Jane Eyre.')).toBeVisible();
  await searchField(page).fill('978 0141441146');
  await expect(page.getByRole('row')).toHaveCount(2);
  await editButton(page).click();
  await expect(isbn).toHaveValue('978-0-14-144114-6');
  await field(page, 'Description').fill('');
  await saveButton(page).click();
  await editButton(page).click();
  await expect(field(page, 'Description')).toHaveValue('');
});

test.describe('with a browser that reads barcodes', () => {
  /** A camera whose picture is black, or that is refused, and a detector that sees the barcode of the price first. */
  const withCamera = (page: Page, refusal = '') =>
    page.addInitScript(`
      navigator.mediaDevices.getUserMedia = async () => {
        if ('${refusal}') throw new DOMException('', '${refusal}');
        const canvas = document.createElement('canvas');
        canvas.getContext('2d').fillRect(0, 0, 300, 150);
        const stream = canvas.captureStream(5);
        window.camera = stream.getTracks()[0];
        return stream;
      };
      const seen = [[], [{ rawValue: '4006381333931' }], [{ rawValue: '9780141441146' }]];
      window.BarcodeDetector = class {
        async detect() {
          return window.isBlind ? [] : (seen.shift() ?? []);
        }
      };
    `);
  const scan = (page: Page) => page.getByRole('button', { name: 'Scan with the camera' }).click();
  const cameraState = (page: Page) => expect.poll(() => page.evaluate('window.camera?.readyState'));

  test('the camera fills in the ISBN, and is off afterwards', async ({ page }) => {
    await withCamera(page);
    await openJaneEyre(page);
    await scan(page);

    await expect(field(page, 'ISBN')).toHaveValue('9780141441146');
    await expect(page.getByText('The ISBN is 9780141441146.')).toBeVisible();
    await cameraState(page).toBe('ended');
    await expect(page.locator('video')).toHaveCount(0);
  });

  test('the camera is off when the form is closed, or the camera is stopped', async ({ page }) => {
    await withCamera(page);
    await openJaneEyre(page);
    await page.evaluate('window.isBlind = true');
    await scan(page);
    await cameraState(page).toBe('live');
    await page.getByRole('button', { name: 'Stop the camera' }).click();
    await cameraState(page).toBe('ended');
    await scan(page);
    await cameraState(page).toBe('live');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await cameraState(page).toBe('ended');
  });

  for (const [name, words] of [
    ['NotAllowedError', 'does not let this page use the camera'],
    ['NotFoundError', 'The camera cannot be used. Type the digits.'],
  ] as const) {
    test(`a camera that fails with ${name} says so`, async ({ page }) => {
      await withCamera(page, name);
      await openJaneEyre(page);
      await scan(page);
      await expect(page.getByText(words)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Scan with the camera' })).toBeVisible();
    });
  }
});

test('typing outlasts Back, a reload and the session', async ({ page, context, provokes }) => {
  provokes(/401/);
  await openJaneEyre(page);
  await price(page).fill('11');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Jane Eyre is not saved yet.')).toBeVisible();
  await expect(editButton(page)).toBeFocused();
  await continueTyping(page);
  await expect(price(page)).toHaveValue('11');
  await field(page, 'Search keywords').fill('Thornfield');

  await page.reload();
  await expect(page.getByText('Here is what you typed before.')).toBeVisible();
  await expect(price(page)).toHaveValue('11');

  await context.clearCookies();
  await saveButton(page).click();
  await expect(page).toHaveURL(/\/login\?returnTo=/);
  await signIn(page);
  await expect(price(page)).toHaveValue('11');
  await expect(field(page, 'Search keywords')).toHaveValue('Thornfield');
  await saveButton(page).click();

  await expect(rowOf(page, janeEyre.title)).toContainText('$11.00');
  await expect(page).toHaveURL(books);
  await page.reload();
  await expect(rowOf(page, janeEyre.title)).toContainText('Thornfield');
  await expect(page.getByText('is not saved yet')).toHaveCount(0);
});

test('two editors do not overwrite each other, nor lose their typing', async ({ page, store, provokes }) => {
  provokes(/412/);
  const notice = page.getByRole('alert');
  await openJaneEyre(page);
  await changeElsewhere(page, store, { price: { value: '13.50' } });
  // Also by a Save that changes nothing.
  await saveButton(page).click();
  await expect(notice).toContainText('Price ($): was 12.99, is now 13.50');
  await saveButton(page).click();
  await expect(page.getByText('Nothing was changed.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toContainText('$13.50');

  // Also of a draft.
  await editButton(page).click();
  await field(page, 'Title').fill('Jane Eyre, an Autobiography');
  await store.reprice(janeEyre.title, 1450);
  await page.reload();
  await expect(notice).toContainText('Price ($): was 13.50, is now 14.50');
  await expect(price(page)).toHaveValue('14.50');

  await price(page).fill('11');
  await changeElsewhere(page, store, { price: { value: '15.50' }, keywords: 'Thornfield' });
  await saveButton(page).click();
  await expect(notice).toContainText('Price ($): was 14.50, is now 15.50; you typed 11');
  await expect(notice).toContainText('Search keywords: was empty, is now Thornfield');
  await expect(notice).toBeFocused();
  await expect(field(page, 'Title')).toHaveValue('Jane Eyre, an Autobiography');
  await expect(price(page)).toHaveValue('11');
  await expect(field(page, 'Search keywords')).toHaveValue('Thornfield');

  await saveButton(page).click();
  await expect(rowOf(page, 'Jane Eyre, an Autobiography')).toContainText('$11.00');
  await expect(rowOf(page, 'Jane Eyre, an Autobiography')).toContainText('Thornfield');
});

test('a book is added once, even if the response is lost, and found', async ({ page, store, provokes }) => {
  provokes(/400/);
  provokes(/ERR_FAILED/);
  const add = page.getByRole('button', { name: 'Add the book' });
  const added = page.getByText('Added Villette: it is for sale.');
  const fillIn = async () => {
    await page.getByRole('button', { name: 'Add a book' }).click();
    await field(page, 'Title').fill('Villette');
    await field(page, 'Author').fill('Charlotte Brontë');
    await field(page, 'Search keywords').fill('Snowe');
  };
  await openSignedIn(page, books);
  await fillIn();
  await pickCover(page, 'Or upload a picture');
  await expect(page.getByText('Uploaded. Save to keep it.')).toBeVisible();
  await add.click();
  await expect(price(page)).toBeFocused();
  const uploaded = await field(page, 'Address of the image').inputValue();
  await field(page, 'Address of the image').fill('');
  await price(page).fill('9.50');
  await add.click();
  await expect(field(page, 'Address of the image')).toHaveAccessibleDescription(/^Upload a picture below/);
  await field(page, 'Address of the image').fill(uploaded);
  await page.goBack();
  await expect(page.getByText('The new book Villette is not saved yet.')).toBeVisible();
  await continueTyping(page);
  await price(page).fill('9.50');
  await add.click();
  await expect(added).toBeVisible();
  await expect(rowOf(page, 'Villette')).toContainText('$9.50');

  await page.route('**/addBook', loseResponse, { times: 1 });
  await fillIn();
  await price(page).fill('9.50');
  await field(page, 'Address of the image').fill(testImage);
  await add.click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(added).toBeVisible();
  expect(await store.booksNamed('Villette')).toHaveLength(2);
  await page.goto('/?q=snowe');
  await expect(page.getByRole('article')).toHaveText([/Villette/, /Villette/]);
});

test('a picture that the store does not take is refused with its reason, and pasted digits are taken', async ({
  page,
  provokes,
}) => {
  provokes(/400/);
  await openSignedIn(page, books);
  await page.getByRole('button', { name: 'Add a book' }).click();
  const picture = field(page, 'Or upload a picture');
  const pick = (name: string, buffer: Buffer) =>
    picture.setInputFiles({ name, mimeType: 'image/jpeg', buffer });

  await pick('cover.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'));
  await expect(picture).toHaveAccessibleDescription(
    'The picture was not uploaded. The store does not take images of this format. Its format is HEIC: save it as JPEG or PNG.',
  );
  await pick('empty.jpg', Buffer.alloc(0));
  await expect(picture).toHaveAccessibleDescription('The picture was not uploaded. This file is empty.');

  await field(page, 'Title').fill('Villette');
  await field(page, 'Author').fill('Charlotte Brontë');
  await price(page).fill('\u200e9.50');
  await field(page, 'ISBN').fill('\u202a978-0-306-40615-7\u202c');
  await field(page, 'Copies').fill('1.0');
  await field(page, 'Address of the image').fill(testImage);
  await page.getByRole('button', { name: 'Add the book' }).click();
  await expect(page.getByText('Added Villette: it is for sale.')).toBeVisible();
  await expect(rowOf(page, 'Villette')).toContainText('$9.50');
});

test('a change whose response is lost is saved, and is no conflict', async ({ page, store, provokes }) => {
  provokes(/ERR_FAILED|412/);
  await openJaneEyre(page);
  await field(page, 'Title').fill(`${janeEyre.title} `);
  await price(page).fill('12.5');
  await pickCover(page, 'Or upload a picture');
  await expect(page.getByText('Uploaded. Save to keep it.')).toBeVisible();
  await expect(field(page, 'Address of the image')).not.toHaveValue(testImage);
  await page.route('**/book/*', loseResponse, { times: 1 });

  await saveButton(page).click();

  await expect(page.getByText('Saved Jane Eyre: $12.99 → $12.50.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toContainText('$12.50');
  const [book] = await store.booksNamed(janeEyre.title);
  expect(book?.image).toMatch(/^\/images\/[0-9a-f]{32}\.webp$/);
  expect(book?.image).not.toBe(testImage);
});

test('a book may have any id that an import gives it', async ({ page, store }) => {
  for (const id of ['new', 'constructor', '__proto__']) {
    await store.db.updateTable('books').set({ id }).where('title', '=', janeEyre.title).execute();
    await openJaneEyre(page);
    await field(page, 'Search keywords').fill(`keywords of ${id}`);
    await page.reload();
    await saveButton(page).click();
    await expect(rowOf(page, janeEyre.title)).toContainText(`keywords of ${id}`);
  }
});

test('books are found, and a deleted one comes back by Undo or from its list', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await openSignedIn(page, books);
  const edits = page.getByRole('button', { name: /^Edit:/ });
  await expect(edits).toHaveCount(testBooks.length);
  await searchField(page).fill('shelley');
  await expect(edits).toHaveCount(1);
  await searchField(page).fill('qwertz');
  await page.getByRole('button', { name: 'Show all books' }).click();
  await expect(edits).toHaveCount(testBooks.length);

  const deleteJaneEyre = async () => {
    await editButton(page).click();
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await expect(page.getByText('Deleted Jane Eyre.')).toBeVisible();
    await expect(rowOf(page, janeEyre.title)).toHaveCount(0);
    await expect(undoButton(page)).toBeFocused();
  };
  await page.evaluate('scrollTo(0, 0)');
  await deleteJaneEyre();
  await undoButton(page).press('Enter');
  await expect(page.getByText('Restored Jane Eyre: it is for sale again.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
  // The heading is still in view: nothing was scrolled past the row that came back.
  expect(await scrollY(page)).toBe(0);
  await expect(heading(page)).toBeFocused();

  await deleteJaneEyre();
  await field(page, 'Show').selectOption('Deleted');
  await expect(rowOf(page, janeEyre.title)).toContainText(ada.email);
  await page.getByRole('button', { name: `Restore: ${janeEyre.title}` }).press('Enter');
  await expect(page.getByText('No book was deleted.')).toBeVisible();
  await expect(page.getByText('Restored Jane Eyre: it is for sale again.')).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await field(page, 'Show').selectOption('For sale');
  await expect(rowOf(page, janeEyre.title)).toBeVisible();
});

test('no error loses typing, nor does Escape without a question', async ({ page, store, provokes }) => {
  provokes(/400/);
  provokes(/404/);
  await openJaneEyre(page);
  await price(page).fill('twelve');
  await saveButton(page).click();
  await expect(price(page)).toBeFocused();
  await expect(page.getByText('Write an amount with at most two decimals')).toBeVisible();

  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.keyboard.press('Escape');
  await expect(price(page)).toHaveValue('twelve');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(editButton(page)).toBeFocused();

  await editButton(page).click();
  await price(page).fill('1');
  await store.remove(janeEyre.title);
  await saveButton(page).click();
  await expect(page.getByRole('alert')).toHaveText(
    'This book was deleted meanwhile. Restore it to change it.',
  );
  await expect(price(page)).toHaveValue('1');
});
