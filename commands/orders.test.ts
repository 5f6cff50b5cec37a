import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { DeskOrder } from '../contract/desk/orders.ts';
import type { Way } from '../contract/ways.ts';
import { listActivity } from '../server/activity/activity.ts';
import type { Database } from '../server/database/open.ts';
import { recordMessages } from '../server/outbox/record.ts';
import { insertPayments } from '../server/payments/payments.ts';
import { startSession } from '../server/sign-in/sessions.ts';
import { addOrders } from '../server/testing/orders.ts';
import { createStoreDatabase, fileOf } from '../server/testing/test-database.ts';
import { reader } from '../server/testing/test-store.ts';
import { runShop } from './testing/shop.ts';

let url: string;
let folder: string;
/** The database stays open, like that of a running store. */
let database: Database;
beforeEach(async () => {
  const testDatabase = await createStoreDatabase();
  ({ url } = testDatabase);
  folder = dirname(fileOf(url));
  database = await testDatabase.open();
});

const shop = (...args: readonly string[]) => runShop(args, { DATABASE_URL: url });
const shopJson = async <Result>(...args: readonly string[]): Promise<Result> => {
  const { stdout, stderr, exitCode } = await shop(...args, '--json');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return JSON.parse(stdout);
};
const failed = (stderr: string) => ({ stdout: '', stderr: `${stderr}\n`, exitCode: 1 });

const start = Date.now() - 60 * 60 * 1000;
const signIn = async (issuer: string, email = 'ada@example.com') => {
  const identity = { ...reader, issuer, email, name: 'Ada L.' };
  return (await startSession(database.db, identity, { providerIssuer: issuer })).customerId;
};

/** Places orders, one second apart. @returns their ids, the oldest first. */
const place = (customerId: string, count: number) =>
  addOrders(
    database.db,
    customerId,
    Array.from({ length: count }, (_, index) => ({
      at: start + index * 1000,
      title: index === 0 ? 'Emma\u001b[2J' : 'Romola',
      author: 'George Eliot',
      priceCents: 1050,
      name: 'Ada L.',
      email: 'ada@example.com',
    })),
  );

