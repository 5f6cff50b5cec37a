import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { DeskOrder } from '../contract/desk/orders.ts';
import type { DeskWebhook } from '../contract/desk/webhooks.ts';
import { listActivity } from '../server/activity/activity.ts';
import type { Database } from '../server/database/open.ts';
import { startSession } from '../server/sign-in/sessions.ts';
import { addOrders } from '../server/testing/orders.ts';
import { createStoreDatabase, fileOf } from '../server/testing/test-database.ts';
import { reader } from '../server/testing/test-store.ts';
import { recordEvents } from '../server/webhooks/events.ts';
import { runShop } from './testing/shop.ts';

let url: string;
let folder: string;
/** The database stays open, as that of a running store. */
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
const trail = async () => (await listActivity(database.db, { limit: 100 })).entries;

const start = Date.now() - 60 * 60 * 1000;
const signIn = async (issuer: string, email = 'ada@example.com') => {
  const identity = { ...reader, issuer, email, name: 'Ada L.' };
  return (await startSession(database.db, identity, { providerIssuer: issuer })).customerId;
};

/** Places orders, one second after the other. @returns their ids, the oldest first. */
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

test('orders list has the newest, by state, days and words', async () => {
  const ids = await place(await signIn('one'), 3);

  const orders = await shopJson<DeskOrder[]>('orders', 'list', '--q', 'eliot ADA');
  expect(orders.map(({ _id }) => _id)).toEqual(ids.toReversed());
  expect(await shopJson('orders', 'list', '--since', '2999-01-01')).toEqual([]);
  expect((await shop('orders', 'list', '--state', 'sent')).stderr).toBe('No order is listed.\n');
  expect((await shop('orders', 'list', '--limit', '2')).stderr).toMatch(/^There are more: --limit /);
  const { stdout } = await shop('orders', 'list', '--limit', '1', '--q', 'emma');
  expect(stdout).toMatch(
    /^\S+ {2}\S+Z {2}new {12}10\.50 {2}Emma\ufffd\[2J {2}George Eliot {2}Ada L\. {2}ada@\S+\n$/,
  );
});

test('orders are sent, and their addresses set until then; ids that do not exist are named', async () => {
  const [one = '', two = ''] = await place(await signIn('one'), 2);

  const set = await shopJson<DeskOrder>('orders', 'set-address', one, ' 1 Hartfield Lane\nHighbury');
  expect(set).toMatchObject({ _id: one, deliveryAddress: '1 Hartfield Lane\nHighbury' });
  expect((await shop('orders', 'set-address', one, '')).stderr).toBe(
    `The order ${one} has no address now.\n`,
  );
  const time = expect.stringMatching(/Z$/);
  const sent = { _id: one, sentAt: time, addressCorrectedAt: time };
  expect(await shopJson('orders', 'mark-sent', one)).toEqual([sent]);
  expect(await shop('orders', 'set-address', one, 'Highbury')).toEqual(
    failed(`${one}: This order was sent already.`),
  );
  expect(await shop('orders', 'set-address', 'x', 'Highbury')).toEqual(failed('x: There is no such order.'));
  expect(await shopJson('orders', 'mark-sent', one, '--undo')).toEqual([{ ...sent, sentAt: null }]);
  expect(await shop('orders', 'mark-sent', two, 'x', 'y')).toEqual(
    failed('1 order is sent now.\nThere is no order x, y.'),
  );
  expect(await shopJson('orders', 'list', '--state', 'sent')).toMatchObject([{ _id: two }]);
  const marked = (isSent: boolean) => ({ action: 'orders-marked', details: { isSent, orders: 1 } });
  const addressSet = { action: 'order-address-set', address: 'command', email: null };
  expect(await trail()).toMatchObject([marked(true), marked(false), marked(true), addressSet, addressSet]);
});

test('orders are withdrawn, with a mail if the store sends any, and it is noted what became of them', async () => {
  const [id = '', told = ''] = await place(await signIn('one'), 2);
  expect(await shop('orders', 'mark-refunded', id)).toEqual(failed(`${id}: This order was not withdrawn.`));

  const withdrawn = await shopJson<DeskOrder>('orders', 'withdraw', id, '--reason', 'Its spine is broken.');
  expect(withdrawn).toMatchObject({
    ...{ _id: id, state: 'withdrawn', withdrawnBy: 'shop', withdrawalReason: 'Its spine is broken.' },
  });
  const again = await shop('orders', 'withdraw', id);
  expect(again.stdout).toMatch(new RegExp(`^${id} {2}\\S+Z {2}withdrawn `));
  expect(again.stderr).toBe(`Withdrawn at ${withdrawn.withdrawnAt}.\n`);
  const refundedAt = expect.stringMatching(/Z$/);
  expect(await shopJson('orders', 'mark-refunded', id)).toMatchObject({ refundedAt, returnedAt: null });
  expect((await shop('orders', 'mark-refunded', id, '--undo')).stderr).toBe('It is not refunded now.\n');
  expect((await shop('orders', 'mark-returned', id)).stderr).toBe('It is returned now.\n');
  const sent = await shop('orders', 'mark-sent', told, id);
  expect(sent.stderr).toMatch(new RegExp(`^No order was marked\\. Withdrawn: .*${id}`));
  const [MAIL_URL, MAIL_FROM, OIDC_ISSUER] = ['smtp://localhost', 'shop@example.com', 'https://id.example'];
  await runShop(['orders', 'withdraw', told], { DATABASE_URL: url, MAIL_URL, MAIL_FROM, OIDC_ISSUER });
  expect(await shopJson('mail', 'list', '--state', 'waiting')).toMatchObject([{ _id: told }]);
});

test('orders are exported to a file, as lines of JSON or as CSV, and to standard output', async () => {
  const ids = await place(await signIn('one'), 3);
  const file = join(folder, 'orders');

  const exported = { stdout: '', stderr: `Exported 3 orders to ${file}.\n`, exitCode: 0 };
  expect(await shop('orders', 'export', file, '--format', 'jsonl')).toEqual(exported);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line)._id)).toEqual(ids);
  const { stdout, stderr } = await shop('orders', 'export', '-', '--q', 'emma');
  expect(stderr).toBe('Exported 1 order.\n');
  expect(stdout.split('\r\n')).toEqual([
    expect.stringMatching(/^\ufeffid,placedAt,sentAt,title,author,price,buyerName,/),
    expect.stringContaining(ids[0] ?? ''),
    '',
  ]);
  expect((await trail()).map(({ action }) => action)).toEqual(Array(2).fill('orders-exported'));
});

