/** The specification's literals, each tested where a visitor sees it, so that a change of one fails a test. */

import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, signInAndOpen } from './sign-in.ts';
import { coverPng, janeEyre, testBooks } from './test-books.ts';

const literals = {
  brand: 'Colophon',
  titles: {
    '/': 'Home',
    '/home': 'Home',
    '/checkout/{id}': 'Check Out',
    '/orders': 'Orders',
    '/admin': 'Admin',
  },
  navigation: [
    ['Colophon', '/'],
    ['Home', '/'],
    ['Orders', '/orders'],
    ['Admin', '/admin'],
    ['Checkout', '#'],
  ],
  login: 'Login',
  logOut: 'Log out',
  signIn: 'Continue with the demo provider',
  buy: 'BUY NOW',
  loading: 'Loading...',
  cardWidthRem: 16,
  imageHeightRem: 15,
  checkout: {
    headings: ['Book Name', 'Author name', 'Quantity', 'Price', 'Checkout time'],
    button: 'Checkout',
  },
  orders: {
    heading: 'Ordered books list:',
    headings: ['Book Name', 'Author name', 'Quantity', 'Price ($)', 'Order placed time'],
  },
  quantity: '1',
  admin: {
    items: ['Manage books', 'Add Book'],
    headings: ['SI', 'Book Name', 'Author Name', 'Price ($)'],
    deletion: 'Delete',
  },
  addBook: {
    fields: ['Book Name', 'Book Price', 'Author Name'],
    button: 'Add Book',
    uploading: 'Uploading...',
    added: 'Successfully added',
  },
} as const;

/** The checkout day, such as `Sat Nov 21 2026`. */
const today = () => new Date().toDateString();

const cellsOf = (page: Page, row: number) => page.getByRole('row').nth(row).getByRole('cell');

const protectedRoutes = ['/checkout/{id}', '/orders', '/admin'] as const;
const publicRoutes = ['/', '/home'] as const;

for (const route of publicRoutes) {
  test(`${route} is public and titled ${literals.titles[route]}`, async ({ page }) => {
    await page.goto(route);

    await expect(page).toHaveTitle(literals.titles[route]);
    await expect(page).toHaveURL(route);
  });
}

for (const route of protectedRoutes) {
  test(`${route} is protected and titled ${literals.titles[route]}`, async ({ page, store }) => {
    const address = route.startsWith('/checkout') ? await store.checkoutOf(janeEyre.title) : route;
    await page.goto(address);
    await expect(page).toHaveURL('/login');

    await signInAndOpen(page, address);

    await expect(page).toHaveTitle(literals.titles[route]);
  });
}

test('the navigation bar shows the brand and its four links to every visitor', async ({ page }) => {
  await page.goto('/');

  const links = page.getByRole('banner').getByRole('link');
  await expect(links).toHaveText(literals.navigation.map(([name]) => name));
  for (const [index, [, target]] of literals.navigation.entries()) {
    await expect(links.nth(index)).toHaveAttribute('href', target);
    await expect(links.nth(index)).toBeVisible();
  }
});

test('the navigation bar’s button reads Login without a session and leads to /login', async ({ page }) => {
  await page.goto('/');
  const buttons = page.getByRole('banner').getByRole('button');
  await expect(buttons).toHaveText([literals.login]);

  await buttons.click();

  await expect(page).toHaveURL('/login');
});

test('the navigation bar shows the user’s name with a session, and its button reads Log out and leads to /', async ({
  page,
}) => {
  await signInAndOpen(page, '/orders');
  const buttons = page.getByRole('banner').getByRole('button');
  await expect(buttons).toHaveText([literals.logOut]);
  await expect(page.getByRole('banner').getByText(ada.name)).toBeVisible();

  await buttons.click();

  await expect(page).toHaveURL('/');
  await expect(buttons).toHaveText([literals.login]);
});

test('a card shows image, title, author, the price with a dollar sign, and BUY NOW', async ({
  page,
  store,
}) => {
  await page.goto('/');
  const card = page.getByRole('article').filter({ hasText: janeEyre.title });

  await expect(card.locator('img')).toBeVisible();
  await expect(card.getByText(janeEyre.title)).toBeVisible();
  await expect(card.getByText(janeEyre.author)).toBeVisible();
  await expect(card.getByText('$12.99', { exact: true })).toBeVisible();
  const buy = card.getByRole('link');
  await expect(buy).toHaveText(literals.buy);
  await expect(buy).toHaveAttribute('href', await store.checkoutOf(janeEyre.title));
});

test('every price has a dollar sign', async ({ page }) => {
  await page.goto('/');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(testBooks.length);

  await expect(cards.getByText('$', { exact: false })).toHaveText([
    '$12.99',
    '$18.95',
    '$10.99',
    '$1,234.50',
    '$20.00',
    '$0.05',
  ]);
});

const sizeOf = async (element: Locator) => {
  const box = await element.boundingBox();
  return { width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) };
};

