/** What a screen reader is told of each screen: names, roles and live regions; and the focus along a journey by keyboard. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, signInAndOpen } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';

test('home', async ({ page }) => {
  await page.goto('/?q=jane');
  await expect(page.getByRole('article')).toHaveCount(1);

  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - banner:
      - link "Colophon"
      - navigation "Store":
        - link "Home"
        - link "Orders"
        - link "Admin"
        - link "Checkout"
      - button "Login"
    - main:
      - heading "On the shelf" [level=1]
      - search:
        - searchbox "Search": jane
        - combobox "Sort by"
      - status:
        - text: 1 book for
        - emphasis: jane
      - list "Books":
        - listitem:
          - article:
            - heading "Jane Eyre" [level=2]
            - paragraph: Charlotte Brontë
            - text: $12.99
            - 'link "BUY NOW: Jane Eyre"'
  `);
});

test('checkout', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(frankenstein.title));
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();

  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Check Out" [level=1]
      - img "Cover of ${frankenstein.title}"
      - heading "${frankenstein.title}" [level=2]
      - paragraph: Mary Shelley
      - table "Your order":
        - rowgroup:
          - row "Book Name Author name Quantity Price Checkout time"
        - rowgroup:
          - row /${frankenstein.title} Mary Shelley 1 \\$10\\.99/
      - paragraph:
        - text: Signed in as ada@example.com.
        - link "Back to the shelf"
      - status
      - paragraph: Total $10.99
      - button "Checkout"
  `);
});

test('orders after a purchase', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(frankenstein.title));
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page.getByText('Thank you.')).toBeVisible();

  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - paragraph: /Ada Marlowe ?ada@example.com/
      - heading "Ordered books list:" [level=1]
      - status: Thank you. ${frankenstein.title} is yours.
      - table "Ordered books":
        - rowgroup:
          - row "Book Name Author name Quantity Price ($) Order placed time"
        - rowgroup:
          - row /${frankenstein.title} Mary Shelley 1 \\$10\\.99/
  `);
});

test('admin', async ({ page }) => {
  await signInAndOpen(page, '/admin?q=jane');
  await expect(page.getByRole('row')).toHaveCount(2);

  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - banner:
      - link "Colophon"
      - navigation "Catalogue":
        - button "Manage books" [pressed]
        - button "Add Book"
    - main:
      - heading "The catalogue" [level=1]
      - search:
        - searchbox "Search": jane
      - status:
        - text: 1 book for
        - emphasis: jane
      - table "Books in the catalogue":
        - rowgroup:
          - row "SI Book Name Author Name Price ($)"
        - rowgroup:
          - row /1 Jane Eyre Charlotte Brontë \\$12\\.99/:
            - cell "1"
            - cell "Jane Eyre"
            - cell "Charlotte Brontë"
            - cell "$12.99"
            - cell:
              - 'button "Delete: Jane Eyre"'
      - status
  `);
});

/** @returns the name of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: it } = document;
    return it.getAttribute('aria-label') ?? it.labels?.[0]?.firstElementChild?.textContent ?? it.textContent;
  })()`);

/** Presses a key several times. @returns the name of what has the focus after each. */
async function press(page: Page, key: string, times = 1): Promise<string[]> {
  const names: string[] = [];
  for (let index = 0; index < times; index += 1) {
    await page.keyboard.press(key);
    names.push(await focused(page));
  }
  return names;
}

test('along a journey by keyboard alone the focus is where the visitor is', async ({ page, store }) => {
  await signInAndOpen(page, '/orders');
  await page.goto('/?q=jane');
  await expect(page.getByRole('article')).toHaveCount(1);

  expect(await press(page, 'Tab', 9)).toEqual([
    'Colophon',
    'Home',
    'Orders',
    'Admin',
    'Checkout',
    'Log out',
    'Search',
    'Sort by',
    `BUY NOW: ${janeEyre.title}`,
  ]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeVisible();
  expect(await focused(page)).toBe('Check Out');
  expect(await press(page, 'Tab', 2)).toEqual(['Back to the shelf', 'Checkout']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/orders');
  await expect.poll(() => focused(page)).toBe('Ordered books list:');
  await page.goBack();
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect.poll(() => focused(page)).toBe(`BUY NOW: ${janeEyre.title}`);
  expect(await store.orders()).toMatchObject([{ email: ada.email }]);
});

test('after a deletion by keyboard Undo has the focus, and Tab goes on where the row was', async ({
  page,
}) => {
  await signInAndOpen(page, '/admin');
  const deleteButton = (title: string) => page.getByRole('button', { name: `Delete: ${title}` });
  await deleteButton(frankenstein.title).focus();
  await page.keyboard.press('Enter');

  await expect.poll(() => focused(page)).toBe('Undo');
  expect(await press(page, 'Tab')).toEqual(['Delete: 紅樓夢']);
  await page.getByRole('button', { name: 'Undo' }).focus();
  expect(await press(page, 'Shift+Tab')).toEqual(['Delete: Преступление и наказание']);
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(await focused(page)).toBe('Delete: 紅樓夢');
});
