/** A shop that is no demo: it has named admins, sends mail, and tells another program of its orders. */

import { type DeskView, deskViewAddress } from '../contract/desk/paths.ts';
import { type IdentityProvider, startIdentityProvider } from '../server/demo/identity-provider.ts';
import { findFreePort } from '../server/testing/free-ports.ts';
import { openSmtpServer, type TestSmtpServer } from '../server/testing/smtp-server.ts';
import { openReceiver, type TestReceiver } from '../server/testing/webhook-receiver.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, signInAndOpen } from './sign-in.ts';
import { addButton, checkoutButton, deleteButton, heading, openView, pickCover, rowOf } from './visitor.ts';

const [port, smtpPort] = [await findFreePort(), await findFreePort()];
const [identityPort, receiverPort] = [await findFreePort(), await findFreePort()];
const storeOrigin = `http://localhost:${port}`;
const issuer = `http://localhost:${identityPort}`;
const client = { clientId: 'colophon', clientSecret: 'a secret of this test' };

// One worker, and so one store, for all tests of the file.
test.describe.configure({ mode: 'default' });
test.use({
  storeOptions: {
    env: {
      PORT: String(port),
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      ADMIN_EMAILS: ada.email,
      MAIL_URL: `smtp://127.0.0.1:${smtpPort}`,
      MAIL_FROM: 'shop@shop.example',
      WEBHOOK_URL: `http://127.0.0.1:${receiverPort}/hook`,
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
      WEBHOOK_PRIVATE: 'on',
    },
  },
});

let provider: IdentityProvider;
let smtp: TestSmtpServer;
let receiver: TestReceiver;
let isRefusing = true;

test.beforeAll(async () => {
  provider = await startIdentityProvider({
    ...client,
    host: '127.0.0.1',
    port: identityPort,
    issuer,
    storeName: 'Colophon',
    redirectUri: `${storeOrigin}/auth/callback`,
    storeOrigin,
  });
  const refuse = (address: string) =>
    isRefusing && address === ada.email ? { code: 550, message: 'no such mailbox' } : undefined;
  smtp = await openSmtpServer({ port: smtpPort, refuse });
  receiver = await openReceiver({ port: receiverPort });
});

test.afterAll(async () => {
  await receiver.close();
  await smtp.close();
  await provider.close();
});

test('only a named admin deletes and uses the desk; others, and one who is not verified, learn why', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/403 .*\/deleteBook\//);
  provokes(/403 .*\/desk\/api\//);
  const activity = deskViewAddress('activity');
  const refusal = page.getByText('The book was not deleted. This account may not do that.');
  await test.step('a customer', async () => {
    await signInAndOpen(page, '/admin', jun);
    await deleteButton(page).click();
    await expect(refusal).toBeVisible();
    await expect(deleteButton(page)).toBeVisible();
    await expectAccessible(page, 'admin of an account that may not change the catalogue');
    await page.goto(activity);
    await expect(heading(page)).toHaveText('This account may not use the desk');
    await expect(page.getByText('You are signed in as jun@example.com.')).toContainText(
      'The desk is for the admins that ADMIN_EMAILS or ADMIN_CLAIM names.',
    );
    await expectAccessible(page, 'desk of an account that may not use it');
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/');
  });
  await test.step('the admin', async () => {
    await signInAndOpen(page, activity, ada);
    await expect(page.getByRole('cell', { name: 'Signed in as an admin' }).first()).toBeVisible();
    await page.goto('/admin');
    await deleteButton(page).click();
    await expect(deleteButton(page)).toHaveCount(0);
    await openView(page, 'Add Book');
    await pickCover(page);
    await expect(addButton(page)).toBeEnabled();
  });
  await test.step('the admin, whose e-mail the provider no longer calls verified', async () => {
    await store.db.updateTable('customers').set({ is_email_verified: 0 }).execute();
    await page.goto('/admin');
    await deleteButton(page, 'Ulysses').click();
    const reason = 'the sign-in provider did not say that its e-mail is verified.';
    await expect(page.getByText(reason)).toBeVisible();
    await page.goto(deskViewAddress('orders'));
    await expect(heading(page)).toHaveText('This account may not use the desk');
    await expect(page.getByText(reason)).toBeVisible();
  });
});

test('mail is read on the desk; mail and an event that were given up are sent again on request', async ({
  page,
  store,
}) => {
  const isInState = (title: string, state: string, view: DeskView = 'mail') =>
    expect(async () => {
      await page.goto(deskViewAddress(view));
      await expect(rowOf(page, title)).toContainText(state, { timeout: 2_000 });
    }).toPass();
  await signInAndOpen(page, await store.checkoutOf('Sult'));
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await isInState('Sult', 'Given up');
  await expect(rowOf(page, 'Sult')).toContainText('After 1 attempt');
  const read = rowOf(page, 'Sult').getByRole('button', { name: /^Open:/ });
  await read.press('Enter');
  for (const name of ['Receipt', 'Notice to the shop'])
    await expect(page.getByRole('region', { name })).toContainText('Sult');
  await expectAccessible(page, 'mail that could not be sent');
  await page.keyboard.press('Escape');
  await expect(read).toBeFocused();
  isRefusing = false;
  await rowOf(page, 'Sult')
    .getByRole('button', { name: /^Send again:/ })
    .press('Enter');
  await expect(rowOf(page, 'Sult')).not.toContainText('Given up');
  await isInState('Sult', 'Sent');
  expect(smtp.mails.filter(({ raw }) => raw.includes('Subject: Your order'))).toHaveLength(1);

  await isInState('Sult', 'Delivered', 'webhooks');
  const givenUp = { done_at: null, attempts: 41, error: 'The receiver answers with status 500.' };
  await store.db.updateTable('outbox').set(givenUp).where('sender', '=', 'webhooks').execute();
  await page.getByLabel('Show').selectOption('Given up');
  await expect(rowOf(page, 'Sult')).toContainText(`After 41 attempts: ${givenUp.error}`);
  await expectAccessible(page, 'an event that could not be delivered');
  await page.getByRole('button', { name: 'Send again: order.placed, Sult' }).press('Enter');
  await isInState('Sult', 'Delivered', 'webhooks');
  expect(receiver.received.map(({ id }) => id)).toEqual(Array(2).fill(receiver.received[0]?.id));
});
