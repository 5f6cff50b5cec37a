/** The shop, in each state that shows other parts, is accessible on wide and narrow screens, light and dark. */

import type { Page } from '@playwright/test';
import { screens } from '../contract/paths.ts';
import { withdrawalPaths } from '../contract/withdrawal.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openPopup, openSignedIn } from './sign-in.ts';
import { addVolumes, changeBook, janeEyre } from './test-books.ts';
import {
  addButton,
  buy,
  checkoutButton,
  deleteButton,
  detailsButton,
  fillInBook,
  openView,
  pickCover,
  searchField,
  undoButton,
} from './visitor.ts';

/** The title's first word is wider than a small screen. */
const longBook = {
  title:
    `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft: ${'a history '.repeat(12)}`
      .slice(0, 186)
      .trim(),
  author: 'Anneliese von Hohenstaufen-Wittgenstein, '.repeat(19).slice(0, 742),
  isbn: '9780141439587',
  description: 'A clean copy, in its wrapper.\n\nThe name of an earlier owner is on the flyleaf.',
  copies: 3,
};
const subjects = 'Travel History Poetry Gardening Cookery Astronomy Architecture Music'.split(' ');

/** The first link in a list of books. */
const linkIn = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('link').first();

test('accessible: home', async ({ page, store, provokes }) => {
  provokes(/404 .*\/books/);
  const lookAt = async (address: string, text: string) => {
    await page.goto(address);
    await page.getByText(text).first().waitFor();
    await expectAccessible(page, address);
  };
  await store.addBook(longBook);
  await addVolumes(store.db, 20);
  for (const keywords of [...subjects, ...subjects]) await store.addBook({ title: keywords, keywords });
  await page.goto('/');
  await linkIn(page, 'New this week').focus();
  await linkIn(page, 'New this week').hover();
  await page.locator('section button').filter({ hasText: '→' }).waitFor();
  await page.getByRole('search').getByRole('button', { name: 'More' }).waitFor();
  await expectAccessible(page, 'rows and subjects that are longer than the screen');
  await searchField(page).focus();
  await expect(searchField(page)).toHaveRole('combobox');
  await searchField(page).pressSequentially('bro');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  // The list behind them is pale until then.
  await page.getByText('1 book for').waitFor();
  await expectAccessible(page, 'suggestions');
  await lookAt('/?sort=title&subject=music', 'A. Writer');
  await lookAt('/?q=frankenstien', 'Results for frankenstein');
  await lookAt('/?q=frankenstien&spelling=as-typed', 'Did you mean');
  await lookAt('/?q=jane+frankenstein', 'These words find');
  await page.route('**/books', (route) => route.fulfill({ status: 404 }));
  await lookAt('/', 'Try again');
});

test('accessible: the page of a book, the login and the pages without an app', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404 .*no-such-page/);
  const { id } = await store.addBook(longBook);
  await store.addBook({ title: 'Persuasion', author: longBook.author });
  // Fonts that come late would give the many lines of this title one more.
  await page.goto('/');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.goto(screens.book(id));
  for (const name of ['By the same author', 'Beside it on the shelf']) await linkIn(page, name).waitFor();
  await expectAccessible(page, 'a book');
  const emma = await store.addBook({ ...longBook, title: 'Emma', copies: 1 });
  await changeBook(store.db, emma.id, { copies: 0 });
  // Axe is a script, so the page is shown as a browser without JavaScript shows it, in one with it.
  await page.route('**/books/*', async (route) => {
    const response = await route.fetch();
    const html = (await response.text())
      .replace(/<script type="module".*?<\/script>/, '')
      .replace(/<(\/?)noscript>/g, '<$1div>');
    await route.fulfill({ response, body: html });
  });
  await page.goto(screens.book(emma.id));
  await page.getByText('Sold out').first().waitFor();
  await expectAccessible(page, 'a book that is sold out, without JavaScript');

  await page.goto(screens.checkout(id));
  await page.getByRole('img', { name: `Cover of ${longBook.title}` }).waitFor();
  const popup = await openPopup(page);
  await page
    .getByRole('status')
    .filter({ hasText: /^Continue in / })
    .waitFor();
  await expectAccessible(page, 'login of a visitor who wants a book, while its window is open');
  await popup.getByRole('button', { name: 'Cancel' }).waitFor();
  await expectAccessible(popup, 'the demo provider’s page');
  await popup.close();

  await page.goto('/no-such-page');
  await page.getByRole('link', { name: 'Back to the shelf' }).waitFor();
  await expectAccessible(page, 'an unknown address');
  await page.goto(withdrawalPaths.page);
  await expectAccessible(page, 'how to withdraw from a contract');
  await page.goto('/docs');
  await page.locator('#placeOrder').getByText('409', { exact: true }).click();
  // One article of each kind: axe would take minutes for all hundred, which the same code renders.
  const kept = ['listBooks', 'placeOrder', 'schema-Book'];
  await page.getByRole('article').evaluateAll((articles, ids) => {
    for (const article of articles) if (!ids.includes(article.id)) article.remove();
  }, kept);
  await expect(page.getByRole('article')).toHaveCount(kept.length);
  await expectAccessible(page, 'the description of the API');
});

