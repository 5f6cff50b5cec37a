import { expect, test } from 'vitest';
import { recordBackup } from '../database/last-backup.ts';
import { openLog } from '../http/log.ts';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { openSmtpServer } from '../testing/smtp-server.ts';
import { setUpTestStore } from '../testing/test-store.ts';
import { openBackupReminder } from './backup-reminder.ts';
import { openMailSender } from './mail.ts';
import { openTransport } from './transport.ts';

const dayMs = 24 * 60 * 60 * 1000;
const store = setUpTestStore();

test('the shop gets a mail when its last backup is older than two days, once, and again after four', async () => {
  const { db } = store.database;
  const smtp = await openSmtpServer();
  const from = { name: '', address: 'orders@shop.example' };
  const mail = openMailSender({
    ...{ db, sendsUnverified: false, transport: openTransport(smtp.url), log: openLog('silent') },
    sender: { storeName: 'Quill & Co', timeZone: 'UTC', publicUrl: new URL('https://shop.example'), from },
  });
  endsWithTest(async () => {
    await mail.close();
    await smtp.close();
  });
  const node = openBackupReminder(mail);
  const backUp = (daysAgo: number) => recordBackup(db, { startedAt: Date.now() - daysAgo * dayMs, bytes: 1 });

  await node(db);
  await backUp(1.9);
  await node(db);
  expect(smtp.mails).toEqual([]);

  await backUp(2.1);
  await node(db);
  await node(db);
  expect(smtp.mails).toMatchObject([
    { to: ['orders@shop.example'], raw: expect.stringContaining('Subject: No backup for 2 days') },
  ]);
  expect(smtp.mails[0]?.raw).toContain('The last good backup of Quill & Co');

  await backUp(3.5);
  await node(db);
  await backUp(4.5);
  await node(db);
  // The second node sends the same message: mail programs show both as one.
  await openBackupReminder(mail)(db);
  const ids = smtp.mails.map(({ messageId }) => messageId);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(2);
});
