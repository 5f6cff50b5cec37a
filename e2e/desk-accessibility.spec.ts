/** The desk, in each state that shows other parts, is accessible on wide and narrow screens, light and dark. */

import { deskPaths, deskViewAddress } from '../contract/desk/paths.ts';
import { commandActor, recordActivity } from '../server/activity/activity.ts';
import { withdrawForShop } from '../server/orders/acts/withdraw-order.ts';
import { about, shopOf } from '../server/testing/acts.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { changeBook, frankenstein, janeEyre, testBooks } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { pickCover, rowOf } from './visitor.ts';

const [orders, books] = [deskViewAddress('orders'), deskViewAddress('books')];
const { title } = janeEyre;
const image = 'https://covers.example/a.jpg';

/**
 * Adds three orders: of a book that was sent and withdrawn, of one whose address was corrected, and of one that has no address.
 * @returns the id of the second.
 */
async function addOrders({ db }: Store, buyer: { name: string; email: string }): Promise<string> {
  const buyerId = await addBuyer(db, buyer);
  const ids: string[] = [];
  for (const [index, book] of testBooks.slice(0, 3).entries()) {
    const placedAt = `2025-10-0${index + 1}T10:00:00Z`;
    const to = index < 2 && { deliveryAddress: '2 Pearl Street' };
    ids.push(await addOrder(db, { buyerId, buyer, book: { id: 'some-book', ...book }, placedAt, ...to }));
  }
  const [withdrawn = '', corrected = ''] = ids;
  await db.updateTable('orders').set({ sent_at: 1 }).where('id', '=', withdrawn).execute();
  await withdrawForShop.run(shopOf(db), about(withdrawn, { reason: 'Too long.' }));
  await db.updateTable('orders').set({ address_corrected_at: 1 }).where('id', '=', corrected).execute();
  return corrected;
}

test('accessible: orders, customers, sales and mail of the desk', async ({ page, store, provokes }) => {
  provokes(/400 .*\/desk\/api\/orders/);
  const lookAt = async (address: string, text: string) => {
    await page.goto(address);
    await page.getByText(text).first().waitFor();
    await expectAccessible(page, address);
  };
  await openSignedIn(page, orders);
  await page.getByText('No orders yet.').waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'A view, a book, an order or a customer' }).fill('jane');
  await page.getByRole('option').first().waitFor();
  await expectAccessible(page, 'no orders, and any view and book found by a key');

  const mei = { name: 'Mei Lin', email: `mei-${crypto.randomUUID()}@example.com` };
  const id = await addOrders(store, mei);
  await lookAt('/desk', 'To refund');
  await page.goto(`${orders}?state=new&q=meilin`);
  await page.getByRole('checkbox', { name: /^Select all/ }).check();
  await page.getByRole('button', { name: 'Mark as sent' }).waitFor();
  await expectAccessible(page, 'orders to send that are like those of a misspelt search, all selected');
  await lookAt(`${orders}?from=2026-03-02&to=2026-03-01`, 'To day: Must not be before the first day.');
  await page.goto(orders);
  for (const name of ['Refunded', 'Returned']) {
    await page.getByLabel(`${name}: ${title}`).click();
    await expect(page.getByLabel(`${name}: ${title}`)).toBeChecked();
  }
  await page
    .getByRole('button', { name: /^Cancel the order: / })
    .first()
    .click();
  await page.getByLabel('Reason (optional)').waitFor();
  await expectAccessible(page, 'orders, one of them settled, one with the form to cancel it');
  await lookAt(`${orders}?packing=yes&state=new`, 'No address yet');

  await page.goto(`${orders}?order=${id}`);
  const panel = page.getByRole('dialog', { name: 'Order' });
  await panel.getByLabel('Private note').fill('Wrap it.');
  await panel.getByRole('button', { name: 'Save note' }).click();
  await panel.getByText(/^Added a note to an order, by ada@/).waitFor();
  await expectAccessible(page, 'an order with its history and a note');
  await lookAt(`${deskViewAddress('sales')}?by=week&from=2025-10-01&to=2025-10-31`, 'Previous, ');
  await page.goto(deskViewAddress('mail'));
  await page
    .getByRole('button', { name: /^Read:/ })
    .first()
    .click();
  await page.getByRole('region', { name: 'Notice to the shop' }).waitFor();
  await expectAccessible(page, 'the messages of an order');

  await lookAt(deskViewAddress('customers'), 'Best');
  await page.goto(`${deskViewAddress('customers')}?q=${mei.email}`);
  await page.getByRole('button', { name: `Open: ${mei.email}` }).click();
  const customer = page.getByRole('dialog', { name: mei.name });
  await customer.getByRole('listitem').first().waitFor();
  await customer.getByRole('button', { name: 'Block', exact: true }).click();
  await customer.getByRole('status').filter({ hasText: 'Blocked' }).waitFor();
  await customer.getByText('Erase this customer').click();
  await customer.getByLabel('Type the e-mail to confirm').fill('somebody@example.com');
  await customer.getByRole('button', { name: 'Erase for good' }).click();
  await customer.getByText(`Type ${mei.email} as it is.`).waitFor();
  await expectAccessible(page, 'a customer who is blocked, and not erased for another e-mail');
});

