/** The states of the shop that accessibility.spec.ts looks at, and how to open each. */

import type { Page } from '@playwright/test';
import { screens } from '../contract/paths.ts';
import { withdrawalPaths } from '../contract/withdrawal.ts';
import { expect } from './fixtures.ts';
import { unpaint } from './requests.ts';
import { ada, jun, openPopup, openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { addVolumes, changeBook, janeEyre } from './test-books.ts';
import { addOrder } from './test-orders.ts';
import {
  addButton,
  checkoutButton,
  deleteButton,
  detailsButton,
  fillInBook,
  noOrders,
  openView,
  pickCover,
  searchField,
  undoButton,
} from './visitor.ts';

export type Opening = { page: Page; store: Store; provokes: (message: RegExp) => void };

/** Resolves when the page, or the one that is returned, shows the state. */
type Open = (opening: Opening) => Promise<Page | undefined>;
export type States = Record<string, Open>;

/** A state that an address shows to a visitor, with the text that is there then. */
const at =
  (address: string, text: string): Open =>
  async ({ page }) => {
    await page.goto(address);
    await page.getByText(text).first().waitFor();
  };

/** The same of Ada. */
export const adaAt =
  (address: string, text: string): Open =>
  async ({ page }) => {
    await openSignedIn(page, address);
    await page.getByText(text).first().waitFor();
  };

/** On each shelf. The title's first word is wider than a small screen. */
export const longBook = {
  title:
    `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft: ${'a history '.repeat(12)}`
      .slice(0, 186)
      .trim(),
  author: 'Anneliese von Hohenstaufen-Wittgenstein, '.repeat(19).slice(0, 742),
  isbn: '9780141439587',
  description: 'A clean copy, in its wrapper.\n\nThe name of an earlier owner is on the flyleaf.',
  copies: 3,
};
const { title: longTitle, author: longAuthor } = longBook;
const subjects = 'Travel History Poetry Gardening Cookery Astronomy Architecture Music'.split(' ');

/** The first link in a list of books. */
const linkIn = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('link').first();
const pageOf = async (store: Store, title: string) =>
  (await store.checkoutOf(title)).replace('/checkout/', '/books/');

/** Emma, of whom no copy is left. @returns the id. */
async function addSoldOut(store: Store): Promise<string> {
  const { id } = await store.addBook({ title: 'Emma', copies: 1 });
  await changeBook(store.db, id, { copies: 0 });
  return id;
}

async function openCheckout(page: Page, address: string): Promise<undefined> {
  await openSignedIn(page, address);
  await checkoutButton(page).waitFor();
}

/** Opens Ada's orders of these titles. @returns the id of the last. */
async function openOrders({ page, store }: Opening, ...titles: string[]): Promise<string> {
  await openSignedIn(page, screens.orders);
  await noOrders(page).waitFor();
  const customers = store.db.selectFrom('customers').select('id').where('email', '=', ada.email);
  const { id: buyerId } = await customers.executeTakeFirstOrThrow();
  let id = '';
  for (const title of titles) {
    const [found] = await store.booksNamed(title);
    const book = { id: found?.id ?? '', title, author: longAuthor, priceCents: 1299 };
    const to = { deliveryAddress: '1 Hartfield Lane\nHighbury', placedAt: new Date().toISOString() };
    id = await addOrder(store.db, { buyerId, buyer: ada, book, ...to });
  }
  await store.db.updateTable('orders').set({ withdrawal_days: 14 }).execute();
  await page.reload();
  for (const title of titles) await detailsButton(page, title).waitFor();
  return id;
}

export const shopStates: States = {
  home: async ({ page }) => {
    await page.goto('/');
    await page.getByRole('article').first().waitFor();
  },
  'home with rows and subjects that are longer than the screen': async ({ page, store }) => {
    await addVolumes(store.db, 20);
    for (const keywords of [...subjects, ...subjects]) await store.addBook({ title: keywords, keywords });
    await page.goto('/');
    await linkIn(page, 'New this week').focus();
    await linkIn(page, 'New this week').hover();
    await page.locator('section button').filter({ hasText: '→' }).waitFor();
    await page.getByRole('search').getByRole('button', { name: 'More' }).waitFor();
  },
  'home sorted by title, with the books of a subject': async ({ page, store }) => {
    for (const title of ['Persuasion', 'Emma']) await store.addBook({ title, keywords: 'Regency' });
    await page.goto('/?sort=title&subject=regency');
    await page.getByRole('heading', { name: 'Emma', level: 2 }).waitFor();
  },
  'home with the results of a search': at(`/?q=${longTitle.slice(0, 81)}`, '1 book for'),
  'home with suggestions': async ({ page }) => {
    await page.goto('/');
    await searchField(page).focus();
    await expect(searchField(page)).toHaveRole('combobox');
    await searchField(page).pressSequentially('bro');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
  },
  'home with a misspelt search': at('/?q=frankenstien', 'Results for frankenstein'),
  'home with a misspelt search as typed': at('/?q=frankenstien&spelling=as-typed', 'Did you mean'),
  'home with a search whose words find books one by one': at('/?q=jane+frankenstein', 'These words find'),
  'home with a search that finds nothing': at('/?q=qwertz', 'No books match'),
  'home with a list that cannot be fetched': async ({ page, provokes }) => {
    provokes(/404 .*\/books/);
    await page.route('**/books', (route) => route.fulfill({ status: 404 }));
    await page.goto('/');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  },
  'page of a book': async ({ page, store }) => {
    await store.addBook({ title: 'Persuasion', author: longAuthor });
    // Fonts that come late would give the many lines of this title one more.
    await page.goto('/');
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    await page.goto(await pageOf(store, longTitle));
    for (const name of ['By the same author', 'Beside it on the shelf']) await linkIn(page, name).waitFor();
  },
  'page of a book that is sold out': async ({ page, store }) => {
    await page.goto(screens.book(await addSoldOut(store)));
    await page.getByText('Sold out').first().waitFor();
  },
  'page of a book that cannot be fetched': async ({ page, store, provokes }) => {
    provokes(/400 .*\/book\//);
    await unpaint(page);
    await page.route('**/book/*', (route) => route.fulfill({ status: 400 }));
    await page.goto(await pageOf(store, longTitle));
    await page.getByText('The book could not be fetched.').waitFor();
  },
  'page of a book without JavaScript': async ({ page, store }) => {
    const { id } = await store.addBook({ ...longBook, title: 'Emma' });
    // Axe is a script, so the page is shown as a browser without JavaScript shows it, in one with it.
    await page.route('**/books/*', async (route) => {
      const response = await route.fetch();
      const html = (await response.text())
        .replace(/<script type="module".*?<\/script>/, '')
        .replace(/<(\/?)noscript>/g, '<$1div>');
      await route.fulfill({ response, body: html });
    });
    await page.goto(screens.book(id));
    await page.getByText('ISBN 978-0-14-143958-7').waitFor();
  },
  'login while its window is open': async ({ page }) => {
    await page.goto(screens.login);
    await openPopup(page);
    await page
      .getByRole('status')
      .filter({ hasText: /^Continue in / })
      .waitFor();
  },
  'the demo provider’s page': async ({ page }) => {
    await page.goto(screens.login);
    const popup = await openPopup(page);
    await popup.getByRole('button', { name: 'Cancel' }).waitFor();
    return popup;
  },
  'login of a visitor who wants a book': async ({ page, store }) => {
    await page.goto(await store.checkoutOf(longTitle));
    await page.getByRole('img', { name: `Cover of ${longTitle}` }).waitFor();
    await page.getByRole('heading', { name: 'Sign in to buy' }).waitFor();
    await page.locator('cite').getByText(longTitle).waitFor();
  },
  checkout: async ({ page, store }) => await openCheckout(page, await store.checkoutOf(longTitle)),
  'checkout of a book that has changed': async ({ page, store, provokes }) => {
    provokes(/409 .*\/addOrder/);
    const { id } = await store.addBook({ title: 'Walden' });
    await openCheckout(page, screens.checkout(id));
    await changeBook(store.db, id, { title: 'Walden, annotated', priceCents: 2150 });
    await checkoutButton(page).click();
    await page.getByText('This book has changed.').waitFor();
  },
  'checkout of a book that was deleted': async ({ page, store, provokes }) => {
    provokes(/404 .*\/addOrder/);
    provokes(/404 .*\/book\//);
    await openCheckout(page, await store.checkoutOf(janeEyre.title));
    await store.remove(janeEyre.title);
    await checkoutButton(page).click();
    await page.getByText('This book is no longer for sale.').waitFor();
    await linkIn(page, 'On the front table').waitFor();
  },
  'checkout of a book whose last copy has just been sold': async ({ page, store, provokes }) => {
    provokes(/409 .*\/addOrder/);
    const { id } = await store.addBook({ title: 'Emma', copies: 1 });
    await openCheckout(page, screens.checkout(id));
    await changeBook(store.db, id, { copies: 0 });
    await checkoutButton(page).click();
    await page.getByText('Sold out: the last copy has just been sold.').waitFor();
  },
  'checkout of a book that is sold out': async ({ page, store }) => {
    await openSignedIn(page, screens.checkout(await addSoldOut(store)));
    await page.getByText('Sold out: we have no copy left.').waitFor();
    await linkIn(page, 'Beside it on the shelf').waitFor();
  },
  'orders without an order': async ({ page }) => {
    await openSignedIn(page, screens.orders);
    await linkIn(page, 'On the front table').waitFor();
  },
  'orders after buying': async ({ page, store }) => {
    await openCheckout(page, await store.checkoutOf(longTitle));
    await page.getByLabel('Send to').fill('1 Hartfield Lane');
    await checkoutButton(page).click();
    await page.getByRole('list', { name: 'What happens next' }).waitFor();
  },
  'orders, one of them withdrawn just now, one with its details': async (opening) => {
    const { page } = opening;
    await openOrders(opening, longTitle, janeEyre.title);
    await detailsButton(page, longTitle).click();
    await page.getByRole('button', { name: `Withdraw from contract: ${janeEyre.title}` }).click();
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
    await page.getByText('Your withdrawal arrived on').waitFor();
  },
  'orders, with the forms of an address and of a withdrawal': async (opening) => {
    const { page } = opening;
    await openOrders(opening, longTitle, janeEyre.title);
    await detailsButton(page, longTitle).click();
    await page.getByRole('button', { name: `Change address: ${longTitle}` }).click();
    await page.getByLabel('Send to').waitFor();
    await page.getByRole('button', { name: `Withdraw from contract: ${janeEyre.title}` }).click();
    await page.getByLabel('Reason (optional)').waitFor();
  },
  'the receipt of an order': async (opening) => {
    const { page } = opening;
    await page.goto(`${screens.orders}?receipt=${await openOrders(opening, longTitle)}`);
    await page.getByRole('button', { name: 'Print' }).waitFor();
  },
  'admin with the list of books': async ({ page }) => {
    await openSignedIn(page, screens.admin);
    await deleteButton(page).click();
    await undoButton(page).waitFor();
  },
  'admin of an account that may not change the catalogue': async ({ page, provokes }) => {
    provokes(/403 .*\/deleteBook\//);
    await openSignedIn(page, screens.admin, jun);
    await deleteButton(page).click();
    await page.getByText('This account may not change the catalogue.').waitFor();
  },
  'admin with a misspelt search': adaAt('/admin?q=frankenstien', 'Results for frankenstein'),
  'admin with a search that finds nothing': adaAt('/admin?q=jane+frankenstein', 'No books match'),
  'admin with the Add Book form': async ({ page, provokes }) => {
    provokes(/400 .*\/addBook/);
    await openSignedIn(page, screens.admin);
    await openView(page, 'Add Book');
    await pickCover(page);
    await fillInBook(page, { title: longTitle, price: 'twelve', author: longAuthor });
    await addButton(page).click();
    await expect(page.getByLabel('Book Price')).toHaveAttribute('aria-invalid', 'true');
  },
  'an unknown address': async ({ page, provokes }) => {
    provokes(/404 .*no-such-page/);
    await page.goto('/no-such-page');
    await page.getByRole('link', { name: 'Back to the shelf' }).waitFor();
  },
  'the page to withdraw from a contract': at(withdrawalPaths.page, 'Withdraw from contract'),
  'the description of the API': async ({ page }) => {
    await page.goto('/docs');
    await page.locator('#placeOrder').getByText('409 Conflict').click();
    // One article of each kind: axe would take minutes for all hundred, which the same code renders.
    const kept = ['listBooks', 'placeOrder', 'PRICE_CHANGED', 'schema-Book'];
    await page.getByRole('article').evaluateAll((articles, ids) => {
      for (const article of articles) if (!ids.includes(article.id)) article.remove();
    }, kept);
    await expect(page.getByRole('article')).toHaveCount(kept.length);
  },
};
