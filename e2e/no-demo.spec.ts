/** A shop that is no demo: it has named admins, and sends mail and events. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { type IdentityProvider, startIdentityProvider } from '../server/demo/identity-provider.ts';
import { findFreePort } from '../server/testing/free-ports.ts';
import { openSmtpServer, type TestSmtpServer } from '../server/testing/smtp-server.ts';
import { openReceiver, type TestReceiver } from '../server/testing/webhook-receiver.ts';
import { expect, test } from './fixtures.ts';
import { ada, jun, signInAndOpen } from './sign-in.ts';
import {
  addButton,
  buy,
  checkoutButton,
  deleteButton,
  heading,
  openView,
  pickCover,
  rowOf,
} from './visitor.ts';

const [port, smtpPort, identityPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
const receiverPort = await findFreePort();
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
  receiver = await openReceiver({ port: receiverPort });
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
});

test.afterAll(async () => {
  await smtp.close();
  await provider.close();
  receiver.close();
});

test('only a named admin deletes and uses the desk; others, and one who is not verified, learn why', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/403 .*\/deleteBook\//);
  provokes(/403 .*\/desk\/api\//);
  const activity = deskViewAddress('activity');
  const refusal = page.getByText('This account may not change the catalogue.');
  await test.step('a customer', async () => {
    await signInAndOpen(page, '/admin', jun);
    await deleteButton(page).click();
    await expect(refusal).toBeVisible();
    await expect(deleteButton(page)).toBeVisible();
    await page.goto(activity);
    await expect(heading(page)).toHaveText('This account may not use the desk');
    await expect(page.getByText('You are signed in as jun@example.com.')).toContainText(
      'The desk is for the admins that ADMIN_EMAILS or ADMIN_CLAIM names.',
    );
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
    await expect(refusal).toContainText(reason);
    await page.goto(deskViewAddress('orders'));
    await expect(heading(page)).toHaveText('This account may not use the desk');
    await expect(page.getByText(reason)).toBeVisible();
  });
});

test('mail is sent again, or in spite of an unverified e-mail, on request', async ({ page, store }) => {
  const mailsOf = (subject: string) => smtp.mails.filter(({ raw }) => raw.includes(`Subject: ${subject}`));
  const isInState = (title: string, state: string) =>
    expect(async () => {
      await page.goto(deskViewAddress('mail'));
      await expect(rowOf(page, title)).toContainText(state, { timeout: 2_000 });
    }).toPass();
  await signInAndOpen(page, await store.checkoutOf('Sult'));
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await test.step('a mailbox that refuses, until it does not', async () => {
    await isInState('Sult', 'Given up');
    await expect(rowOf(page, 'Sult')).toContainText('After 1 attempt');
    isRefusing = false;
    await rowOf(page, 'Sult')
      .getByRole('button', { name: /^Send again:/ })
      .press('Enter');
    await expect(rowOf(page, 'Sult')).not.toContainText('Given up');
    await isInState('Sult', 'Sent');
    expect(mailsOf('Your order')).toHaveLength(1);
  });
  const verify = (is_email_verified: number) =>
    store.db.updateTable('customers').set({ is_email_verified }).execute();
  await test.step('no receipt to an address that nobody has verified', async () => {
    await verify(0);
    await page.goto(await store.checkoutOf('Ulysses'));
    await checkoutButton(page).click();
    await expect(page.getByRole('status').filter({ hasText: 'Thank you' })).toHaveText(
      'Thank you. Ulysses is yours. No receipt is sent: your sign-in provider has not verified your e-mail.',
    );
    await expect.poll(() => mailsOf('New order: Ulysses')).toHaveLength(1);
    // Ada is an admin by her e-mail.
    await verify(1);
  });
  await test.step('but on request', async () => {
    await page.goto(deskViewAddress('mail'));
    await page.getByLabel('Show').selectOption('No receipt');
    const row = rowOf(page, 'Ulysses');
    await expect(row).toContainText('The sign-in provider has not verified this address.');
    await row.getByRole('button', { name: /^Send anyway:/ }).click();
    await expect.poll(() => mailsOf('Your order: Ulysses')).toHaveLength(1);
  });
});

test('the desk shows what another program was told of an order, and sends it again on request', async ({
  page,
  store,
}) => {
  const webhooks = deskViewAddress('webhooks');
  await buy(page, store, '紅樓夢');
  const row = rowOf(page, '紅樓夢');
  await expect(async () => {
    await page.goto(webhooks);
    await expect(row).toContainText('Delivered', { timeout: 2_000 });
  }).toPass();

  const error = 'The receiver answers with status 500.';
  const given = { delivered_at: null, attempts: 41, error };
  await store.db.updateTable('webhook_events').set(given).execute();
  await page.getByLabel('Show').selectOption('Given up');
  await expect(row).toContainText(`After 41 attempts: ${error}`);
  const before = receiver.received.length;
  await row.getByRole('button', { name: 'Send again: order.placed, 紅樓夢' }).press('Enter');
  await expect.poll(() => receiver.received.length).toBe(before + 1);
  await expect(row).toHaveCount(0);
});
