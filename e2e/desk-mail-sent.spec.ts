import { deskViewAddress } from '../contract/desk/paths.ts';
import { type IdentityProvider, startIdentityProvider } from '../server/demo/identity-provider.ts';
import { findFreePort } from '../server/testing/free-ports.ts';
import { openSmtpServer, type TestSmtpServer } from '../server/testing/smtp-server.ts';
import { expect, test } from './fixtures.ts';
import { ada, signInAndOpen } from './sign-in.ts';
import { checkoutButton, rowOf } from './visitor.ts';

const [port, smtpPort, identityPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
const storeOrigin = `http://localhost:${port}`;
const issuer = `http://localhost:${identityPort}`;
const client = { clientId: 'colophon', clientSecret: 'a secret of this test' };

// The demo sends no mail, so the people of its provider sign in at a store that is no demo.
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
    },
  },
});

let provider: IdentityProvider;
let smtp: TestSmtpServer;
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
});

test.afterAll(async () => {
  await smtp.close();
  await provider.close();
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
  await isInState('Sult', 'Given up');
  await expect(rowOf(page, 'Sult')).toContainText('After 1 attempt');
  isRefusing = false;
  const sendAgain = rowOf(page, 'Sult').getByRole('button', { name: /^Send again:/ });
  await sendAgain.press('Enter');
  await expect(rowOf(page, 'Sult')).not.toContainText('Given up');
  await isInState('Sult', 'Sent');
  await expect(sendAgain).toHaveCount(0);
  expect(mailsOf('Your order')).toHaveLength(1);

  const verify = (is_email_verified: number) =>
    store.db.updateTable('customers').set({ is_email_verified }).execute();
  await verify(0);
  await page.goto(await store.checkoutOf('Ulysses'));
  await checkoutButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Thank you' })).toHaveText(
    'Thank you. Ulysses is yours. No receipt is sent: your sign-in provider has not verified your e-mail.',
  );
  await expect.poll(() => mailsOf('New order: Ulysses')).toHaveLength(1);
  // Ada is an admin by her e-mail.
  await verify(1);
  await page.goto(deskViewAddress('mail'));
  await page.getByLabel('Show').selectOption('No receipt');
  const row = rowOf(page, 'Ulysses');
  await expect(row).toContainText('The sign-in provider has not verified this address.');
  await row.getByRole('button', { name: /^Send anyway:/ }).click();
  await expect.poll(() => mailsOf('Your order: Ulysses')).toHaveLength(1);
});