test('sales lists days, weeks and months, oldest first, and the books that were sold most', async () => {
  const best = ['sales', 'best-sellers'] as const;
  expect((await shop(...best)).stderr).toBe('No book was sold in these days.\n');
  await place(await signIn('one'), 2);

  const from = new Date(start).toISOString().slice(0, 10);
  const days = await shopJson<unknown[]>('sales');
  expect(days).toHaveLength(30);
  expect(days).toContainEqual({ from, to: from, orders: 2, revenue: 21 });
  const { stdout } = await shop('sales');
  expect(stdout).toMatch(/^from {10,}orders {9}revenue\n/);
  expect(stdout).toContain(`${from}          2           21.00\n`);
  const [first] = await shopJson<unknown[]>('sales', '--by', 'month', '--since', '2026-01-31');
  expect(first).toMatchObject({ from: '2026-01-31', to: '2026-01-31' });

  expect((await shop(...best)).stdout).toMatch(
    /^id {5}orders {9}revenue {2}title {2}author\nb1 {10}2 {11}21\.00 {2}/,
  );
  expect(await shopJson(...best, '--limit', '1')).toMatchObject([{ _id: 'b1', orders: 2, revenue: 21 }]);
});

test('mail and webhooks that were given up are listed, and sent again', async () => {
  const customerId = await signIn('one');
  const [lost = '', waiting = ''] = await place(customerId, 3);
  const change = (id: string, values: { mail_due_at: number | null; mail_error: string | null }) =>
    database.db.updateTable('orders').set(values).where('id', '=', id).execute();
  await change(lost, { mail_due_at: null, mail_error: 'There is no such mailbox.' });
  await change(waiting, { mail_due_at: start, mail_error: null });
  const events = [lost, waiting].map((id, index) => ({ id, customerId, at: start + index }));
  await recordEvents(database.db, 'order.placed', events);
  const event = database.db.updateTable('webhook_events').where('order_id', '=', lost);
  await event.set({ due_at: null, error: 'The receiver answered 500.' }).execute();
  const linesOf = async (noun: string) => (await shop(noun, 'list')).stdout.trimEnd().split('\n');

  expect(await shopJson('mail', 'list', '--state', 'given-up')).toMatchObject([
    { _id: lost, state: 'given-up', to: 'ada@example.com', error: 'There is no such mailbox.' },
  ]);
  expect(await linesOf('mail')).toEqual([
    expect.stringMatching(new RegExp(`^${waiting} .* {2}waiting {5}ada@example.com {2}Your order: Romola$`)),
    expect.stringMatching(new RegExp(`^${lost} .*given-up .*There is no such mailbox\\.$`)),
  ]);
  expect((await shop('mail', 'list', '--state', 'sent')).stderr).toMatch(/^No mail is listed\./);
  const [listed] = await shopJson<DeskWebhook[]>('webhooks', 'list', '--state', 'given-up');
  expect(listed).toMatchObject({ orderId: lost, error: 'The receiver answered 500.' });
  expect(await linesOf('webhooks')).toEqual([
    expect.stringMatching(new RegExp(`waiting {4}order\\.placed {2}${waiting} {2}Romola$`)),
    expect.stringMatching(
      new RegExp(`given-up {3}order\\.placed {2}${lost} .*The receiver answered 500\\.$`),
    ),
  ]);
  expect((await shop('webhooks', 'list', '--state', 'delivered')).stderr).toMatch(/^No event is listed\./);

  for (const [noun, id, thing, what] of [
    ['mail', lost, 'mail', 'order'],
    ['webhooks', listed?._id ?? '', 'event', 'event'],
  ] as const) {
    expect(await shopJson(noun, 'send-again', id)).toMatchObject({ _id: id, state: 'waiting' });
    expect(await shop(noun, 'send-again', id)).toEqual(
      failed(`Nothing was changed: this ${thing} waits, and will be tried again.`),
    );
    expect(await shop(noun, 'send-again', 'x')).toEqual(failed(`There is no ${what} x.`));
  }
});

