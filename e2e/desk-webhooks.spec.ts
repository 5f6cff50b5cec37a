import { deskViewAddress } from '../contract/desk/paths.ts';
import { findFreePort } from '../server/testing/free-ports.ts';
import { openReceiver, type TestReceiver } from '../server/testing/webhook-receiver.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { buy, rowOf } from './visitor.ts';

const webhooks = deskViewAddress('webhooks');
const receiverPort = await findFreePort();
test.use({
  storeOptions: {
    env: {
      WEBHOOK_URL: `http://127.0.0.1:${receiverPort}/hook`,
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
      WEBHOOK_PRIVATE: 'on',
    },
  },
});

let receiver: TestReceiver;
test.beforeAll(async () => {
  receiver = await openReceiver({ port: receiverPort });
});
test.afterAll(() => receiver.close());

test('the desk shows what another program was told of an order, and what is to be sent again', async ({
  page,
  store,
}) => {
  await openSignedIn(page, webhooks);
  await expect(page.getByText('No events yet.')).toBeVisible();
  await buy(page, store, 'Sult');
  await expect(async () => {
    await page.goto(webhooks);
    await expect(rowOf(page, 'Sult')).toContainText('Delivered', { timeout: 2_000 });
  }).toPass();

  await store.db
    .updateTable('webhook_events')
    .set({ delivered_at: null, attempts: 41, error: 'The receiver answers with status 500.' })
    .execute();
  await page.getByLabel('Show').selectOption('Given up');
  const row = rowOf(page, 'Sult');
  await expect(row).toContainText('order.placed');
  await expect(row).toContainText('After 41 attempts: The receiver answers with status 500.');
  await row.getByRole('button', { name: 'Send again: order.placed, Sult' }).press('Enter');
  await expect(page.getByText('No event is in this state.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all events' }).click();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
});