test('orders are listed, by state, days and words, sent, and their addresses set until then', async () => {
  const ids = await place(await signIn('one'), 3);
  const [one = '', two = ''] = ids;
  const orders = await shopJson<DeskOrder[]>('orders', 'list', '--q', 'eliot ADA');
  expect(orders.map(({ _id }) => _id)).toEqual(ids.toReversed());
  expect(await shopJson('orders', 'list', '--since', '2999-01-01')).toEqual([]);
  expect((await shop('orders', 'list', '--state', 'sent')).stderr).toBe('No order is listed.\n');
  expect((await shop('orders', 'list', '--limit', '2')).stderr).toMatch(/^There are more: --limit /);
  expect((await shop('orders', 'list', '--q', 'emma')).stdout).toMatch(
    /^\S+ {2}[\dA-Z]{8} {2}\S+Z {2}new {11}\$10\.50 {2}Emma\ufffd\[2J {2}George Eliot {2}Ada L\. {2}ada@\S+\n$/,
  );

  const set = await shopJson('orders', 'set-address', one, ' 1 Hartfield Lane\nHighbury');
  expect(set).toMatchObject({ _id: one, deliveryAddress: '1 Hartfield Lane\nHighbury' });
  const { stderr } = await shop('orders', 'set-address', one, '');
  expect(stderr).toBe(`The order ${orders[2]?.number} has no address now.\n`);
  const time = expect.stringMatching(/Z$/);
  const sent = { _id: one, sentAt: time, addressCorrectedAt: time, isChanged: true };
  expect(await shopJson('orders', 'mark-sent', one, '--tracking', 'DHL 1')).toEqual([sent]);
  const followed = await shopJson('orders', 'list', '--state', 'sent');
  expect(followed).toMatchObject([{ _id: one, tracking: 'DHL 1' }]);
  const late = await shop('orders', 'set-address', one, 'Highbury');
  expect(late).toEqual(failed(`${one}: This order was sent already.`));
  expect(await shopJson('orders', 'mark-sent', one, '--undo')).toEqual([{ ...sent, sentAt: null }]);
  const partly = await shop('orders', 'mark-sent', orders[1]?.number ?? '', 'x', 'y');
  expect(partly).toEqual(failed('1 order is sent now.\nThere is no order x, y.'));
  expect(await shopJson('orders', 'list', '--state', 'sent')).toMatchObject([{ _id: two }]);
  const actions = (await listActivity(database.db, { limit: 100 })).entries;
  expect(actions[0]).toMatchObject({ action: 'orders-marked', address: 'command', email: null });
});

test('commands with money refuse another currency than that of the orders', async () => {
  await place(await signIn('one'), 1);
  const reason = 'in another one, sums and refunds would be wrong';
  const fault = `CURRENCY: this shop has orders in USD, so it cannot be EUR: ${reason}.`;
  for (const words of ['orders list', 'sales', 'books edit x --price 1', 'books import -'])
    expect(await runShop(words.split(' '), { DATABASE_URL: url, CURRENCY: 'EUR' })).toEqual({
      ...failed(fault),
      stderr: expect.stringContaining(fault),
    });
});

test('orders are withdrawn, with a mail if the store sends any, and it is noted what became of them', async () => {
  const [id = '', told = '', cancelled = ''] = await place(await signIn('one'), 3);
  expect(await shop('orders', 'mark-refunded', id)).toEqual(failed(`${id}: This order was not withdrawn.`));

  const words = { withdrawnBy: 'shop', withdrawalReason: 'Its spine is broken.' };
  const withdrawn = await shopJson<DeskOrder>('orders', 'withdraw', id, '--reason', words.withdrawalReason);
  expect(withdrawn).toMatchObject({ _id: id, state: 'withdrawn', ...words });
  const again = await shop('orders', 'withdraw', withdrawn.number);
  expect(again.stderr).toBe(`Cancelled at ${withdrawn.withdrawnAt}.\n`);
  await database.db.updateTable('orders').set({ cancelled_at: 1 }).where('id', '=', cancelled).execute();
  expect((await shop('orders', 'withdraw', cancelled)).stderr).toBe('It was cancelled before.\n');
  const refunded = await shopJson('orders', 'mark-refunded', id);
  expect(refunded).toMatchObject({ refundedAt: expect.stringMatching(/Z$/), returnedAt: null });
  expect((await shop('orders', 'mark-refunded', id, '--undo')).stderr).toBe('It is not refunded now.\n');
  expect((await shop('orders', 'mark-returned', withdrawn.number)).stderr).toBe('It is returned now.\n');
  const { stderr } = await shop('orders', 'mark-sent', told, id);
  expect(stderr).toMatch(new RegExp(`^No order was marked\\. Withdrawn: .*${withdrawn.number}`));
  const [MAIL_URL, MAIL_FROM, OIDC_ISSUER] = ['smtp://localhost', 'shop@example.com', 'https://id.example'];
  await runShop(['orders', 'withdraw', told], { DATABASE_URL: url, MAIL_URL, MAIL_FROM, OIDC_ISSUER });
  expect(await shopJson('mail', 'list', '--state', 'waiting')).toMatchObject([{ _id: told }]);
});

test('orders are marked as paid by number or by a file of the bank, which lists what is left', async () => {
  const ids = await place(await signIn('one'), 3);
  await insertPayments(database.db, ids, { ways: ['transfer'], days: 7 });
  const [one, two, three] = await shopJson<DeskOrder[]>('orders', 'list', '--state', 'due');
  const numbers = [one, two, three].map((order) => order?.number ?? '');
  const [first = '', second = '', third = ''] = numbers;
  expect((await shop('orders', 'list', '--q', first)).stdout).toMatch(
    new RegExp(` {2}${first} {2}\\S+ {2}due `),
  );
  expect((await shop('orders', 'mark-paid', first)).stderr).toBe('1 order is paid now.\n');
  expect((await shop('orders', 'mark-paid', first, '--undo')).stderr).toBe('1 order is due now.\n');
  const paid = { number: first, isPaid: true, isChanged: true };
  expect(await shopJson('orders', 'mark-paid', first)).toMatchObject([paid]);
  expect(await shop('orders', 'mark-paid', 'x')).toEqual(failed('Not due: x.'));

  const file = join(folder, 'bank.csv');
  const entries = [`10,50;${second}`, `9,50;${third}\u001b[2J`].map((entry) => `2026-11-23;USD;${entry}\n`);
  await writeFile(file, ['Date;Currency;Amount;Reference\n', ...entries].join(''));
  const { stderr } = await shop('payments', 'import', file);
  expect(stderr).toBe(
    `2026-11-23  9.50 USD  Less than the $10.50 that the order costs.  ${third}\ufffd[2J\n` +
      '1 order paid, 0 known, 1 left\n',
  );
  const again = { marked: 0, known: 1, left: [{ amount: 9.5 }], leftCount: 1 };
  expect(await shopJson('payments', 'import', file)).toMatchObject(again);

  await writeFile(file, `Date;Currency;Amount;Reference\n2026-11-24;USD;10,50;${second} again\n`);
  expect(await shopJson('payments', 'import', file)).toMatchObject({ marked: 0, leftCount: 1 });
  expect((await shop('orders', 'mark-refunded', second)).stderr).toBe('It is refunded now.\n');
  const { stdout: csv } = await shop('orders', 'export', '-', '--q', second);
  expect(csv).toMatch(/,cancelledAt,paidAt,paid,refunded,tracking\r\n.*,,[\d-]+T\S+Z,21\.00,10\.50,\r\n$/);
  expect(await shop('payments', 'import', 'none')).toEqual(failed(`There is no file ${resolve('none')}.`));
  expect((await shop('payments', 'import', '--help')).stdout).not.toContain('standard output');
});

test('orders are exported, as lines of JSON or as CSV, and sales listed by days, weeks, months and books', async () => {
  const best = ['sales', 'best-sellers'] as const;
  expect((await shop(...best)).stderr).toBe('No book was sold in these days.\n');
  const ids = await place(await signIn('one'), 2);
  const file = join(folder, 'orders');

  const exported = { stdout: '', stderr: `Exported 2 orders to ${file}.\n`, exitCode: 0 };
  expect(await shop('orders', 'export', file, '--format', 'jsonl')).toEqual(exported);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line)._id)).toEqual(ids);
  const { stdout: csv, stderr } = await shop('orders', 'export', '-', '--q', 'emma');
  expect(stderr).toBe('Exported 1 order.\n');
  expect(csv).toMatch(
    new RegExp(`^\ufeffid,placedAt,sentAt,title,author,price,buyerName,.*\r\n${ids[0]},.*\r\n$`),
  );

  const from = new Date(start).toISOString().slice(0, 10);
  const days = await shopJson<unknown[]>('sales');
  expect(days).toHaveLength(30);
  expect(days).toContainEqual({ from, to: from, orders: 2, revenue: 21, delivery: 0 });
  const { stdout } = await shop('sales');
  expect(stdout).toMatch(/^from {10,}orders {9}revenue {8}delivery\n/);
  expect(stdout).toContain(`${from}          2          $21.00           $0.00\n`);
  const [first] = await shopJson<unknown[]>('sales', '--by', 'month', '--since', '2026-01-31');
  expect(first).toMatchObject({ from: '2026-01-31', to: '2026-01-31' });
  const heading = /^id +orders {9}revenue {2}title {2}author\nb1 +2 {10}\$21\.00 {2}/;
  expect((await shop(...best)).stdout).toMatch(heading);
});