test('customers are found, exported, signed out, blocked and erased, each of an e-mail, and it is told how many', async () => {
  const ids = [await signIn('one'), await signIn('two')].sort();
  await place(ids[0] ?? '', 3);
  const run = async (verb: string, ...options: string[]) =>
    (await shop('customers', verb, 'ADA@example.com', ...options)).stdout;

  const found = await shopJson<{ _id: string }[]>('customers', 'find', 'ada');
  expect(found.map(({ _id }) => _id).sort()).toEqual(ids);
  expect(JSON.parse(await run('export'))).toMatchObject([
    { customer: { email: 'ada@example.com' }, orders: { length: 3 } },
    { customer: { email: 'ada@example.com' }, orders: [] },
  ]);
  expect(await run('sign-out')).toBe('Ended 2 sessions of 2 customers.\n');
  expect(await run('block')).toBe('Blocked 2 customers.\n');
  expect(await run('find')).toMatch(/ {2}blocked {2}3 orders {2}31\.50\n/);
  expect(await run('unblock')).toBe('Unblocked 2 customers.\n');
  expect(await shop('customers', 'erase', 'ada@example.com')).toEqual({
    stdout: '',
    stderr: 'Nobody is there to confirm it: --yes erases without asking.\n',
    exitCode: 2,
  });
  const erased = await shop('customers', 'erase', 'ada@example.com', '--yes');
  expect(erased.stdout).toBe('Erased 2 customers with 3 orders.\n');
  expect(erased.stderr).toMatch(/^3 orders are not sent yet, and will have no buyer: /);

  expect(await shop('customers', 'erase', 'ada@example.com', '--yes')).toEqual(
    failed('No customer has the e-mail ada@example.com.'),
  );
  expect((await shop('customers', 'find', 'ada')).stderr).toMatch(/^No customer has an e-mail or a name /);
  const done = ['exported', 'signed-out', 'blocked', 'unblocked', 'erased'];
  expect((await trail()).map(({ action, address }) => `${action} ${address}`).sort()).toEqual(
    [...done, ...done].map((name) => `customer-${name} command`).sort(),
  );
  expect(await shopJson('activity', '--action', 'customer-blocked')).toHaveLength(2);
  const files = await Promise.all(['store.db', 'store.db-wal'].map((name) => readFile(join(folder, name))));
  for (const file of files) expect(file.toString('latin1')).not.toContain('ada@example.com');
});

