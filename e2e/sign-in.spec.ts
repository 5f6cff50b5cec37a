import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, jun, openPopup, signIn, signInAndOpen } from './sign-in.ts';
import { janeEyre } from './test-books.ts';

test('the demo provider cuts its pages off from their opener, as real ones do', async ({
  request,
  store,
}) => {
  const answer = await request.get(`${store.identityOrigin}/mark.svg`);

  expect(answer.headers()['cross-origin-opener-policy']).toBe('same-origin');
});

for (const address of ['/orders', '/admin', '/admin?from=a+letter&page=2']) {
  test(`${address} asks for a sign-in and is returned to after it`, async ({ page }) => {
    await page.goto(address);
    await expect(page).toHaveURL('/login');

    await signIn(page);

    await expect(page).toHaveURL(address);
  });
}

test('after a sign-in Back leads to where the visitor was before, not to the login', async ({
  page,
  store,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: `BUY NOW: ${janeEyre.title}` }).click();
  await signIn(page);
  await expect(page).toHaveURL(await store.checkoutOf(janeEyre.title));

  await page.goBack();

  await expect(page).toHaveURL('/');
});

test('Login on the navigation bar leads back to the page it was pressed on', async ({ page }) => {
  await page.goto('/?q=ulysses');
  await page.getByRole('button', { name: 'Login' }).click();
  await signIn(page);

  await expect(page).toHaveURL('/?q=ulysses');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('anybody can sign in at the demo provider with a name and an e-mail address', async ({ page }) => {
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

test('a sign-in that is cancelled shows nothing, and another try works', async ({ page }) => {
  await page.goto('/orders');
  await page.getByRole('button', { name: /^Continue with/ }).waitFor();
  const before = await page.locator('body').ariaSnapshot();
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning');
  const popup = await openPopup(page);
  const closing = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await closing;
  await warned;

  await expect(page).toHaveURL('/login');
  expect(await page.locator('body').ariaSnapshot()).toBe(before);

  await signIn(page);
  await expect(page).toHaveURL('/orders');
});

test('a popup that is just closed leaves the login as it was, and another try works', async ({ page }) => {
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

test.describe('where popups are blocked', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript({ content: 'window.open = () => null;' });
  });

  test('the sign-in takes the tab and returns to the page it was for', async ({ page, store }) => {
    await page.goto('/admin?from=a+letter');
    await page.getByRole('button', { name: /^Continue with/ }).click();
    await page.waitForURL(`${store.identityOrigin}/**`);
    await page.getByRole('button', { name: ada.name }).click();

    await expect(page).toHaveURL('/admin?from=a+letter');
    await expect(page.getByRole('table')).toBeVisible();
  });

  test('a cancelled sign-in comes back to the login, which still knows the page', async ({ page, store }) => {
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
  test('a sign-in in one signs the other in as well', async ({ page, context }) => {
    const other = await context.newPage();
    await other.goto('/orders');
    await expect(other).toHaveURL('/login');

    await signInAndOpen(page, '/admin');

    await expect(other).toHaveURL('/orders');
    await expect(other.getByText(ada.email)).toBeVisible();
  });

  test('sign-ins at the same moment both arrive where they were for', async ({ page, context }) => {
    const other = await context.newPage();
    await Promise.all([page.goto('/orders'), other.goto('/admin')]);
    const popup = await openPopup(page);
    const otherPopup = await openPopup(other);
    await Promise.all([
      popup.getByRole('button', { name: ada.name }).waitFor(),
      otherPopup.getByRole('button', { name: ada.name }).waitFor(),
    ]);

    await Promise.all(
      [popup, otherPopup].map((each) => each.getByRole('button', { name: ada.name }).click()),
    );

    await expect(page).toHaveURL('/orders');
    await expect(other).toHaveURL('/admin');
    await expect.poll(() => [popup.isClosed(), otherPopup.isClosed()]).toEqual([true, true]);
  });

  test('signing out in one signs the other out as well', async ({ page, context }) => {
    await signInAndOpen(page, '/orders');
    const other = await context.newPage();
    await other.goto('/orders');
    await expect(other.getByText(ada.email)).toBeVisible();

    await page.getByRole('button', { name: 'Log out' }).click();

    await expect(other).toHaveURL('/login');
    await expect(other.getByText(ada.email)).toHaveCount(0);
  });
});

test('signing out goes home, ends the session, and Back shows nothing private', async ({ page }) => {
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
  // The cookie that somebody may have copied is worth nothing any more.
  await page.context().addCookies(session);
  expect(await (await page.request.get('/auth/session')).json()).toBeNull();
});

test('signing in again as somebody else shows that person’s orders only', async ({ page, store }) => {
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