test('mail and webhooks that were given up are listed, and sent again', async () => {
  const customerId = await signIn('one');
  const [id = ''] = await place(customerId, 1);
  const { db } = database;
  await recordMessages(db, 'placed', [{ id, at: start, senders: { mail: true, webhooks: true } }]);
  const fail = (sender: 'mail' | 'webhooks', error: string) =>
    db.updateTable('outbox').set({ due_at: null, error }).where('sender', '=', sender).execute();
  await fail('mail', 'There is no mailbox.');
  await fail('webhooks', 'It answered 500.');

  for (const { noun, nothing, line, gone } of [
    {
      noun: 'mail',
      nothing: 'mail',
      line: /given-up .*There is no mailbox\.\n$/,
      gone: 'There is no such order.',
    },
    {
      noun: 'webhooks',
      nothing: 'event',
      line: new RegExp(`given-up {3}order\\.placed {2}${id} .*It answered 500\\.\n$`),
      gone: 'There is nothing at this address.',
    },
  ]) {
    expect((await shop(noun, 'list')).stdout).toMatch(line);
    expect((await shop(noun, 'list', '--state', 'waiting')).stderr).toContain(`No ${nothing} is listed.`);
    const [listed] = await shopJson<{ _id: string }[]>(noun, 'list', '--state', 'given-up');
    const given = listed?._id ?? '';
    expect(await shopJson(noun, 'send-again', given)).toMatchObject({ _id: given, state: 'waiting' });
    expect(await shop(noun, 'send-again', 'x')).toEqual(failed(`x: ${gone}`));
  }
});