test('accessible: the books of the desk', async ({ page, store, provokes }) => {
  provokes(/400 .*\/book\//);
  provokes(/400 .*\/addBook/);
  provokes(/412/);
  await page.addInitScript(`
    const canvas = document.createElement('canvas');
    canvas.getContext('2d').fillRect(0, 0, 300, 150);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(5);
    window.BarcodeDetector = class { detect = async () => []; };
  `);
  const save = () => page.getByRole('button', { name: 'Save changes' }).click();
  const invalid = (field: string) =>
    page.getByLabel(field).and(page.locator('[aria-invalid="true"]')).waitFor();
  for (const one of ['Frankenstien', 'Frankenstein 2', 'Frankenstein 3']) await store.addBook({ title: one });
  const [book] = await store.booksNamed(title);
  const id = book?.id ?? '';
  await store.db.updateTable('books').set({ front_table_at: 1 }).where('id', '=', id).execute();
  await openSignedIn(page, `${books}?q=frankenstien`);
  await page.getByText('Also: frankenstein (3)').first().waitFor();
  await expectAccessible(page, 'books of a search that finds little');

  await store.addBook({ title: 'Emma', copies: 1 });
  await page.goto(books);
  await page.getByRole('button', { name: 'Sold elsewhere: Emma' }).click();
  await page.getByText('Emma: 1 → 0 copies.').waitFor();
  await page.getByRole('button', { name: `Price: ${title}, $12.99` }).click();
  await page.getByRole('textbox', { name: `Price of ${title}` }).waitFor();
  await expectAccessible(page, 'books, one of them sold out, one with the field of its price');
  await page.reload();
  await page.getByRole('checkbox', { name: /^Select all/ }).check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Percent (−10 lowers)').fill('-10');
  await page
    .getByRole('region', { name: 'Preview: Raise or lower price' })
    .getByRole('listitem')
    .first()
    .waitFor();
  await expectAccessible(page, 'the preview of a change of many books');
  await page.reload();
  await page.getByRole('button', { name: 'Front table' }).click();
  await page.getByRole('list', { name: 'Books on the front table' }).getByText(title).waitFor();
  await expectAccessible(page, 'the front table');

  await page.goto(books);
  await page.getByRole('button', { name: `Edit: ${title}` }).click();
  await page.getByLabel('ISBN').fill('978-0-14-144114-7');
  await save();
  await invalid('ISBN');
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await page.getByRole('button', { name: 'Stop the camera' }).waitFor();
  await expectAccessible(page, 'a book with a wrong ISBN, and the camera to scan it');
  await page.getByRole('button', { name: 'Stop the camera' }).click();
  await changeBook(store.db, id, { keywords: 'Thornfield', priceCents: 1550 });
  await page.getByLabel('ISBN').fill('');
  await page.getByLabel('Price ($)').fill('11');
  await save();
  await page.getByText('Search keywords: was empty, is now Thornfield').waitFor();
  await expectAccessible(page, 'a book that somebody else has changed');
  await save();
  await page.getByRole('button', { name: 'Add a book' }).click();
  for (const field of ['Title', 'Author']) await page.getByLabel(field).fill('Villette');
  await pickCover(page, 'Or upload a picture');
  await page.getByText('Uploaded. Save to keep it.').waitFor();
  await page.getByRole('button', { name: 'Add the book' }).click();
  await invalid('Price ($)');
  await expectAccessible(page, 'a new book with a picture and without a price');
  await page.request.delete(`/deleteBook/${id}`);
  await page.goto(`${books}?state=deleted`);
  await rowOf(page, title).getByText(ada.email).waitFor();
  await expectAccessible(page, 'the deleted books');
});

test('accessible: imports and the activity of the desk', async ({ page, store, provokes }) => {
  provokes(/ERR_FAILED/);
  await page.route('https://covers.example/**', (route) => route.abort());
  const chooseFile = async (...lines: string[]) => {
    const buffer = Buffer.from(['title,author,price,image', ...lines].join('\r\n'));
    await page.getByLabel('CSV file').setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer });
  };
  const details = { state: 'stopped', line: 1234 };
  await recordActivity(store.db, 'books-imported', commandActor, { details });
  await store.remove(frankenstein.title);
  await openSignedIn(page, deskViewAddress('import'));
  await page.getByText('was stopped at line 1,234.').first().waitFor();
  await chooseFile(
    `${title},${janeEyre.author},13.25,${image}`,
    `${title.toUpperCase()},${janeEyre.author},12.50,${image}`,
    `"${frankenstein.title}",${frankenstein.author},12.50,${image}`,
    `Shirley,Charlotte Brontë,twelve,${image}`,
  );
  for (const name of ['Errors in the file', 'Changes of books', 'Books that are spelled like others'])
    await page.getByRole('table', { name }).waitFor();
  await page.getByRole('listitem').getByText('for sale again').waitFor();
  await expectAccessible(page, 'the place where an import was stopped, and a file that was checked');
  await chooseFile(`Villette,Charlotte Brontë,9,${image}`);
  const importButton = page.getByRole('button', { name: 'Import 1 book' });
  await importButton.waitFor();
  await page.route(`**${deskPaths.booksImport}?*`, (route) => route.abort());
  await importButton.click();
  await page.getByText('The import did not end.').waitFor();
  await expectAccessible(page, 'import that failed');

  const actor = { customerId: 'some-id', email: ada.email, address: '192.0.2.7' };
  const change = { fields: 'price', oldPrice: 12.99, newPrice: 10.99 };
  const book = { id: '1', title: 'The Trail' };
  await recordActivity(store.db, 'book-edited', actor, { book, details: change });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${deskViewAddress('activity')}?action=book-edited`);
  await page.getByText('Price $12.99 → $10.99').first().waitFor();
  await page.getByRole('button', { name: 'Filters (1)' }).press('Enter');
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await page.getByRole('link', { name: 'Shop' }).waitFor();
  await expectAccessible(page, 'activity, with filters and the menu of a phone');
});
