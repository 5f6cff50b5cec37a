import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openPopup, signInAndOpen } from './sign-in.ts';
import type { Store } from './store.ts';
import { coverPng, janeEyre } from './test-books.ts';

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
    await page.goto('/?q=jane+sult');
    await page.getByText('These words find books').waitFor();
  },
  'home with a search that finds nothing': async ({ page }) => {
    await page.goto('/?q=qwertz');
    await page.getByText('Nothing on the shelf').waitFor();
  },
  'home with a list that cannot be fetched': async ({ page, provokes }) => {
    provokes(/404 .*\/books/);
    await page.route('**/books', (route) => route.fulfill({ status: 404 }));
    await page.goto('/');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  },
  login: async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: /^Continue/ }).waitFor();
  },
  checkout: async ({ page, store }) => {
    await signInAndOpen(page, await store.checkoutOf(longTitle));
    await page.getByRole('button', { name: 'Checkout' }).waitFor();
  },
  orders: async ({ page, store }) => {
    await signInAndOpen(page, await store.checkoutOf(longTitle));
    await page.getByRole('button', { name: 'Checkout' }).click();
    await page.getByRole('cell', { name: longTitle }).waitFor();
  },
  'orders without an order': async ({ page }) => {
    await signInAndOpen(page, '/orders');
    await page.getByText('You have not bought').waitFor();
  },
  'admin with the list of books': async ({ page }) => {
    await signInAndOpen(page, '/admin');
    await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  },
  'admin with a misspelt search': async ({ page }) => {
    await signInAndOpen(page, '/admin?q=frankenstien');
    await page.getByText('Results for frankenstein').waitFor();
  },
  'admin with a search that finds nothing': async ({ page }) => {
    await signInAndOpen(page, '/admin?q=jane+sult');
    await page.getByText('Nothing in the catalogue').waitFor();
  },
  'admin with the Add Book form': async ({ page, provokes }) => {
    provokes(/400 .*\/addBook/);
    await signInAndOpen(page, '/admin');
    await page.getByRole('navigation').getByRole('button', { name: 'Add Book' }).click();
    await page
      .getByLabel('Image')
      .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng() });
    await page.getByLabel('Book Name').fill(longTitle);
    await page.getByLabel('Book Price').fill('twelve');
    await page.getByLabel('Author Name').fill(longAuthor);
    await page.getByRole('main').getByRole('button', { name: 'Add Book' }).click();
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

for (const [name, open] of Object.entries(screens)) {
  test(`${name} is accessible at each width, in light and dark mode, without horizontal scrolling`, async ({
    page,
    store,
    provokes,
  }) => {
    await open({ page, store, provokes });

    await expectAccessible(page);
  });
}

test('the demo provider’s page is accessible at each width, in light and dark mode', async ({ page }) => {
  await page.goto('/login');
  const popup = await openPopup(page);
  await popup.getByRole('button', { name: 'Cancel' }).waitFor();

  await expectAccessible(popup);
});

test('a screen opened by a link is announced: its title changes and its heading has the focus', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.getByRole('link', { name: 'Colophon' }).click();

  await expect(page).toHaveTitle('Home');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
