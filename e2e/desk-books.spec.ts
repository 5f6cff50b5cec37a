/** The books of the desk: one is added, changed, deleted and restored, and no fault loses what was typed. */

import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { paths } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { loseResponse } from './requests.ts';
import { ada, openSignedIn, signIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre, testImage } from './test-books.ts';
import { heading, pickCover, rowOf, searchField, tabTo, undoButton } from './visitor.ts';

const books = deskViewAddress('books');

const editButton = (page: Page) => page.getByRole('button', { name: `Edit: ${janeEyre.title}` });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const field = (page: Page, name: string) => page.getByLabel(name);
const price = (page: Page) => field(page, 'Price ($)');
const rowOfJane = (page: Page) => rowOf(page, janeEyre.title);

async function openJaneEyre(page: Page): Promise<void> {
  await openSignedIn(page, books);
  await editButton(page).click();
  await expect(field(page, 'Title')).toHaveValue(janeEyre.title);
}

/** Changes the book as another admin does. */
async function changeElsewhere(page: Page, store: Store, data: object): Promise<void> {
  const [book] = await store.booksNamed(janeEyre.title);
  const headers = { 'if-match': '*' };
  const response = await page.request.patch(paths.book(book?.id ?? ''), { data, headers });
  expect(response.status()).toBe(200);
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
  await expect(rowOfJane(page)).toContainText('Currer Bell');
  const shop = await page.context().newPage();
  await shop.goto('/?q=currer');
  await expect(shop.getByRole('article')).toContainText('$9.95');
  await shop.close();

  await undoButton(page).click();
  await expect(page.getByText('Jane Eyre is as it was before.')).toBeVisible();
  await expect(rowOfJane(page)).toContainText('$12.99');
  await expect(rowOfJane(page)).not.toContainText('Currer Bell');
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
  await saveButton(page).click();
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
  await expect(field(page, 'Description')).toHaveValue('A clean copy.\n\nSigned.');
});

test('the camera reads the ISBN, is off afterwards, and says why it fails', async ({ page }) => {
  // Its picture is black, and the detector sees the barcode of the price first.
  await page.addInitScript(`
    navigator.mediaDevices.getUserMedia = async () => {
      if (window.refusal) throw new DOMException('', window.refusal);
      const canvas = document.createElement('canvas');
      canvas.getContext('2d').fillRect(0, 0, 300, 150);
      const stream = canvas.captureStream(5);
      window.camera = stream.getTracks()[0];
      return stream;
    };
    const seen = [[], [{ rawValue: '4006381333931' }], [{ rawValue: '9780141441146' }]];
    window.BarcodeDetector = class {
      async detect() {
        return seen.shift() ?? [];
      }
    };
  `);
  const scan = () => page.getByRole('button', { name: 'Scan with the camera' }).click();
  const expectCamera = (state: 'live' | 'ended') =>
    expect.poll(() => page.evaluate('window.camera?.readyState')).toBe(state);
  await openJaneEyre(page);
  await test.step('it is off when the form is closed', async () => {
    await scan();
    await expectCamera('live');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expectCamera('ended');
  });
  await test.step('one that is refused says so', async () => {
    await editButton(page).click();
    await page.evaluate(`window.refusal = 'NotAllowedError'`);
    await scan();
    await expect(page.getByText('does not let this page use the camera')).toBeVisible();
  });
});

test('typing outlasts Back, a reload, the session, errors and Escape, whatever id the book has', async ({
  page,
  context,
  store,
  provokes,
}) => {
  provokes(/40[014]/);
  // An import may give it.
  await store.db.updateTable('books').set({ id: '__proto__' }).where('title', '=', janeEyre.title).execute();
  await openJaneEyre(page);
  await test.step('Back', async () => {
    await price(page).fill('11');
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('Jane Eyre is not saved yet.')).toBeVisible();
    await expect(editButton(page)).toBeFocused();
    await page.getByRole('button', { name: 'Continue' }).click();
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
    await expect(rowOfJane(page)).toContainText('$11.00');
    await expect(page).toHaveURL(books);
    await page.reload();
    await expect(page.getByText('is not saved yet')).toHaveCount(0);
  });
  await test.step('an error, and Escape', async () => {
    await editButton(page).click();
    await price(page).fill('twelve');
    await saveButton(page).click();
    await expect(price(page)).toBeFocused();
    await expect(page.getByText('Write an amount with at most two decimals')).toBeVisible();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.keyboard.press('Escape');
    await expect(price(page)).toHaveValue('twelve');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(editButton(page)).toBeFocused();
  });
  await test.step('a deletion', async () => {
    await editButton(page).click();
    await price(page).fill('1');
    await store.remove(janeEyre.title);
    await saveButton(page).click();
    const notice = 'This book was deleted meanwhile. Restore it to change it.';
    await expect(page.getByRole('alert')).toHaveText(notice);
    await expect(price(page)).toHaveValue('1');
  });
});

