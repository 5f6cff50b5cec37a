import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, jun, openPopup, signIn, signInAndOpen } from './sign-in.ts';
import { janeEyre } from './test-books.ts';

test('the demo provider isolates its pages from their opener, as many providers do', async ({
  request,
  store,
}) => {
  const response = await request.get(`${store.identityOrigin}/logo.svg`);

  expect(response.headers()['cross-origin-opener-policy']).toBe('same-origin');
});

for (const address of ['/orders', '/admin', '/admin?from=a+letter&page=2']) {
  test(`${address} leads to the login, and the sign-in leads back to it`, async ({ page }) => {
    await page.goto(address);
    await expect(page).toHaveURL('/login');

    await signIn(page);

    await expect(page).toHaveURL(address);
  });
}

test('Back after a sign-in leads to the page before, not to the login', async ({ page, store }) => {
  await page.goto('/');
  await page.getByRole('link', { name: `BUY NOW: ${janeEyre.title}` }).click();
  await signIn(page);
  await expect(page).toHaveURL(await store.checkoutOf(janeEyre.title));

  await page.goBack();

  await expect(page).toHaveURL('/');
});

test('Login in the navigation bar leads back to the same page after the sign-in', async ({ page }) => {
  await page.goto('/?q=ulysses');
  await page.getByRole('button', { name: 'Login' }).click();
  await signIn(page);

  await expect(page).toHaveURL('/?q=ulysses');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('the demo provider accepts any name and e-mail address', async ({ page }) => {
  await page.goto('/orders');
  const popup = await openPopup(page);
  const closing = popup.waitForEvent('close');
  await popup.getByLabel('Name').fill('Søren Aabye');
  await popup.getByLabel('Email').fill('soren@example.com');
  await popup.getByRole('button', { name: 'Continue' }).click();
  await closing;

  await expect(page).toHaveURL('/orders');
  await expect(page.getByText('soren@example.com')).toBeVisible();
  await expect(page.getByRole('main').getByText('Søren Aabye')).toBeVisible();
});

test('a cancelled sign-in shows nothing, and a second one succeeds', async ({ page }) => {
  await page.goto('/orders');
  await page.getByRole('button', { name: /^Continue with/ }).waitFor();
  const screenBefore = await page.locator('body').ariaSnapshot();
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
  const popup = await openPopup(page);
  const closing = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await closing;
  await warning;

  await expect(page).toHaveURL('/login');
  expect(await page.locator('body').ariaSnapshot()).toBe(screenBefore);

  await signIn(page);
  await expect(page).toHaveURL('/orders');
});

test('a closed popup leaves the visitor on the login, and a second one succeeds', async ({ page }) => {
  await page.goto('/orders');
  const popup = await openPopup(page);
  await popup.getByRole('button', { name: 'Cancel' }).waitFor();
  await popup.close();
  await expect(page).toHaveURL('/login');

  await signIn(page);

  await expect(page).toHaveURL('/orders');
});

for (const [name, clickTwice] of Object.entries({
  'a double click': (button: Locator) => button.dblclick(),
  'a second click': async (button: Locator) => {
    await button.evaluate((element: { click(): void }) => {
      element.click();
      element.click();
    });
  },
})) {
  test(`${name} on Continue opens one popup`, async ({ page, context }) => {
    await page.goto('/orders');
    const opening = page.waitForEvent('popup');
    await clickTwice(page.getByRole('button', { name: /^Continue with/ }));
    const popup = await opening;
    await popup.getByRole('button', { name: ada.name }).click();

    await expect(page).toHaveURL('/orders');
    await expect.poll(() => context.pages()).toEqual([page]);
  });
}

test.describe('when popups are blocked', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript({ content: 'window.open = () => null;' });
  });

  test('the sign-in happens in the same tab and leads back to the requested page', async ({
    page,
    store,
  }) => {
    await page.goto('/admin?from=a+letter');
    await page.getByRole('button', { name: /^Continue with/ }).click();
    await page.waitForURL(`${store.identityOrigin}/**`);
    await page.getByRole('button', { name: ada.name }).click();

    await expect(page).toHaveURL('/admin?from=a+letter');
    await expect(page.getByRole('table')).toBeVisible();
  });

  test('a cancelled sign-in leads to the login, and a second one still leads to the requested page', async ({
    page,
    store,
  }) => {
    await page.goto('/orders');
    await page.getByRole('button', { name: /^Continue with/ }).click();
    await page.waitForURL(`${store.identityOrigin}/**`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/login\?returnTo=/);
    await expect(page.getByRole('alert')).toHaveCount(0);

    await page.getByRole('button', { name: /^Continue with/ }).click();
    await page.getByRole('button', { name: ada.name }).click();

    await expect(page).toHaveURL('/orders');
  });
});

