import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openPopup, openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import {
  addButton,
  buy,
  checkoutButton,
  deleteButton,
  fillInBook,
  openView,
  pickCover,
  undoButton,
} from './visitor.ts';

/** Its first word is wider than a small screen. */
const longTitle =
  `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft: ${'a history '.repeat(12)}`
    .slice(0, 186)
    .trim();
const longAuthor = 'Anneliese von Hohenstaufen-Wittgenstein, '.repeat(19).slice(0, 742);

type TestContext = { page: Page; store: Store; provokes: (message: RegExp) => void };

/** How to open each screen, by the screen and the state that it shows. */
const screens: Record<string, (context: TestContext) => Promise<void>> = {
  home: async ({ page }) => {
    await page.goto('/');
    await page.getByRole('article').first().waitFor();
  },
  'home with the results of a search': async ({ page }) => {
    await page.goto(`/?q=${longTitle.slice(0, 81)}`);
    await page.getByText('1 book for').waitFor();
  },
  'home with a misspelt search': async ({ page }) => {
    await page.goto('/?q=frankenstien');
    await page.getByText('Results for frankenstein').waitFor();
  },
  'home with a misspelt search as typed': async ({ page }) => {
    await page.goto('/?q=frankenstien&spelling=as-typed');
    await page.getByText('Did you mean').waitFor();
  },
  'home with a search whose words find books one by one': async ({ page }) => {
    await page.goto('/?q=jane+frankenstein');
    await page.getByText('These words find books').waitFor();
  },
  'home with a search that finds nothing': async ({ page }) => {
    await page.goto('/?q=qwertz');
    await page.getByText('No books match').waitFor();
  },
  'home with a list that cannot be fetched': async ({ page, provokes }) => {
    provokes(/404 .*\/books/);
    await page.route('**/books', (route) => route.fulfill({ status: 404 }));
    await page.goto('/');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  },
  'login, and the demo provider’s page': async ({ page }) => {
    await page.goto('/login');
    const popup = await openPopup(page);
    await popup.getByRole('button', { name: 'Cancel' }).waitFor();
    await expectAccessible(popup);
    await popup.close();
  },
  'page of a book': async ({ page, store }) => {
    await page.goto((await store.checkoutOf(longTitle)).replace('/checkout/', '/books/'));
    await page.getByRole('link', { name: 'BUY NOW' }).waitFor();
  },
  'login of a visitor who wants a book': async ({ page, store }) => {
    await page.goto(await store.checkoutOf(longTitle));
    await page.getByRole('img', { name: `Cover of ${longTitle}` }).waitFor();
  },
  'orders without an order': async ({ page }) => {
    await openSignedIn(page, '/orders');
    await page.getByText('You have not bought').waitFor();
  },
  checkout: async ({ page, store }) => {
    await openSignedIn(page, await store.checkoutOf(longTitle));
    await checkoutButton(page).waitFor();
  },
  orders: async ({ page, store }) => {
    await buy(page, store, longTitle);
    await page.getByRole('cell', { name: longTitle }).waitFor();
  },
  'the receipt of an order': async ({ page, store }) => {
    await buy(page, store, longTitle);
    await page.getByRole('link', { name: 'Receipt and bookplate' }).click();
    await page.getByRole('button', { name: 'Print' }).waitFor();
  },
  'admin with the list of books': async ({ page }) => {
    await openSignedIn(page, '/admin');
    await deleteButton(page).click();
    await undoButton(page).waitFor();
  },
  'admin with a misspelt search': async ({ page }) => {
    await openSignedIn(page, '/admin?q=frankenstien');
    await page.getByText('Results for frankenstein').waitFor();
  },
  'admin with a search that finds nothing': async ({ page }) => {
    await openSignedIn(page, '/admin?q=jane+frankenstein');
    await page.getByText('No books match').waitFor();
  },
  'admin with the Add Book form': async ({ page, provokes }) => {
    provokes(/400 .*\/addBook/);
    await openSignedIn(page, '/admin');
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
};

test.beforeEach(async ({ store }) => {
  await store.addBook({ title: longTitle, author: longAuthor });
});

test('every screen is accessible at each width, light and dark', async ({ page, store, provokes }) => {
  test.setTimeout(300_000);
  for (const [name, open] of Object.entries(screens)) {
    await test.step(name, async () => {
      await open({ page, store, provokes });

      await expectAccessible(page);
      await page.unrouteAll();
    });
  }
});
