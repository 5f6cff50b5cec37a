/** The states of the desk that accessibility.spec.ts looks at, and how to open each. */

import type { Page } from '@playwright/test';
import type { DeskMail, DeskMails } from '../contract/desk/mail.ts';
import { deskPaths, deskViewAddress } from '../contract/desk/paths.ts';
import type { DeskWebhooks } from '../contract/desk/webhooks.ts';
import { commandActor, recordActivity } from '../server/activity/activity.ts';
import { withdrawForShop } from '../server/orders/acts/withdraw-order.ts';
import { about, shopOf } from '../server/testing/acts.ts';
import { expect } from './fixtures.ts';
import { adaAt, type States } from './shop-states.ts';
import { ada, jun, openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { changeBook, frankenstein, janeEyre, testBooks } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { deleteButton, pickCover, rowOf, undoButton } from './visitor.ts';

const [orders, books, mail] = [deskViewAddress('orders'), deskViewAddress('books'), deskViewAddress('mail')];
const { title } = janeEyre;
const buyer = { name: 'Mei Lin', email: 'mei@example.com' };
const image = 'https://covers.example/a.jpg';

/**
 * Adds three orders: of a book that was sent and withdrawn, of one whose address was corrected, and of one that has no address.
 * @returns their ids.
 */
async function addOrders({ db }: Store): Promise<string[]> {
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
  return ids;
}

/** A state that an address shows when there are those orders. */
const withOrders =
  (address: string, text: string): States[string] =>
  async (opening) => {
    await addOrders(opening.store);
    return await adaAt(address, text)(opening);
  };

/** Opens the form of a book. */
async function openEdit(page: Page): Promise<void> {
  await openSignedIn(page, books);
  await page.getByRole('button', { name: `Edit: ${title}` }).click();
  await page.getByLabel('Price ($)').waitFor();
}
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();
const invalid = (page: Page, field: string) =>
  page.getByLabel(field).and(page.locator('[aria-invalid="true"]')).waitFor();

/** Chooses a file on the view for imports. */
async function chooseFile(page: Page, ...lines: string[]): Promise<void> {
  await page.route('https://covers.example/**', (route) => route.abort());
  await openSignedIn(page, deskViewAddress('import'));
  const buffer = Buffer.from(['title,author,price,image', ...lines].join('\r\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer });
}

const [at, error] = ['2026-03-02T10:00:00.000Z', 'The server answers with 550.'];
const failed = { _id: 'some-id', state: 'given-up', attempts: 41, nextAttemptAt: null, error } as const;
const message: DeskMail = {
  ...{ ...failed, to: buyer.email, subject: 'Your order: Sult', placedAt: at },
  ...{ receiptSentAt: null, noticeSentAt: null, acknowledgementSentAt: null, withdrawalNoticeSentAt: null },
};
/** The mail of a shop that sends it: the demo does not. */
const mails: DeskMails = {
  mode: 'sent',
  messages: [message, { ...message, _id: 'another-id', state: 'unverified', error: null }],
};
const event = {
  type: 'order.placed',
  orderId: 'some-order',
  title: 'Sult',
  createdAt: at,
  deliveredAt: null,
} as const;
const webhooks: DeskWebhooks = { mode: 'sent', events: [{ ...failed, ...event }] };

export const deskStates: States = {
  'desk of an account that may not use it': async ({ page, provokes }) => {
    provokes(/403 .*\/desk\/api\//);
    await openSignedIn(page, deskViewAddress('activity'), jun);
    await page.getByText('You are signed in as jun@example.com.').waitFor();
  },
  today: withOrders('/desk', 'To refund'),
  'any view and book, found by a key': async ({ page }) => {
    await openSignedIn(page, '/desk');
    await page.getByText('No orders yet.').waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'A view, a book, an order or a customer' }).fill('jane');
    await page.getByRole('option').first().waitFor();
  },
  'the list of keys': async ({ page }) => {
    await openSignedIn(page, '/desk');
    await page.getByText('No orders yet.').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  },
  'desk without an order': adaAt(orders, 'No orders yet.'),
  'orders to send that are like those of a misspelt search, all selected': async (opening) => {
    await withOrders(`${orders}?state=new&q=meilin`, 'Nothing matches “meilin”.')(opening);
    await opening.page.getByRole('checkbox', { name: /^Select all/ }).check();
    await opening.page.getByRole('button', { name: 'Mark as sent' }).waitFor();
  },
  'orders of a day that cannot be': async (opening) => {
    opening.provokes(/400 .*\/desk\/api\/orders/);
    await adaAt(
      `${orders}?from=2026-03-02&to=2026-03-01`,
      'To day: Must not be before the first day.',
    )(opening);
  },
  'orders, one of them settled, one with the form to cancel it': async (opening) => {
    await withOrders(orders, 'Too long.')(opening);
    const { page } = opening;
    for (const name of ['Refunded', 'Returned']) {
      await page.getByLabel(`${name}: ${title}`).click();
      await expect(page.getByLabel(`${name}: ${title}`)).toBeChecked();
    }
    await page
      .getByRole('button', { name: /^Cancel the order: / })
      .first()
      .click();
    await page.getByLabel('Reason (optional)').waitFor();
  },
  'the packing list': withOrders(`${orders}?packing=yes&state=new`, 'No address yet'),
  'an order with its history and a note': async ({ page, store }) => {
    const [, id] = await addOrders(store);
    await openSignedIn(page, `${orders}?order=${id}`);
    const panel = page.getByRole('dialog', { name: 'Order' });
    await panel.getByLabel('Private note').fill('Wrap it.');
    await panel.getByRole('button', { name: 'Save note' }).click();
    await panel.getByText(/^Added a note to an order, by ada@/).waitFor();
  },
  'books of a search that finds little': async (opening) => {
    const titles = ['Frankenstien', 'Frankenstein 2', 'Frankenstein 3'];
    for (const one of titles) await opening.store.addBook({ title: one });
    await adaAt(`${books}?q=frankenstien`, 'Also: frankenstein (3)')(opening);
  },
  'books, one of them sold out, one with the field of its price': async ({ page, store }) => {
    await store.addBook({ title: 'Emma', copies: 1 });
    await openSignedIn(page, books);
    await page.getByRole('button', { name: 'Sold elsewhere: Emma' }).click();
    await page.getByText('Emma: 1 → 0 copies.').waitFor();
    await page.getByRole('button', { name: `Price: ${title}, $12.99` }).click();
    await page.getByRole('textbox', { name: `Price of ${title}` }).waitFor();
  },
  'the deleted books': async ({ page }) => {
    await openSignedIn(page, '/admin');
    await deleteButton(page).click();
    await undoButton(page).waitFor();
    await page.goto(`${books}?state=deleted`);
    await rowOf(page, title).getByText(ada.email).waitFor();
  },
  'a book with a wrong ISBN, and the camera to scan it': async ({ page, provokes }) => {
    provokes(/400 .*\/book\//);
    await page.addInitScript(`
      const canvas = document.createElement('canvas');
      canvas.getContext('2d').fillRect(0, 0, 300, 150);
      navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(5);
      window.BarcodeDetector = class { detect = async () => []; };
    `);
    await openEdit(page);
    await page.getByLabel('ISBN').fill('978-0-14-144114-7');
    await save(page);
    await invalid(page, 'ISBN');
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await page.getByRole('button', { name: 'Stop the camera' }).waitFor();
  },
  'a book that somebody else has changed': async ({ page, store, provokes }) => {
    provokes(/412/);
    await openEdit(page);
    const [book] = await store.booksNamed(title);
    await changeBook(store.db, book?.id ?? '', { keywords: 'Thornfield', priceCents: 1550 });
    await page.getByLabel('Price ($)').fill('11');
    await save(page);
    await page.getByText('Search keywords: was empty, is now Thornfield').waitFor();
  },
  'a new book with a picture and without a price': async ({ page, provokes }) => {
    provokes(/400/);
    await openSignedIn(page, books);
    await page.getByRole('button', { name: 'Add a book' }).click();
    for (const field of ['Title', 'Author']) await page.getByLabel(field).fill('Villette');
    await pickCover(page, 'Or upload a picture');
    await page.getByText('Uploaded. Save to keep it.').waitFor();
    await page.getByRole('button', { name: 'Add the book' }).click();
    await invalid(page, 'Price ($)');
  },
  'the preview of a change of many books': async ({ page }) => {
    await openSignedIn(page, books);
    await page.getByRole('checkbox', { name: /^Select all/ }).check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('Percent (−10 lowers)').fill('-10');
    await page
      .getByRole('region', { name: 'Preview: Raise or lower price' })
      .getByRole('listitem')
      .first()
      .waitFor();
  },
  'the front table': async ({ page, store }) => {
    await store.db.updateTable('books').set({ front_table_at: 1 }).where('title', '=', title).execute();
    await openSignedIn(page, books);
    await page.getByRole('button', { name: 'Front table' }).click();
    await page.getByRole('list', { name: 'Books on the front table' }).getByText(title).waitFor();
  },
  'the newest and the best customers': withOrders(deskViewAddress('customers'), 'Best'),
  'a customer who is blocked, and not erased for another e-mail': async ({ page, store: { db } }) => {
    const mei = { ...buyer, email: `mei-${crypto.randomUUID()}@example.com` };
    const order = { book: { id: 'some-book', ...janeEyre }, placedAt: '2026-03-02T10:00:00Z' };
    await addOrder(db, { buyerId: await addBuyer(db, mei), buyer: mei, ...order });
    await openSignedIn(page, `${deskViewAddress('customers')}?q=${mei.email}`);
    await page.getByRole('button', { name: `Open: ${mei.email}` }).click();
    const panel = page.getByRole('dialog', { name: mei.name });
    await panel.getByRole('listitem').first().waitFor();
    await panel.getByRole('button', { name: 'Block', exact: true }).click();
    await panel.getByRole('status').filter({ hasText: 'Blocked' }).waitFor();
    await panel.getByText('Erase this customer').click();
    await panel.getByLabel('Type the e-mail to confirm').fill('somebody@example.com');
    await panel.getByRole('button', { name: 'Erase for good' }).click();
    await panel.getByText(`Type ${mei.email} as it is.`).waitFor();
  },
  'import, with the place where the last one was stopped': async (opening) => {
    const details = { state: 'stopped', line: 1234 };
    await recordActivity(opening.store.db, 'books-imported', commandActor, { details });
    await adaAt(deskViewAddress('import'), 'was stopped at line 1,234.')(opening);
  },
  'import of a file that was checked': async ({ page, store }) => {
    await store.remove(frankenstein.title);
    await chooseFile(
      page,
      `${title},${janeEyre.author},13.25,${image}`,
      `${title.toUpperCase()},${janeEyre.author},12.50,${image}`,
      `"${frankenstein.title}",${frankenstein.author},12.50,${image}`,
      `Shirley,Charlotte Brontë,twelve,${image}`,
    );
    for (const name of ['Errors in the file', 'Changes of books', 'Books that are spelled like others'])
      await page.getByRole('table', { name }).waitFor();
    await page.getByRole('listitem').getByText('for sale again').waitFor();
  },
  'import that failed': async ({ page, provokes }) => {
    provokes(/ERR_FAILED/);
    await chooseFile(page, `Villette,Charlotte Brontë,9,${image}`);
    const importButton = page.getByRole('button', { name: 'Import 1 book' });
    await importButton.waitFor();
    await page.route(`**${deskPaths.booksImport}?*`, (route) => route.abort());
    await importButton.click();
    await page.getByText('The import did not end.').waitFor();
  },
  'sales by week, with those before': withOrders(
    `${deskViewAddress('sales')}?by=week&from=2025-10-01&to=2025-10-31`,
    'Previous, ',
  ),
  'activity, with filters and the menu of a phone': async ({ page, store }) => {
    const actor = { customerId: 'some-id', email: jun.email, address: '192.0.2.7' };
    const details = { fields: 'price', oldPrice: 12.99, newPrice: 10.99 };
    await recordActivity(store.db, 'book-edited', actor, { book: { id: '1', title: 'The Trail' }, details });
    await page.setViewportSize({ width: 320, height: 640 });
    await openSignedIn(page, `${deskViewAddress('activity')}?action=book-edited`);
    await page.getByText('Price $12.99 → $10.99').first().waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).press('Enter');
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByRole('link', { name: 'Shop' }).waitFor();
  },
  'the messages of an order': async (opening) => {
    await withOrders(mail, 'Shown here only')(opening);
    await opening.page
      .getByRole('button', { name: /^Read:/ })
      .first()
      .click();
    await opening.page.getByRole('region', { name: 'Notice to the shop' }).waitFor();
  },
  'mail that could not be sent': async (opening) => {
    await opening.page.route(`**${deskPaths.mail}*`, (route) => route.fulfill({ json: mails }));
    await adaAt(mail, 'Send anyway')(opening);
  },
  'webhooks that could not be delivered': async (opening) => {
    await opening.page.route(`**${deskPaths.webhooks}*`, (route) => route.fulfill({ json: webhooks }));
    await adaAt(deskViewAddress('webhooks'), 'Send again')(opening);
  },
};
