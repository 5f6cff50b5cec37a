/** Names, roles and live regions of each screen, for screen readers; and the focus along journeys by keyboard. */

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, heading, tabTo } from './visitor.ts';

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
      - search:
        - combobox "Search": jane
      - button "Login"
    - main:
      - heading "“jane”" [level=1]
      - status: 1 book
      - list "Books":
        - listitem:
          - article:
            - heading "Jane Eyre" [level=2]:
              - link "Jane Eyre"
            - paragraph: Charlotte Brontë
            - text: $12.99
            - 'link "BUY NOW: Jane Eyre"'
  `);
  expect(await press(page, 'Tab', 10)).toEqual([
    ...['Skip to content', 'Colophon', 'Home', 'Orders', 'Admin', 'Checkout', 'Search', 'Login'],
    ...[janeEyre.title, `BUY NOW: ${janeEyre.title}`],
  ]);

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
      - heading "Thank you, Ada. ${janeEyre.title} is yours." [level=1]
      - list "What happens next":
        - listitem:
          - heading "Where shall we send it?" [level=2]
          - textbox "Send to"
          - paragraph:
            - button "Save address"
        - listitem:
          - link "See your order, its receipt and bookplate"
        - listitem: /You can withdraw until at least/
      - img "Cover of ${janeEyre.title}"
      - heading "Ordered books list:" [level=2]
      - table "Ordered books":
        - rowgroup:
          - row "Book Name Author name Quantity Price ($) Order placed time"
        - rowgroup:
          - row /${janeEyre.title} Charlotte Brontë 1 \\$12\\.99/
      - paragraph: /Ada Marlowe ?ada@example.com/
  `);
  await expect.poll(() => focused(page)).toBe(`Thank you, Ada. ${janeEyre.title} is yours.`);
  expect(await press(page, 'Tab', 1)).toEqual(['Send to']);
  expect(await store.orders()).toMatchObject([{ title: janeEyre.title, email: ada.email }]);

  // Neither the login nor the finished checkout is in the history.
  await page.goBack();
  await expect(page).toHaveURL('/?q=jane');
  await expect.poll(() => focused(page)).toBe(`BUY NOW: ${janeEyre.title}`);
});

test('the first stop of the Tab key leads past the navigation, in the shop and on the desk', async ({
  page,
}) => {
  const skip = page.getByRole('link', { name: 'Skip to content' });
  for (const address of ['/admin', '/desk/orders']) {
    await openSignedIn(page, address);
    await heading(page).first().waitFor();
    await page.evaluate('document.activeElement.blur()');
    const entries = await page.evaluate<number>('history.length');
    await tabTo(skip);
    await expect(skip).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main'), address).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
    expect(await page.evaluate<number>('history.length')).toBe(entries);
    await expect(page).toHaveURL(address);
  }
});