test.skipIf(process.platform !== 'linux')(
  'customers are erased on a terminal when the e-mail is typed again, which tells of unsent orders first',
  async () => {
    await place(await signIn('one'), 2);
    /** Types a line at a terminal. `script`, of util-linux, makes one. */
    const eraseTyping = async (line: string) => {
      const command = [process.execPath, join(import.meta.dirname, 'run.ts')].map((word) => `'${word}'`);
      const words = ['-qec', `${command.join(' ')} customers erase ada@example.com`, '/dev/null'];
      const terminal = spawn('script', words, { env: { ...process.env, DATABASE_URL: url } });
      const ended = once(terminal, 'close');
      let output = '';
      for await (const part of terminal.stdout.setEncoding('utf8')) {
        output += part;
        if (terminal.stdin.writable && output.includes('confirm: ')) terminal.stdin.end(line);
      }
      return { output, exitCode: (await ended)[0] };
    };

    const wrong = await eraseTyping('bob@example.com\n');
    expect(wrong).toEqual({
      output: expect.stringContaining('That is another e-mail: nobody was erased.'),
      exitCode: 1,
    });
    expect(wrong.output).toContain('2 orders are not sent yet, and will have no buyer');
    expect(await shopJson('customers', 'find', 'ada@example.com')).toHaveLength(1);

    expect(await eraseTyping('ADA@example.com\n')).toEqual({
      output: expect.stringContaining('Erased 1 customer with 2 orders.'),
      exitCode: 0,
    });
  },
);

const wrongUsages: [call: string[], sentence: string][] = [
  ...['orders list', 'orders export -', 'sales', 'sales best-sellers', 'activity'].map(
    (call): [string[], string] => [
      [...call.split(' '), '--since', '2026-02-01', '--until', '2026-01-31'],
      '--until: Must not be before the first day.',
    ],
  ),
  [['sales', '--since', '1999-01-01'], '--since: Must be less than 3,700 days before the last day.'],
  [['orders', 'list', '--state', 'old'], '--state: "old" is none of all, new, sent'],
  [['orders', 'mark-sent'], 'ID is missing'],
  [['orders', 'withdraw', 'x', '--reason', 'x'.repeat(501)], '--reason is longer than 500 characters'],
  [['orders', 'set-address', 'x'], 'TEXT is missing'],
  [['orders', 'set-address', 'x', 'y\u0007'], 'TEXT has control characters'],
  [['orders', 'set-address', 'x', 'y'.repeat(501)], 'TEXT is longer than 500 characters'],
  [['orders', 'export'], 'FILE is missing'],
  [['customers', 'erase'], 'EMAIL is missing'],
  [['customers', 'erase', 'a', 'b'], "Unexpected argument 'b'"],
  [['sales', '--by', 'year'], '--by: "year" is none of day, week, month'],
  [['activity', '--action', 'nonsense'], '--action: "nonsense" is none of'],
];

test('wrong usage is one sentence, and exit code 2', async () => {
  for (const [call, sentence] of wrongUsages) {
    const { stdout, stderr, exitCode } = await shop(...call);

    expect({ stdout, exitCode }, call.join(' ')).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^[^\n]+\n$/);
  }
});