test('customers are found, exported, signed out, blocked and erased, each of an e-mail, and it is told how many', async () => {
  const ids = [await signIn('one'), await signIn('two')].sort();
  await place(ids[0] ?? '', 3);
  const email = 'ada@example.com';
  const run = async (verb: string) => (await shop('customers', verb, 'ADA@example.com')).stdout;

  const found = await shopJson<{ _id: string }[]>('customers', 'find', 'ada');
  expect(found.map(({ _id }) => _id).sort()).toEqual(ids);
  const orders = [{ length: 3 }, { length: 0 }];
  expect(JSON.parse(await run('export'))).toMatchObject(
    orders.map((orders) => ({ customer: { email }, orders })),
  );
  expect(await run('sign-out')).toBe('Ended 2 sessions of 2 customers.\n');
  expect(await run('block')).toBe('Blocked 2 customers.\n');
  expect(await run('find')).toMatch(/ {2}blocked {2}3 orders {2}\$31\.50\n/);
  expect(await run('unblock')).toBe('Unblocked 2 customers.\n');
  const unasked = await shop('customers', 'erase', email);
  expect(unasked).toMatchObject({ stdout: '', exitCode: 2 });
  const sentence = '--yes erases 2 customers for good; 3 orders not sent yet will have no buyer.\n';
  expect(unasked.stderr).toBe(sentence);
  const erased = await shop('customers', 'erase', email, '--yes');
  expect(erased.stdout).toBe('Erased 2 customers with 3 orders.\n');

  const again = await shop('customers', 'erase', email, '--yes');
  expect(again).toEqual(failed(`No customer has the e-mail ${email}.`));
  expect((await shop('customers', 'find', 'ada')).stderr).toMatch(/^No customer has an e-mail or a name /);
  expect(await shopJson('activity', '--action', 'customer-blocked')).toHaveLength(2);
});

test('ways to get a book are set, listed in order and removed', async () => {
  const post = ['ways', 'set', 'post', '--name', 'Post', '--price', '4.90', '--asks-address'];
  const way = { id: 'post', name: 'Post', price: { value: 4.9 }, asksAddress: true, payOnCollection: false };
  expect((await shop('ways', 'list')).stderr).toBe('The shop has no ways to get a book.\n');
  expect(await shopJson(...post, '--line', 'Two days.')).toEqual([{ ...way, line: 'Two days.' }]);
  const { stdout: help } = await shop('ways', 'set', '--help');
  expect(help).toMatch(/--name \S+ +what the buyer chooses\n +--price \S+ +the price: not negative/);
  const collect = ['ways', 'set', 'here', '--name', 'Here', '--price', '0', '--pay-on-collection'];
  expect((await shop(...collect, '--position', '1')).stderr).toBe('The way here is set.\n');

  const ways = await shopJson<Way[]>('ways', 'list');
  expect(ways.map(({ id }) => id)).toEqual(['here', 'post']);
  expect((await shop('ways', 'list')).stdout).toMatch(
    /^here +\$0\.00 +Here, paid on collection +-\npost .*Two days\.\n$/,
  );
  for (const [args, fault] of [
    [['ways', 'set', 'post', '--name', 'Post'], '--price: Must not be empty.'],
    [[...post, '--position', 'last'], '--position: Must be '],
    [
      ['ways', 'set', 'Post', '--name', 'Post', '--price', '1'],
      'ID: Has characters that cannot be used here.',
    ],
  ] as const) {
    const { exitCode, stderr } = await shop(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(fault)]);
  }
  expect(await shop('ways', 'remove', 'bike')).toEqual(failed('bike: There is no such way to get a book.'));
  await shopJson('ways', 'remove', 'here');
  expect(await shop('ways', 'remove', 'post')).toMatchObject({
    stderr: 'The way post is removed.\n',
    exitCode: 0,
  });
});
