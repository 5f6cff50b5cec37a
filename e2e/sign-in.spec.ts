import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, continueButton, jun, openPopup, signIn, signInAndOpen } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { checkoutButton, noOrders } from './visitor.ts';

test('a sign-in with any name and e-mail, by a double click, leads back to the protected page', async ({
  page,
  context,
}) => {
  await page.goto('/orders?from=a+letter&page=2');
  await expect(page).toHaveURL('/login');
  const opening = page.waitForEvent('popup');
  await continueButton(page).dblclick();
  const popup = await opening;
  const closing = popup.waitForEvent('close');
  await popup.getByLabel('Name').fill('Søren Aabye');
  await popup.getByLabel('Email').fill('soren@example.com');
  await popup.getByRole('button', { name: 'Continue' }).click();
  await closing;

  await expect(page).toHaveURL('/orders?from=a+letter&page=2');
  expect(context.pages()).toEqual([page]);
  await expect(page.getByText('soren@example.com')).toBeVisible();
  await expect(page.getByRole('main').getByText('Søren Aabye')).toBeVisible();
});

test('a sign-in that was cancelled, closed or left open shows nothing', async ({ page }) => {
  await page.goto('/orders');
  await continueButton(page).waitFor();
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
  const cancelled = await openPopup(page);
  const closing = cancelled.waitForEvent('close');
  await cancelled.getByRole('button', { name: 'Cancel' }).click();
  await closing;
  await warning;
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveCount(0);

  for (const leave of ['closed', 'left open']) {
    const popup = await openPopup(page);
    await popup.getByRole('button', { name: 'Cancel' }).waitFor();
    await expect(page.getByRole('status')).toHaveText(/^Continue in .+’s window\..+ again\.$/);
    if (leave === 'closed') {
      await expectAccessible(page, 'login while its window is open');
      await expectAccessible(popup, 'the demo provider’s page');
      await popup.close();
    }
    await expect(page).toHaveURL('/login');
    // A click within 150 ms of another is a double click.
    await page.evaluate(
      '{ const now = performance.now.bind(performance); performance.now = () => now() + 150; }',
    );
  }

  await signIn(page);
  await expect(page).toHaveURL('/orders');
});

test('when popups are blocked, the sign-in happens in the same tab', async ({ page, store }) => {
  await page.addInitScript({ content: 'window.open = () => null;' });
  await page.goto('/admin?from=a+letter');
  await continueButton(page).click();
  await page.waitForURL(`${store.identityOrigin}/**`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/login\?returnTo=/);
  await expect(page.getByRole('alert')).toHaveCount(0);

  await continueButton(page).click();
  await page.getByRole('button', { name: ada.name }).click();

  await expect(page).toHaveURL('/admin?from=a+letter');
  await expect(page.getByRole('table')).toBeVisible();
});

test('a sign-in in one tab signs in the other, a sign-out signs it out, and both may sign in at the same time', async ({
  page,
  context,
}) => {
  const otherTab = await context.newPage();
  await otherTab.goto('/orders');
  await expect(otherTab).toHaveURL('/login');
  await signInAndOpen(page, '/orders');
  await expect(otherTab).toHaveURL('/orders');
  await expect(otherTab.getByText(ada.email)).toBeVisible();
  // Orders that are still fetched would be refused after the sign-out.
  for (const tab of [page, otherTab]) await expect(noOrders(tab)).toBeVisible();
  // The foot of the shorter login stands higher, which does not count after a key press.
  await otherTab.keyboard.press('Shift');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(otherTab).toHaveURL('/login');
  await expect(otherTab.getByText(ada.email)).toHaveCount(0);

  await Promise.all([page.goto('/orders'), otherTab.goto('/admin')]);
  const popups = [await openPopup(page), await openPopup(otherTab)];
  const buttons = popups.map((popup) => popup.getByRole('button', { name: ada.name }));
  await Promise.all(buttons.map((button) => button.waitFor()));
  await Promise.all(buttons.map((button) => button.click()));
  await expect(page).toHaveURL('/orders');
  await expect(otherTab).toHaveURL('/admin');
  await expect.poll(() => popups.map((popup) => popup.isClosed())).toEqual([true, true]);
});

test('a sign-out ends the session, and shows nothing personal any more', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  const session = (await page.context().cookies()).filter(({ name }) => name === 'colophon-session');
  expect(session).toHaveLength(1);
  await checkoutButton(page).click();
  await expect(page.getByRole('cell', { name: janeEyre.title })).toBeVisible();

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByText(ada.name)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText(ada.email)).toHaveCount(0);
  // A copied cookie has no session any more.
  await page.context().addCookies(session);
  expect(await (await page.request.get('/auth/session')).json()).toBeNull();

  await signIn(page, jun);
  await expect(page).toHaveURL('/orders');
  await expect(page.getByText(jun.email)).toBeVisible();
  await expect(noOrders(page)).toBeVisible();
});

test('Sign out everywhere signs out all devices of one customer', async ({ page, browser, store }) => {
  const onPhone = await browser.newPage({ baseURL: store.origin });
  for (const device of [onPhone, page]) await signInAndOpen(device, '/orders', jun);
  await page.getByText('Signed in elsewhere?').click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await onPhone.reload();
  await expect(onPhone).toHaveURL('/login');
  await onPhone.close();
});
