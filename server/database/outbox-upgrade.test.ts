/** Mail and webhooks of an older version: the migration to the outbox keeps what waits, and the states on the desk. */

import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openLog } from '../http/log.ts';
import { listMail } from '../mail/desk-mail.ts';
import { openMailSender } from '../mail/mail.ts';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { createTestDatabase, fileOf, isOnPostgres, setUpTestDatabase } from '../testing/test-database.ts';
import { listEvents } from '../webhooks/desk-webhooks.ts';
import { firstIdAt } from './ids.ts';
import { migrate } from './migrate.ts';
import * as migrations from './migrations/index.ts';
import { openUnlimited } from './open.ts';
import { dayMs } from './times.ts';

const testDatabase = setUpTestDatabase(createTestDatabase);
const now = Date.now();
const [sent, long] = [now - dayMs, now - 40 * dayMs];

/** The columns of mail that orders had, by the state that the desk showed; the desk no longer shows the state `none`. */
const orders = {
  'sent 1': { receipt_sent_at: sent, notice_sent_at: sent, mail_attempts: 1 },
  'sent withdrawn': {
    ...{ receipt_sent_at: sent, notice_sent_at: sent, acknowledgement_sent_at: sent, mail_attempts: 1 },
    ...{ withdrawal_notice_sent_at: sent, withdrawn_at: sent, order_mail_ended_at: sent },
  },
  'sent withdrawn, and only its withdrawal was told': {
    ...{ acknowledgement_sent_at: sent, withdrawal_notice_sent_at: sent, withdrawn_at: sent },
    ...{ order_mail_ended_at: sent, notice_sent_at: sent, mail_attempts: 1 },
  },
  'waiting untried': { mail_due_at: now },
  'waiting receipt': { mail_due_at: now, notice_sent_at: sent, mail_attempts: 3, mail_error: '450 later' },
  'waiting long': { placed_at: long, mail_due_at: now, mail_attempts: 9, mail_error: '421 busy' },
  'waiting withdrawn': {
    ...{ receipt_sent_at: sent, notice_sent_at: sent, withdrawn_at: sent },
    ...{ order_mail_ended_at: sent, mail_due_at: now, mail_attempts: 0 },
  },
  'given-up 1': { notice_sent_at: sent, mail_attempts: 2, mail_error: '550 unknown' },
  'given-up long': { placed_at: long, notice_sent_at: long, mail_attempts: 2, mail_error: '550 unknown' },
  'unverified 1': { notice_sent_at: sent, mail_attempts: 1 },
  'none long': { placed_at: long, receipt_sent_at: long, notice_sent_at: long, mail_attempts: 1 },
  'none erased': { buyer_email: '', notice_sent_at: sent, mail_attempts: 1 },
  'none before mail': {},
};
const events = [
  { state: 'waiting', created_at: long, due_at: now + dayMs, attempts: 4, error: 'It answered 500.' },
  { state: 'delivered', created_at: sent, attempts: 1, delivered_at: sent },
  { state: 'given-up', created_at: sent, attempts: 9, error: 'It answered 500.' },
  { state: 'none', created_at: long, attempts: 1, delivered_at: long },
];

