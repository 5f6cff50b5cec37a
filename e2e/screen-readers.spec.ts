/** Names, roles and live regions of each screen, for screen readers; and the focus along journeys by keyboard. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, openSignedIn } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { checkoutButton, deleteButton, tabTo, undoButton } from './visitor.ts';

/** @returns the name of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: it } = document;
    const label = it.labels?.[0];
    return it.getAttribute('aria-label') ?? (label?.firstElementChild ?? label ?? it).textContent;
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

test('a visitor signs in and buys by keyboard and screen reader', async ({ page, store }) => {
  await page.goto('/?q=jane');
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - link "Skip to content"
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
        - toolbar "Subjects and prices":
          - link "All"
          - link "Under $10"
          - link "$10 to $20"
          - link "Over $20"
        - combobox "Sort by"
      - status:
        - text: 1 book for
        - emphasis: jane
      - list "Books":
        - listitem:
          - article:
            - heading "Jane Eyre" [level=2]:
              - link "Jane Eyre"
            - paragraph: Charlotte Brontë
            - text: $12.99
            - 'link "BUY NOW: Jane Eyre"'
  `);
  expect(await press(page, 'Tab', 9)).toEqual([
    ...['Skip to content', 'Colophon', 'Home', 'Orders', 'Admin', 'Checkout', 'Login', 'Search', 'All'],
  ]);
  // The filters are one stop of the Tab key as soon as the code of their arrow keys is there.
  await expect(page.getByRole('link', { name: 'Under $10' })).toHaveAttribute('tabindex', '-1');
  expect(await press(page, 'Tab', 3)).toEqual(['Sort by', janeEyre.title, `BUY NOW: ${janeEyre.title}`]);

  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await expect.poll(() => focused(page)).toBe('Sign in to buy');
  const opening = page.waitForEvent('popup');
  expect(await press(page, 'Tab')).toEqual(['Continue with the demo provider']);
  await page.keyboard.press('Enter');
  const popup = await opening;
  const closing = popup.waitForEvent('close');
  await tabTo(popup.getByRole('button', { name: ada.name }));
  await popup.keyboard.press('Enter');
  await closing;

  await checkoutButton(page).waitFor();
  await expect(page).toHaveTitle('Check Out');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Check Out" [level=1]
      - img "Cover of ${janeEyre.title}"
      - heading "${janeEyre.title}" [level=2]
      - paragraph: Charlotte Brontë
      - table "Your order":
        - rowgroup:
          - row "Book Name Author name Quantity Price Checkout time"
        - rowgroup:
          - row /${janeEyre.title} Charlotte Brontë 1 \\$12\\.99/
      - paragraph:
        - text: Signed in as ada@example.com.
        - link "Back to the shelf"
      - status
      - paragraph: Total $12.99
      - button "Checkout"
  `);
  await expect.poll(() => focused(page)).toBe('Check Out');
  expect(await press(page, 'Tab', 3)).toEqual(['Send to', 'Back to the shelf', 'Checkout']);

  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/orders');
  await expect(page).toHaveTitle('Orders');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - paragraph: /Ada Marlowe ?ada@example.com/
      - img "Cover of ${janeEyre.title}"
      - status: Thank you. ${janeEyre.title} is yours.
      - list "What happens next":
        - listitem: We don’t have your address yet. Where shall we send it? Add it in the details below.
        - listitem:
          - link "Print your receipt and bookplate"
        - listitem: /You can withdraw until at least/
      - 'img "Bookplate: Ex libris Ada Marlowe"'
      - heading "Ordered books list:" [level=1]
      - table "Ordered books":
        - rowgroup:
          - row "Book Name Author name Quantity Price ($) Order placed time"
        - rowgroup:
          - row /${janeEyre.title} Details.* Withdraw from contract.* Charlotte Brontë 1 \\$12\\.99/
  `);
  await expect.poll(() => focused(page)).toBe('Ordered books list:');
  expect(await store.orders()).toMatchObject([{ title: janeEyre.title, email: ada.email }]);

  // Neither the login nor the finished checkout is in the history.
  await page.goBack();
  await expect(page).toHaveURL('/?q=jane');
  await expect.poll(() => focused(page)).toBe(`BUY NOW: ${janeEyre.title}`);
});

test('after a deletion Undo has the focus, and Tab goes on where the row was', async ({ page }) => {
  await openSignedIn(page, '/admin?q=jane');
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
            - cell:
              - 'link "$12.99: change the price of Jane Eyre"'
            - cell:
              - 'button "Delete: Jane Eyre"'
      - status
  `);
  await page.getByLabel('Search').press('Escape');
  await tabTo(deleteButton(page, frankenstein.title));
  await page.keyboard.press('Enter');

  await expect.poll(() => focused(page)).toBe('Undo');
  expect(await press(page, 'Tab')).toEqual(['Delete: 紅樓夢']);
  await undoButton(page).focus();
  expect(await press(page, 'Shift+Tab')).toEqual(['Delete: Преступление и наказание']);
  await undoButton(page).focus();
  await page.keyboard.press('Escape');
  await expect(undoButton(page)).toHaveCount(0);
  await expect.poll(() => focused(page)).toBe('Delete: 紅樓夢');
});