for (const rem of [16, 20]) {
  test(`a card is 16rem wide and its image 15rem high when a rem is ${rem} pixels`, async ({ page }) => {
    await page.goto('/');
    await page.evaluate(`document.documentElement.style.fontSize = '${rem}px'`);
    const card = page.getByRole('article').first();

    expect((await sizeOf(card)).width).toBe(literals.cardWidthRem * rem);
    expect((await sizeOf(card.locator('img'))).height).toBe(literals.imageHeightRem * rem);
  });
}

test('a centred spinner labelled Loading... is shown while the book list is empty', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/books', async (route) => {
    await released;
    await route.continue();
  });
  const requested = page.waitForRequest('**/books');
  await page.goto('/');
  await requested;

  const spinner = page.getByRole('status').filter({ hasText: literals.loading });
  await expect(spinner).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const box = await page.getByText(literals.loading, { exact: true }).boundingBox();
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 640)).toBeLessThan(10);

  release();
  await expect(page.getByText(literals.loading)).toHaveCount(0);
});

test('the login has exactly one button, which continues with the provider’s account', async ({ page }) => {
  await page.goto('/login');

  await expect(page.getByRole('button')).toHaveText([literals.signIn]);
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('the checkout shows its table with quantity 1 and today’s date, and its Checkout button leads to /orders', async ({
  page,
  store,
}) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));

  await expect(page.getByRole('columnheader')).toHaveText([...literals.checkout.headings]);
  await expect(cellsOf(page, 1)).toHaveText([
    janeEyre.title,
    janeEyre.author,
    literals.quantity,
    '$12.99',
    today(),
  ]);
  await expect(page.getByRole('button')).toHaveText([literals.checkout.button]);
  await page.getByRole('button').click();
  await expect(page).toHaveURL('/orders');
});

test('the orders show the user’s name and e-mail, the heading and the table', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  await page.getByRole('button', { name: literals.checkout.button }).click();

  await expect(page.getByRole('heading', { name: literals.orders.heading, exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByText(ada.name)).toBeVisible();
  await expect(page.getByRole('main').getByText(ada.email)).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([...literals.orders.headings]);
  await expect(cellsOf(page, 1)).toHaveText([
    janeEyre.title,
    janeEyre.author,
    literals.quantity,
    '$12.99',
    today(),
  ]);
});

test('the admin screen has its sidebar and shows Manage books first', async ({ page }) => {
  await signInAndOpen(page, '/admin');

  const sidebar = page.getByRole('banner');
  await expect(sidebar.getByRole('link')).toHaveText([literals.brand]);
  await expect(sidebar.getByRole('link')).toHaveAttribute('href', '/');
  await expect(sidebar.getByRole('button')).toHaveText([...literals.admin.items]);
  await expect(page.getByRole('columnheader')).toHaveText([...literals.admin.headings]);
  await expect(cellsOf(page, 1)).toHaveText([
    '1',
    janeEyre.title,
    janeEyre.author,
    '$12.99',
    literals.admin.deletion,
  ]);
  await expect(page.getByRole('main').getByRole('button')).toHaveText(
    testBooks.map(() => literals.admin.deletion),
  );
});

test('the items of the sidebar toggle between the two views', async ({ page }) => {
  await signInAndOpen(page, '/admin');
  const [manageBooks, addBook] = literals.admin.items;
  const sidebar = page.getByRole('banner');

  await sidebar.getByRole('button', { name: addBook }).click();
  await expect(page.getByLabel('Book Name')).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);

  await sidebar.getByRole('button', { name: manageBooks }).click();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByLabel('Book Name')).toHaveCount(0);
});

test('the admin screen and the checkout have no sign-out', async ({ page, store }) => {
  for (const address of ['/admin', await store.checkoutOf(janeEyre.title)]) {
    await page.goto(address);
    if (address === '/admin') await signInAndOpen(page, address);
    await page.getByRole('table').waitFor();
    await expect(page.getByText(literals.logOut, { exact: true })).toHaveCount(0);
  }
});

test('Add Book shows its fields, Uploading... and Successfully added, and then clears the form', async ({
  page,
}) => {
  await signInAndOpen(page, '/admin');
  await page.getByRole('banner').getByRole('button', { name: literals.addBook.button }).click();
  const addBook = page.getByRole('main').getByRole('button', { name: literals.addBook.button });
  for (const field of literals.addBook.fields) await page.getByLabel(field, { exact: true }).fill('7');
  await expect(addBook).toBeDisabled();

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/1/upload', async (route) => {
    await released;
    await route.continue();
  });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng() });
  await expect(page.getByText(literals.addBook.uploading, { exact: true })).toBeVisible();
  await expect(addBook).toBeDisabled();
  release();
  await expect(addBook).toBeEnabled();
  await expect(page.getByText(literals.addBook.uploading)).toHaveCount(0);

  const alert = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.accept();
    return { type: dialog.type(), message: dialog.message() };
  });
  await addBook.click();
  expect(await alert).toEqual({ type: 'alert', message: literals.addBook.added });
  for (const field of literals.addBook.fields) {
    await expect(page.getByLabel(field, { exact: true })).toHaveValue('');
  }
  await expect(page.locator('input[type=file]')).toHaveValue('');
  await expect(addBook).toBeDisabled();
});
