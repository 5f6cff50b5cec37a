/** A node of the store. Arguments: a database's URL, and the origin of the payment provider. */

import { flushCompileCache } from 'node:module';
import { openLog } from '../../http/log.ts';
import { unsentMail } from '../../mail/mail.ts';
import { openPayments } from '../../payments/open.ts';
import { noWebhooks } from '../../webhooks/sender.ts';
import { believingProvider, owner, sender, setClock, settingsOf } from '../model/node.ts';
import { openTestStore } from '../test-store.ts';
import { paymentDays, providerKeys, type ToNode } from './node.ts';

const [url = '', providerOrigin = ''] = process.argv.slice(2);
const apiUrl = new URL(providerOrigin);
const keys = { stripe: { ...providerKeys, apiUrl }, mollie: { apiKey: providerKeys.secretKey, apiUrl } };
const settings = {
  ...{ publicUrl: sender.publicUrl, adminEmails: [owner.email], hasRateLimits: false },
  payments: { ways: ['stripe', 'mollie', 'transfer'], days: paymentDays, ...keys },
  transfer: { iban: 'DE89370400440532013000', name: 'Colophon' },
};
const store = await openTestStore({
  database: settingsOf(url),
  provider: believingProvider,
  mail: { ...unsentMail('off', sender), mode: 'sent' },
  webhooks: { ...noWebhooks, isOn: true },
  settings,
});
const { db, catalogueVersion } = store.database;
const { sweep } = openPayments({
  ...{ db, settings, log: openLog('silent'), onShelfChanged: catalogueVersion.recordLocalChange },
  outbox: { senders: { mail: true, webhooks: true }, wake() {} },
});

process.on('message', async (message: ToNode) => {
  if (message === 'sweep') await sweep();
  else if (message === 'forget') catalogueVersion.recordLocalChange();
  else setClock(message);
  process.send?.('done');
});
// The parent process has ended: `error` comes if an answer cannot be sent, `disconnect` otherwise.
for (const event of ['disconnect', 'error']) process.on(event, () => process.exit());
// A process that is killed would not leave it.
flushCompileCache();
process.send?.(store.origin);
