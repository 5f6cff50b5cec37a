import type { Page } from '@playwright/test';
import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { heading, rowOf, searchField, undoButton } from './visitor.ts';

const books = deskViewAddress('books');

const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select: ${title}` });
const selectAll = (page: Page) => page.getByRole('checkbox', { name: /^Select all/ });
const cents = async (store: { db: Parameters<typeof addBuyer>[0] }, title: string) =>
  (
    await store.db
      .selectFrom('books')
      .select('price_cents')
      .where('title', '=', title)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
  )?.price_cents;

test('many prices change by a percentage after a preview, and Undo leaves out what was changed since', async ({
  page,
  store,
}) => {
  const [one, two] = testBooks;
  if (!one || !two) throw new Error('There are too few test books.');
  const tenOff = (priceCents: number) => Math.floor((priceCents * 90 + 50) / 100);
  // A tenth of five cents is half a cent: that price stays.
  const count = testBooks.filter(({ priceCents }) => tenOff(priceCents) !== priceCents).length;
  await openSignedIn(page, books);
  await selectAll(page).check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Percent (−10 lowers)').fill('-10');
  const preview = page.getByRole('region', { name: 'Preview: Raise or lower price' });
  await expect(preview.getByRole('listitem')).toHaveCount(count);
  await expect(preview).toContainText(`→ $${(tenOff(one.priceCents) / 100).toFixed(2)}`);
  await page.getByRole('button', { name: `Apply to ${count} books` }).click();

  await expect(page.getByText(`Changed ${count} books.`)).toBeVisible();
  await expect(rowOf(page, one.title)).toContainText(`$${(tenOff(one.priceCents) / 100).toFixed(2)}`);
  await store.reprice(two.title, 4_321);
  await store.db
    .updateTable('books')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('title', '=', two.title)
    .execute();
  await undoButton(page).click();
  await expect(page.getByText('1 book stays as it is: 1 changed meanwhile.')).toBeVisible();
  await expect.poll(() => cents(store, one.title)).toBe(one.priceCents);
  expect(await cents(store, two.title)).toBe(4_321);
});

test('a price is changed in its row, and taken back', async ({ page, provokes }) => {
  await openSignedIn(page, books);
  await page.getByRole('button', { name: `Price: ${janeEyre.title}, $12.99` }).click();
  const typed = page.getByRole('textbox', { name: `Price of ${janeEyre.title}` });
  provokes(/400 .*\/desk\/api\/books\/change/);
  await page.keyboard.type('13,37');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('The price was not changed. Write an amount with at most two decimals, such as 12.99.'),
  ).toBeVisible();
  await expect(typed).toHaveValue('13,37');
  await expect(typed).toHaveAttribute('aria-invalid', 'true');
  await typed.fill('13.37');
  await expect(typed).not.toHaveAttribute('aria-invalid');
  await page.keyboard.press('Enter');

  await expect(page.getByText('Jane Eyre: $12.99 → $13.37.')).toBeVisible();
  const price = page.getByRole('button', { name: `Price: ${janeEyre.title}, $13.37` });
  await expect(price).toBeFocused();
  // Twice: the first change gave the book another version.
  await price.click();
  await page.keyboard.type('14');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Jane Eyre: $13.37 → $14.00.')).toBeVisible();
  await undoButton(page).click();
  await expect(page.getByText('Took back the change of 1 book.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toContainText('$13.37');
});

test('a saved edit is taken back with Undo', async ({ page }) => {
  await openSignedIn(page, books);
  await page.getByRole('button', { name: `Edit: ${janeEyre.title}` }).click();
  await page.getByLabel('Price ($)').fill('1.50');
  await page.getByLabel('Search keywords').fill('Thornfield');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved Jane Eyre: $12.99 → $1.50.')).toBeVisible();

  await undoButton(page).click();

  await expect(page.getByText('Jane Eyre is as it was before.')).toBeVisible();
  await expect(rowOf(page, janeEyre.title)).toContainText('$12.99');
  await expect(rowOf(page, janeEyre.title)).not.toContainText('Thornfield');
});

test('the heading of a column says that the books are sorted by it when they are', async ({ page }) => {
  await openSignedIn(page, books);
  const sorted = page.locator('th[aria-sort]');
  await expect(sorted).toHaveText('Added');
  await page.getByRole('searchbox', { name: 'Search' }).fill('jane');
  await expect(page.getByRole('button', { name: /^Edit:/ })).toHaveCount(1);

  await expect(sorted).toHaveCount(0);
  await page.getByRole('link', { name: 'Added' }).click();
  await expect(sorted).toHaveText('Added');
  await expect(page.getByLabel('Sort by')).toHaveValue('newest');
});

test('books are sorted by what was sold, get a subject, and are deleted and restored together', async ({
  page,
  store,
}) => {
  const buyer = { name: 'Mei Lin', email: 'mei@example.com' };
  const buyerId = await addBuyer(store.db, buyer);
  const [book] = await store.booksNamed(janeEyre.title);
  const sold = { ...janeEyre, id: book?.id ?? '' };
  for (const placedAt of ['2026-03-02T10:00:00Z', '2026-03-03T10:00:00Z']) {
    await addOrder(store.db, { buyerId, buyer, book: sold, placedAt });
  }
  await openSignedIn(page, books);
  const titles = page.getByRole('button', { name: /^Edit:/ });
  await expect(titles).toHaveCount(testBooks.length);
  await page.getByRole('link', { name: 'Revenue' }).click();
  await expect(page).toHaveURL(`${books}?sort=revenue`);
  await expect(page.getByRole('columnheader', { name: 'Revenue' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect(titles.first()).toHaveAccessibleName(`Edit: ${janeEyre.title}`);
  await expect(rowOf(page, janeEyre.title)).toContainText('$25.98');
  await expect(rowOf(page, janeEyre.title)).toContainText('3 Mar 2026');

  await box(page, janeEyre.title).check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Add a subject').check();
  await page.getByRole('textbox', { name: 'Subject' }).fill('Yorkshire');
  await page.getByRole('button', { name: 'Apply to 1 book' }).click();
  await expect(rowOf(page, janeEyre.title)).toContainText('Yorkshire');

  await selectAll(page).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('The catalogue has no books.')).toBeVisible();
  await page.getByLabel('Show').selectOption('Deleted');
  await box(page, janeEyre.title).check();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByText('Jane Eyre: deleted → for sale.')).toBeVisible();
  await page.getByLabel('Show').selectOption('For sale');
  await expect(titles).toHaveCount(1);
});

test('a book of a title and an author that the shop has is told before it is added', async ({ page }) => {
  await openSignedIn(page, books);
  await page.getByRole('button', { name: 'Add a book' }).click();
  await page.getByLabel('Title').fill(' jane  EYRE');
  await page.getByLabel('Author').fill(janeEyre.author.toUpperCase());

  await page.getByRole('link', { name: 'edit Jane Eyre' }).click();

  await expect(page.getByRole('dialog', { name: 'Edit book' }).getByLabel('Title')).toHaveValue('Jane Eyre');
});

test('keys move through the rows and the views, and none acts while one types', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/ERR_INTERNET_DISCONNECTED/);
  const buyer = { name: 'Mei Lin', email: 'mei@example.com' };
  const buyerId = await addBuyer(store.db, buyer);
  for (const placedAt of ['2026-03-02T10:00:00Z', '2026-03-03T10:00:00Z']) {
    await addOrder(store.db, { buyerId, buyer, book: { id: 'some-book', ...janeEyre }, placedAt });
  }
  await openSignedIn(page, '/desk');
  await expect(page.getByRole('table', { name: 'The last orders' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(deskViewAddress('orders'));
  const boxes = page.getByRole('checkbox', { name: /^Select: / });
  await expect(boxes).toHaveCount(2);

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(boxes.nth(1)).toBeChecked();
  await page.keyboard.press('k');
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog', { name: 'Order' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page).toHaveURL(/orders\?order=/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type('gb?xjke/');
  await expect(searchField(page)).toHaveValue('gb?xjke/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(boxes).toHaveCount(2);
  await boxes.first().focus();

  // Without a connection nothing opens, and the view stays.
  await page.context().setOffline(true);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('key-list'));
  await page.keyboard.press('?');
  await failed;
  await expect(heading(page)).toBeVisible();
  await page.context().setOffline(false);
  // Axe cannot read a page with a style that did not arrive.
  await page.reload();
  await expect(boxes).toHaveCount(2);

  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: 'A view, a book, an order or a customer' });
  await expect(field).toBeFocused();
  await page.keyboard.type('jane');
  await expect(page.getByRole('option')).toHaveCount(3);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${books}?q=jane`);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('Select the row');
  await page.getByLabel('Single letters act').uncheck();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.keyboard.press('/');
  await expect(searchField(page)).not.toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(field).toBeFocused();
});