test.describe('with two tabs', () => {
  test('a sign-in in one tab signs in the other', async ({ page, context }) => {
    const otherTab = await context.newPage();
    await otherTab.goto('/orders');
    await expect(otherTab).toHaveURL('/login');

    await signInAndOpen(page, '/admin');

    await expect(otherTab).toHaveURL('/orders');
    await expect(otherTab.getByText(ada.email)).toBeVisible();
  });

  test('two sign-ins at the same time both lead to their requested page', async ({ page, context }) => {
    const otherTab = await context.newPage();
    await Promise.all([page.goto('/orders'), otherTab.goto('/admin')]);
    const popup = await openPopup(page);
    const otherPopup = await openPopup(otherTab);
    await Promise.all([
      popup.getByRole('button', { name: ada.name }).waitFor(),
      otherPopup.getByRole('button', { name: ada.name }).waitFor(),
    ]);

    await Promise.all(
      [popup, otherPopup].map((signInPopup) => signInPopup.getByRole('button', { name: ada.name }).click()),
    );

    await expect(page).toHaveURL('/orders');
    await expect(otherTab).toHaveURL('/admin');
    await expect.poll(() => [popup.isClosed(), otherPopup.isClosed()]).toEqual([true, true]);
  });

  test('a sign-out in one tab signs out the other', async ({ page, context }) => {
    await signInAndOpen(page, '/orders');
    const otherTab = await context.newPage();
    await otherTab.goto('/orders');
    await expect(otherTab.getByText(ada.email)).toBeVisible();

    await page.getByRole('button', { name: 'Log out' }).click();

    await expect(otherTab).toHaveURL('/login');
    await expect(otherTab.getByText(ada.email)).toHaveCount(0);
  });
});

test('a sign-out leads home and ends the session, and Back shows no personal data', async ({ page }) => {
  await signInAndOpen(page, '/orders');
  const session = (await page.context().cookies()).filter(({ name }) => name === 'colophon-session');
  expect(session).toHaveLength(1);

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByText(ada.name)).toHaveCount(0);

  await page.goBack();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText(ada.email)).toHaveCount(0);
  // A copy of the cookie has no session any more.
  await page.context().addCookies(session);
  expect(await (await page.request.get('/auth/session')).json()).toBeNull();
});

test('Sign out everywhere ends the sessions of the customer’s other devices, and no one else’s', async ({
  page,
  browser,
}) => {
  const phone = await browser.newContext();
  const other = await browser.newContext();
  const onPhone = await phone.newPage();
  const ofOther = await other.newPage();
  await signInAndOpen(onPhone, '/orders');
  await signInAndOpen(ofOther, '/orders', jun);
  await signInAndOpen(page, '/orders');

  await page.getByText('Signed in on another device?').click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();

  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await onPhone.reload();
  await expect(onPhone).toHaveURL('/login');
  await ofOther.reload();
  await expect(ofOther.getByText(jun.email)).toBeVisible();
  await phone.close();
  await other.close();
});

test('a sign-in as another customer shows only that customer’s orders', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title), ada);
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page.getByRole('cell', { name: janeEyre.title })).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');

  await page.getByRole('link', { name: 'Orders' }).click();
  await signIn(page, jun);

  await expect(page.getByText(jun.email)).toBeVisible();
  await expect(page.getByText('You have not bought a book here yet.')).toBeVisible();
});