test('two editors do not overwrite each other, and a change whose response is lost is no conflict', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/412/);
  provokes(/ERR_FAILED/);
  const notice = page.getByRole('alert');
  await openJaneEyre(page);
  await price(page).fill('11');
  await changeElsewhere(page, store, { price: { value: '15.50' }, keywords: 'Thornfield' });
  await saveButton(page).click();
  await expect(notice).toContainText('Price ($): was 12.99, is now 15.50; you typed 11');
  await expect(notice).toContainText('Search keywords: was empty, is now Thornfield');
  await expect(notice).toBeFocused();
  await expect(price(page)).toHaveValue('11');
  await expect(field(page, 'Search keywords')).toHaveValue('Thornfield');
  await saveButton(page).click();
  await expect(rowOfJane(page)).toContainText('$11.00');
  await expect(rowOfJane(page)).toContainText('Thornfield');

  await test.step('a lost response', async () => {
    await editButton(page).click();
    await price(page).fill('12.5');
    await pickCover(page, 'Or upload a picture');
    await expect(page.getByText('Uploaded. Save to keep it.')).toBeVisible();
    await page.route('**/book/*', loseResponse, { times: 1 });
    await saveButton(page).click();
    await expect(page.getByText('Saved Jane Eyre: $11.00 → $12.50.')).toBeVisible();
    const [book] = await store.booksNamed(janeEyre.title);
    expect(book?.image).toMatch(/^\/images\/[0-9a-f]{32}\.webp$/);
    expect(book?.image).not.toBe(testImage);
  });
});

test('a book is added once, even if the response is lost, and wrong fields and pictures say why', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/400/);
  provokes(/ERR_FAILED/);
  const add = page.getByRole('button', { name: 'Add the book' });
  const added = page.getByText('Added Villette: it is for sale.');
  const picture = field(page, 'Or upload a picture');
  const address = field(page, 'Address of the image');
  await openSignedIn(page, books);
  const fillIn = async () => {
    await page.getByRole('button', { name: 'Add a book' }).click();
    await field(page, 'Title').fill('Villette');
    await field(page, 'Author').fill('Charlotte Brontë');
  };
  await fillIn();
  await test.step('a file that is no picture', async () => {
    const buffer = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    await picture.setInputFiles({ name: 'cover.heic', mimeType: 'image/jpeg', buffer });
    await expect(picture).toHaveAccessibleDescription(
      'The picture was not uploaded. The store does not take images of this format. Its format is HEIC: save it as JPEG or PNG.',
    );
  });
  await test.step('no price, then no picture', async () => {
    await pickCover(page, 'Or upload a picture');
    await expect(page.getByText('Uploaded. Save to keep it.')).toBeVisible();
    await add.click();
    await expect(price(page)).toBeFocused();
    const uploaded = await address.inputValue();
    await address.fill('');
    // As it is pasted from other programs.
    await price(page).fill('\u200e9.50');
    await add.click();
    await expect(address).toHaveAccessibleDescription(/^Upload a picture below/);
    await address.fill(uploaded);
    await add.click();
    await expect(added).toBeVisible();
    await expect(rowOf(page, 'Villette')).toContainText('$9.50');
  });
  await test.step('one whose title and author the shop has is told before it is added', async () => {
    await fillIn();
    await field(page, 'Title').fill(' jane  EYRE');
    await page.getByRole('link', { name: 'edit Jane Eyre' }).click();
    await expect(page.getByRole('dialog', { name: 'Edit book' }).getByLabel('Title')).toHaveValue(
      'Jane Eyre',
    );
    await page.goto(books);
  });
  await test.step('a lost response', async () => {
    await page.getByRole('button', { name: 'Add a book' }).click();
    await field(page, 'Title').fill('Shirley');
    await field(page, 'Author').fill('Charlotte Brontë');
    await price(page).fill('9.50');
    await address.fill(testImage);
    await page.route('**/addBook', loseResponse, { times: 1 });
    await add.click();
    await expect(page.getByText('Added Shirley: it is for sale.')).toBeVisible();
    expect(await store.booksNamed('Shirley')).toHaveLength(1);
  });
});

test('a deleted book comes back by Undo or from its list', async ({ page }) => {
  await openSignedIn(page, books);
  const restored = page.getByText('Restored Jane Eyre: it is for sale again.');
  const deleteJaneEyre = async () => {
    await editButton(page).click();
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await expect(page.getByText('Deleted Jane Eyre.')).toBeVisible();
    await expect(undoButton(page)).toBeFocused();
  };
  await test.step('Undo', async () => {
    await deleteJaneEyre();
    await undoButton(page).press('Enter');
    await expect(restored).toBeVisible();
    await expect(rowOfJane(page)).toBeVisible();
    await expect(heading(page)).toBeFocused();
  });
  await test.step('the list of deleted books', async () => {
    await deleteJaneEyre();
    await field(page, 'Show').selectOption('Deleted');
    await expect(rowOfJane(page)).toContainText(ada.email);
    await page.getByRole('button', { name: `Restore: ${janeEyre.title}` }).press('Enter');
    await expect(page.getByText('No book was deleted.')).toBeVisible();
    await expect(restored).toBeVisible();
    await field(page, 'Show').selectOption('For sale');
    await expect(rowOfJane(page)).toBeVisible();
  });
});