test('accessible: checkout and orders', async ({ page, store, provokes }) => {
  provokes(/409 .*\/addOrder/);
  provokes(/404 .*\/(addOrder|book\/)/);
  const { id } = await store.addBook(longBook);
  const [{ title }, checkout] = [longBook, screens.checkout(id)];
  await openSignedIn(page, screens.orders);
  await linkIn(page, 'On the front table').waitFor();
  await expectAccessible(page, 'no order yet');
  await page.goto(checkout);
  await checkoutButton(page).waitFor();
  await changeBook(store.db, id, { priceCents: 2150 });
  await checkoutButton(page).click();
  await page.getByText('The price is now $21.50.').waitFor();
  await expectAccessible(page, 'checkout of a book whose price has changed');
  await page.goto(checkout);
  await page.getByLabel('Send to').fill('1 Hartfield Lane');
  await checkoutButton(page).click();
  await page.getByRole('list', { name: 'What happens next' }).waitFor();
  await expectAccessible(page, 'orders after buying');

  await buy(page, store, janeEyre.title);
  await detailsButton(page, title).click();
  await page.getByRole('button', { name: `Change address: ${title}` }).click();
  await page.getByLabel('Send to').waitFor();
  await page.getByRole('button', { name: `Withdraw from contract: ${janeEyre.title}` }).click();
  await page.getByLabel('Reason (optional)').waitFor();
  await expectAccessible(page, 'the forms of an address and of a withdrawal');
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await page.getByText('Your withdrawal arrived on').waitFor();
  await expectAccessible(page, 'orders, one of them withdrawn just now');
  await page.getByRole('link', { name: 'Receipt and bookplate' }).last().click();
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await expectAccessible(page, 'the receipt of an order');

  await changeBook(store.db, id, { copies: 0 });
  await page.goto(checkout);
  await page.getByText('Sold out: we have no copy left.').waitFor();
  await linkIn(page, 'Beside it on the shelf').waitFor();
  await expectAccessible(page, 'checkout of a book that is sold out');
  await page.goto(await store.checkoutOf('Sult'));
  await checkoutButton(page).waitFor();
  await store.remove('Sult');
  await checkoutButton(page).click();
  await linkIn(page, 'On the front table').waitFor();
  await expectAccessible(page, 'checkout of a book that was deleted');
});

test('accessible: admin', async ({ page, store, provokes }) => {
  provokes(/400 .*\/addBook/);
  await store.addBook(longBook);
  await openSignedIn(page, screens.admin);
  await deleteButton(page).click();
  await undoButton(page).waitFor();
  await expectAccessible(page, 'the list of books');
  await openView(page, 'Add Book');
  await pickCover(page);
  await fillInBook(page, { title: longBook.title, price: 'twelve', author: longBook.author });
  await addButton(page).click();
  await expect(page.getByLabel('Book Price')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'the Add Book form');
  await page.goto('/admin?q=frankenstien');
  await page.getByText('Results for frankenstein').waitFor();
  await expectAccessible(page, 'a misspelt search');
});