test('mail and events keep their states, and what waits is sent as it would have been', async () => {
  // A reader of SQLite makes no file.
  if (!isOnPostgres()) await writeFile(fileOf(testDatabase.url), '');
  const db = await openUnlimited(testDatabase.settings);
  endsWithTest(() => db.destroy());
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0027')));
  const insert = async (table: string, row: object) => {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
      db,
    );
  };
  const person = { issuer: '', name: 'Jane', photo: '', created_at: now };
  for (const [id, is_email_verified] of [
    ['verified', 1],
    ['unverified', 0],
  ] as const)
    await insert('customers', { id, sub: id, email: `${id}@example.org`, is_email_verified, ...person });
  const book = { book_id: 'b', title: 'Emma', author: 'Jane Austen', price_cents: 1, time: '' };
  let serial = 0;
  const idOf = (at: number) => {
    serial += 1;
    return `${firstIdAt(at)}-${String(serial).padStart(3, '0')}`;
  };
  const names = new Map<string, string>();
  for (const [name, mail] of Object.entries(orders)) {
    for (const customer_id of ['verified', 'unverified']) {
      const buyer = { customer_id, buyer_name: 'Jane', buyer_email: `${customer_id}@example.org` };
      const order = { placed_at: sent, ...book, ...buyer, ...mail };
      const id = idOf(order.placed_at);
      names.set(id, `${name} of ${customer_id}`);
      await insert('orders', { id, ...order });
    }
  }
  const [order_id] = names.keys();
  const ids = new Map(events.map((event) => [idOf(event.created_at), event]));
  for (const [id, { state: _, ...event }] of ids)
    await insert('webhook_events', { id, type: 'order.placed', customer_id: 'verified', order_id, ...event });

  await migrate(db, migrations);

  const page = { cursor: undefined, limit: 100 };
  for (const state of ['sent', 'waiting', 'given-up', 'unverified'] as const) {
    const { messages } = await listMail(db, 'sent', { state, ...page });
    const expected = [...names].filter(([, name]) => name.startsWith(state)).map(([id]) => id);
    expect(messages.map(({ _id }) => names.get(_id)).sort()).toEqual(
      expected.map((id) => names.get(id)).sort(),
    );
    for (const mail of messages)
      expect(mail).toMatchObject({
        state,
        attempts: orders[names.get(mail._id)?.replace(/ of .*/, '') as 'waiting long'].mail_attempts ?? 0,
      });
  }
  expect((await listMail(db, 'sent', { state: 'all', ...page })).messages).toHaveLength(2 * 8);
  const told = [...ids].filter(([, { state }]) => state !== 'none');
  expect((await listEvents(db, { state: 'all', ...page })).events).toMatchObject(
    told.sort(([one], [other]) => (one < other ? 1 : -1)).map(([_id, { state }]) => ({ _id, state })),
  );

  const messageIds: string[] = [];
  const transport = {
    send: async ({ messageId }: { messageId: string }) => void messageIds.push(messageId),
    async checkLogin() {},
    close() {},
  };
  const sender = {
    ...{ storeName: 'Colophon', timeZone: 'UTC', publicUrl: new URL('https://shop.example') },
    from: { name: '', address: 'orders@shop.example' },
  };
  const times = { roundMs: 1 };
  const log = openLog('silent');
  const mail = openMailSender({ db, sender, sendsUnverified: false, transport, log, times });
  endsWithTest(() => mail.close());
  await expect
    .poll(async () => (await listMail(db, 'sent', { state: 'waiting', ...page })).messages)
    .toEqual([]);
  const kindsOf = (name: string) =>
    messageIds
      .filter((messageId) => [...names].some(([id, one]) => one === name && messageId.includes(id)))
      .map((messageId) => /<([\w-]+)\./.exec(messageId)?.[1])
      .sort();
  expect(kindsOf('waiting untried of verified')).toEqual(['notice', 'receipt']);
  expect(kindsOf('waiting untried of unverified')).toEqual(['notice']);
  expect(kindsOf('waiting receipt of verified')).toEqual(['receipt']);
  // The owner asked for this mail.
  expect(kindsOf('waiting receipt of unverified')).toEqual(['receipt']);
  expect(kindsOf('waiting long of verified')).toEqual(['notice', 'receipt']);
  expect(kindsOf('waiting long of unverified')).toEqual(['notice']);
  expect(kindsOf('waiting withdrawn of verified')).toEqual(['acknowledgement', 'withdrawal-notice']);
  expect(kindsOf('waiting withdrawn of unverified')).toEqual(['withdrawal-notice']);
  expect(messageIds).toHaveLength(11);
});
