/** Many books of the desk at once, the price in a row, and the desk's keys. */

import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { rowOf, searchField, undoButton } from './visitor.ts';

const books = deskViewAddress('books');
const mei = { name: 'Mei Lin', email: 'mei@example.com' };
const selectAll = (page: Page) => page.getByRole('checkbox', { name: /^Select all/ });

test('many prices change by a percentage after a preview, and Undo leaves out what was changed since', async ({
  page,
  store,
}) => {
  const [one, two] = testBooks;
  const tenOff = (priceCents: number) => Math.floor((priceCents * 90 + 50) / 100);
  const newPrice = `$${(tenOff(one.priceCents) / 100).toFixed(2)}`;
  // A tenth of five cents is half a cent: that price stays.
  const count = testBooks.filter(({ priceCents }) => tenOff(priceCents) !== priceCents).length;
  await openSignedIn(page, books);
  await selectAll(page).check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Percent (−10 lowers)').fill('-10');
  const preview = page.getByRole('region', { name: 'Preview: Raise or lower price' });
  await expect(preview.getByRole('listitem')).toHaveCount(count);
  await expect(preview).toContainText(`→ ${newPrice}`);
  await page.getByRole('button', { name: `Apply to ${count} books` }).click();
  await expect(page.getByText(`Changed ${count} books.`)).toBeVisible();
  await expect(rowOf(page, one.title)).toContainText(newPrice);

  await store.db
    .updateTable('books')
    .set(({ eb }) => ({ price_cents: 4_321, version: eb('version', '+', 1) }))
    .where('title', '=', two.title)
    .execute();
  await undoButton(page).click();
  await expect(page.getByText('1 book stays as it is: 1 changed meanwhile.')).toBeVisible();
  await expect(rowOf(page, one.title)).toContainText('$12.99');
  await expect(rowOf(page, two.title)).toContainText('$43.21');
});

test('a price is changed in its row, and taken back', async ({ page, provokes }) => {
  provokes(/400 .*\/desk\/api\/books\/change/);
  await openSignedIn(page, books);
  const priceButton = (price: string) =>
    page.getByRole('button', { name: `Price: ${janeEyre.title}, ${price}` });
  const typed = page.getByRole('textbox', { name: `Price of ${janeEyre.title}` });
  await priceButton('$12.99').click();
  await page.keyboard.type('13,37');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('The price was not changed. Write an amount with at most two decimals, such as 12.99.'),
  ).toBeVisible();
  await expect(typed).toHaveValue('13,37');
  await typed.fill('13.37');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Jane Eyre: $12.99 → $13.37.')).toBeVisible();
  await expect(priceButton('$13.37')).toBeFocused();
  // Twice: the first change gave the book another version.
  await priceButton('$13.37').click();
  await page.keyboard.type('14');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Jane Eyre: $13.37 → $14.00.')).toBeVisible();
  await undoButton(page).click();
  await expect(page.getByText('Took back the change of 1 book.')).toBeVisible();
  await expect(priceButton('$13.37')).toBeVisible();
});

test('books are sorted by what was sold, get a subject, and are deleted and restored together', async ({
  page,
  store,
}) => {
  const buyerId = await addBuyer(store.db, mei);
  const [book] = await store.booksNamed(janeEyre.title);
  const sold = { buyerId, buyer: mei, book: { ...janeEyre, id: book?.id ?? '' } };
  for (const placedAt of ['2026-03-02T10:00:00Z', '2026-03-03T10:00:00Z'])
    await addOrder(store.db, { ...sold, placedAt });
  await openSignedIn(page, books);
  const edits = page.getByRole('button', { name: /^Edit:/ });
  const [sorted, row] = [page.locator('th[aria-sort]'), rowOf(page, janeEyre.title)];
  const box = page.getByRole('checkbox', { name: `Select: ${janeEyre.title}` });
  await test.step('the heading of a column sorts, and says so unless a search ranks', async () => {
    await expect(sorted).toHaveText('Added');
    await page.getByRole('link', { name: 'Revenue' }).click();
    await expect(page).toHaveURL(`${books}?sort=revenue`);
    await expect(sorted).toHaveText('Revenue');
    await expect(edits.first()).toHaveAccessibleName(`Edit: ${janeEyre.title}`);
    await expect(row).toContainText('$25.98');
    await expect(row).toContainText('3 Mar 2026');
    await page.goto(`${books}?q=jane`);
    await expect(edits).toHaveCount(1);
    await expect(sorted).toHaveCount(0);
    await page.goto(books);
  });
  await test.step('a subject', async () => {
    await box.check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('Add a subject').check();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Yorkshire');
    await page.getByRole('button', { name: 'Apply to 1 book' }).click();
    await expect(row).toContainText('Yorkshire');
  });
  await test.step('deleted together, one restored', async () => {
    await selectAll(page).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('The catalogue has no books.')).toBeVisible();
    await page.getByLabel('Show').selectOption('Deleted');
    await box.check();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(page.getByText('Jane Eyre: deleted → for sale.')).toBeVisible();
    await page.getByLabel('Show').selectOption('For sale');
    await expect(edits).toHaveCount(1);
  });
});

test('a key leads to the search, where letters are letters, and Ctrl K to any view and book', async ({
  page,
  store,
}) => {
  const buyerId = await addBuyer(store.db, mei);
  for (const placedAt of ['2026-03-02T10:00:00Z', '2026-03-03T10:00:00Z'])
    await addOrder(store.db, { buyerId, buyer: mei, book: { id: 'some-book', ...janeEyre }, placedAt });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await openSignedIn(page, deskViewAddress('orders'));
  const boxes = page.getByRole('checkbox', { name: /^Select: / });
  await expect(boxes).toHaveCount(2);
  await test.step('while one types they are letters', async () => {
    await press('/');
    await expect(searchField(page)).toBeFocused();
    await page.keyboard.type('gb?xjke/');
    await expect(searchField(page)).toHaveValue('gb?xjke/');
    await press('Escape');
    await expect(boxes).toHaveCount(2);
  });
  const field = page.getByRole('combobox', { name: 'A view, a book, an order or a customer' });
  await test.step('Ctrl K leads to any view and book', async () => {
    // Not while one types.
    await boxes.first().focus();
    await press('ControlOrMeta+k');
    await expect(field).toBeFocused();
    await page.keyboard.type('jane');
    await expect(page.getByRole('option')).toHaveCount(3);
    await press('ArrowDown', 'ArrowUp', 'Enter');
    await expect(page).toHaveURL(`${books}?q=jane`);
  });
});
