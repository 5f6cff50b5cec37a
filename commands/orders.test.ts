import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskOrder } from '../contract/desk/orders.ts';
import type { DeskWebhook } from '../contract/desk/webhooks.ts';
import { listActivity } from '../server/activity/activity.ts';
import type { Database } from '../server/database/open.ts';
import { startSession } from '../server/sign-in/sessions.ts';
import { addOrders } from '../server/testing/orders.ts';
import { createStoreDatabase, fileOf } from '../server/testing/test-database.ts';
import { reader } from '../server/testing/test-store.ts';
import { recordEvents } from '../server/webhooks/events.ts';
import { outcomeOf, runShop, startShop } from './testing/shop.ts';

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

describe('shop orders', () => {
  test('lists the newest, by state and words', async () => {
    const ids = await place(await signIn('one'), 3);

    const orders = await shopJson<DeskOrder[]>('orders', 'list', '--q', 'eliot ADA');
    expect(orders.map(({ _id }) => _id)).toEqual(ids.toReversed());
    expect(await shopJson('orders', 'list', '--state', 'sent')).toEqual([]);
    expect(await shopJson('orders', 'list', '--since', '2999-01-01')).toEqual([]);
    expect(await shopJson('orders', 'list', '--until', '2020-01-01')).toEqual([]);
    expect(await shopJson('orders', 'list', '--until', '2999-01-01')).toHaveLength(3);
    expect((await shop('orders', 'list', '--state', 'sent')).stderr).toBe('No order is listed.\n');
    expect((await shop('orders', 'list', '--limit', '2')).stderr).toMatch(/^There are more: --limit /);
    const { stdout } = await shop('orders', 'list', '--limit', '1', '--q', 'emma');
    expect(stdout).toMatch(
      /^\S+ {2}\S+Z {2}new {12}10\.50 {2}Emma\ufffd\[2J {2}George Eliot {2}Ada L\. {2}ada@\S+\n$/,
    );
  });

  test('marks orders as sent and takes the mark back, and names those that do not exist', async () => {
    const [one = '', two = ''] = await place(await signIn('one'), 2);

    const sent = { _id: one, sentAt: expect.stringMatching(/Z$/), addressCorrectedAt: null };
    expect(await shopJson('orders', 'mark-sent', one)).toEqual([sent]);
    expect(await shopJson('orders', 'mark-sent', one, '--undo')).toEqual([{ ...sent, sentAt: null }]);
    const mistaken = await shop('orders', 'mark-sent', two, 'x', 'y');

    expect(mistaken).toEqual({
      stdout: '',
      stderr: '1 order is sent now.\nThere is no order x, y.\n',
      exitCode: 1,
    });
    expect((await shopJson<DeskOrder[]>('orders', 'list', '--state', 'sent')).map(({ _id }) => _id)).toEqual([
      two,
    ]);
    expect(await trail()).toMatchObject([
      { action: 'orders-marked', details: { isSent: true, orders: 1 }, address: 'command', email: null },
      { action: 'orders-marked', details: { isSent: false, orders: 1 } },
      { action: 'orders-marked', details: { isSent: true, orders: 1 } },
    ]);
  });

  test('sets where an order is sent, until it is sent', async () => {
    const [id = ''] = await place(await signIn('one'), 1);

    const set = await shopJson<DeskOrder>('orders', 'set-address', id, ' 1 Hartfield Lane\nHighbury');
    expect(set).toMatchObject({ _id: id, deliveryAddress: '1 Hartfield Lane\nHighbury' });
    expect(await shop('orders', 'set-address', id, '')).toEqual({
      ...{ stdout: '', exitCode: 0 },
      stderr: `The order ${id} has no address now.\n`,
    });
    await shop('orders', 'mark-sent', id);
    expect(await shop('orders', 'set-address', id, 'Highbury')).toEqual({
      ...{ stdout: '', exitCode: 1 },
      stderr: `${id}: This order was sent already.\n`,
    });
    expect((await shop('orders', 'set-address', 'x', 'Highbury')).stderr).toBe(
      'x: There is no such order.\n',
    );
    expect((await trail()).filter(({ action }) => action === 'order-address-set')).toHaveLength(2);
  });

  test('withdraws an order, and notes what became of it', async () => {
    const [id = '', other = ''] = await place(await signIn('one'), 2);
    expect(await shop('orders', 'mark-refunded', id)).toMatchObject({
      stderr: `${id}: This order was not withdrawn.\n`,
      exitCode: 1,
    });

    const withdrawn = await shopJson<DeskOrder>('orders', 'withdraw', id, '--reason', 'Its spine is broken.');
    expect(withdrawn).toMatchObject({
      _id: id,
      state: 'withdrawn',
      withdrawnBy: 'shop',
      withdrawalReason: 'Its spine is broken.',
    });
    const again = await shop('orders', 'withdraw', id);
    expect(again.stdout).toMatch(new RegExp(`^${id} {2}\\S+Z {2}withdrawn `));
    expect(again.stderr).toBe(`Withdrawn at ${withdrawn.withdrawnAt}.\n`);
    const refunded = await shopJson<DeskOrder>('orders', 'mark-refunded', id);
    expect(refunded).toMatchObject({ refundedAt: expect.stringMatching(/Z$/), returnedAt: null });
    expect((await shop('orders', 'mark-refunded', id, '--undo')).stderr).toBe('It is not refunded now.\n');
    expect((await shop('orders', 'mark-returned', id)).stderr).toBe('It is returned now.\n');

    expect(await shop('orders', 'mark-sent', other, id)).toMatchObject({
      stderr: expect.stringMatching(new RegExp(`^No order was marked\\. Withdrawn: .*${id}`)),
      exitCode: 1,
    });
    expect((await shop('orders', 'withdraw', id, '--reason', 'x'.repeat(501))).exitCode).toBe(2);
    expect(await shopJson('orders', 'list', '--state', 'withdrawn')).toHaveLength(1);
    const actions = (await trail()).map(({ action }) => action);
    expect(actions.sort()).toEqual([...Array(3).fill('order-settled'), 'order-withdrawn']);
  });

  test('lets the store send the mail of a withdrawal, if it sends any', async () => {
    const [silent = '', told = ''] = await place(await signIn('one'), 2);
    const mail = { MAIL_URL: 'smtp://localhost', MAIL_FROM: 'shop@example.com' };
    const isDue = async (id: string) =>
      (await shopJson<{ _id: string }[]>('mail', 'list', '--state', 'waiting')).some(({ _id }) => _id === id);

    await shop('orders', 'withdraw', silent);
    await runShop(['orders', 'withdraw', told], {
      DATABASE_URL: url,
      ...mail,
      OIDC_ISSUER: 'https://id.example',
    });

    expect([await isDue(silent), await isDue(told)]).toEqual([false, true]);
  });

  test('exports 50,000 orders to a file of this user, and to standard output, with little memory', {
    timeout: 120_000,
  }, async () => {
    const ids = await place(await signIn('one'), 50_000);
    const file = join(folder, 'orders.jsonl');

    const toFile = await shop('orders', 'export', file, '--format', 'jsonl');
    // This memory is too small for all orders at once.
    const environment = { DATABASE_URL: url, NODE_OPTIONS: '--max-old-space-size=24' };
    const toOutput = await outcomeOf(startShop(['orders', 'export', '-'], environment));

    expect(toFile).toEqual({ stdout: '', stderr: `Exported 50,000 orders to ${file}.\n`, exitCode: 0 });
    const orders = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(orders.map((line) => JSON.parse(line)._id)).toEqual(ids);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(toOutput).toMatchObject({ stderr: 'Exported 50,000 orders.\n', exitCode: 0 });
    const lines = toOutput.stdout.split('\r\n');
    // Node.js has removed the byte order mark from the text.
    expect(lines[0]).toBe(
      'id,placedAt,sentAt,title,author,price,buyerName,buyerEmail,customerId,deliveryAddress,' +
        'withdrawnAt,withdrawnBy,withdrawalReason,refundedAt,returnedAt,note',
    );
    expect(lines).toHaveLength(50_002);
    expect((await trail()).map(({ action }) => action)).toEqual(['orders-exported', 'orders-exported']);
  });

  test('exports no day after --until, and replaces no file without --force', async () => {
    await place(await signIn('one'), 2);
    const file = join(folder, 'orders.csv');
    await shop('orders', 'export', file, '--until', '2020-01-01');
    const before = await readFile(file, 'utf8');

    const refused = await shop('orders', 'export', file);
    expect(refused).toEqual({ stdout: '', stderr: `${file} exists; --force replaces it.\n`, exitCode: 1 });
    expect(before).toMatch(/^[^\n]+\n$/);
    expect(await readFile(file, 'utf8')).toBe(before);
    // The trail has no entry for a refused call.
    expect(await trail()).toHaveLength(1);

    const { stderr } = await shop('orders', 'export', file, '--force', '--q', 'emma');
    expect(stderr).toBe(`Exported 1 order to ${file}.\n`);
    expect(await readFile(file, 'utf8')).toContain('Emma');
  });
});

test('shop sales lists days, weeks and months, oldest first', async () => {
  await place(await signIn('one'), 2);

  const days = await shopJson<unknown[]>('sales');
  const months = await shopJson<unknown[]>('sales', '--by', 'month', '--since', '2026-01-31');
  const { stdout } = await shop('sales');

  const from = new Date(start).toISOString().slice(0, 10);
  expect(days).toHaveLength(30);
  expect(days).toContainEqual({ from, to: from, orders: 2, revenue: 21 });
  expect(months[0]).toMatchObject({ from: '2026-01-31', to: '2026-01-31' });
  expect(stdout).toMatch(/^from {10,}orders {9}revenue\n/);
  expect(stdout).toContain(`${from}          2           21.00\n`);
  expect(await shopJson('sales', '--since', '2026-01-01', '--until', '2026-01-02')).toHaveLength(2);
});

test('shop sales best-sellers lists the books that were sold most', async () => {
  const none = await shop('sales', 'best-sellers');
  expect(none).toMatchObject({ stdout: '', stderr: 'No book was sold in these days.\n', exitCode: 0 });
  await place(await signIn('one'), 2);

  const { stdout } = await shop('sales', 'best-sellers');
  expect(stdout).toMatch(/^id {5}orders {9}revenue {2}title {2}author\nb1 {10}2 {11}21\.00 {2}/);
  const [book] = await shopJson<unknown[]>('sales', 'best-sellers', '--limit', '1');
  expect(book).toMatchObject({ _id: 'b1', orders: 2, revenue: 21 });
  expect(await shopJson('sales', 'best-sellers', '--since', '2020-01-01', '--until', '2020-01-02')).toEqual(
    [],
  );
});

test('shop mail lists what was given up, and lets it be sent again', async () => {
  const [failed = '', waiting = ''] = await place(await signIn('one'), 3);
  const change = (id: string, values: { mail_due_at: number | null; mail_error: string | null }) =>
    database.db.updateTable('orders').set(values).where('id', '=', id).execute();
  await change(failed, { mail_due_at: null, mail_error: 'There is no such mailbox.' });
  await change(waiting, { mail_due_at: start, mail_error: null });

  expect(await shopJson('mail', 'list', '--state', 'given-up')).toMatchObject([
    { _id: failed, state: 'given-up', to: 'ada@example.com', error: 'There is no such mailbox.' },
  ]);
  expect((await shop('mail', 'list')).stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${waiting} .* {2}waiting {5}ada@example.com {2}Your order: Romola$`)),
    expect.stringMatching(new RegExp(`^${failed} .*given-up .*There is no such mailbox\\.$`)),
  ]);
  expect(await shopJson('mail', 'list', '--limit', '1')).toHaveLength(1);
  expect((await shop('mail', 'list', '--state', 'sent')).stderr).toMatch(/^No mail is listed\./);

  expect(await shopJson('mail', 'send-again', failed)).toMatchObject({ _id: failed, state: 'waiting' });
  const { mail_due_at: dueAt } = await database.db
    .selectFrom('orders')
    .select('mail_due_at')
    .where('id', '=', failed)
    .executeTakeFirstOrThrow();
  expect(Math.abs(Date.now() - Number(dueAt))).toBeLessThan(60_000);
  expect(await shop('mail', 'send-again', failed)).toEqual({
    stdout: '',
    stderr: 'Nothing was changed: this mail waits, and will be tried again.\n',
    exitCode: 1,
  });
  expect(await shop('mail', 'send-again', 'x')).toMatchObject({
    stderr: 'There is no order x.\n',
    exitCode: 1,
  });
});

describe('shop customers', () => {
  test('acts on every customer of an e-mail, and says how many', async () => {
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
    const erased = await shop('customers', 'erase', 'ada@example.com', '--yes');
    expect(erased.stdout).toBe('Erased 2 customers with 3 orders.\n');
    expect(erased.stderr).toMatch(/^3 orders are not sent yet, and will have no buyer: /);

    expect(await shop('customers', 'erase', 'ada@example.com', '--yes')).toEqual({
      stdout: '',
      stderr: 'No customer has the e-mail ada@example.com.\n',
      exitCode: 1,
    });
    expect(await shop('customers', 'find', 'ada@example.com')).toEqual({
      stdout: '',
      stderr: 'No customer has an e-mail or a name that begins with ada@example.com.\n',
      exitCode: 0,
    });
    expect(await shopJson('customers', 'find', 'ada')).toEqual([]);
    const actions = (await trail()).map(({ action, address }) => `${action} ${address}`);
    expect(new Set(actions)).toEqual(
      new Set(
        ['exported', 'signed-out', 'blocked', 'unblocked', 'erased'].map(
          (done) => `customer-${done} command`,
        ),
      ),
    );
    expect(actions).toHaveLength(10);
    const files = await Promise.all(['store.db', 'store.db-wal'].map((name) => readFile(join(folder, name))));
    for (const file of files) expect(file.toString('latin1')).not.toContain('ada@example.com');
  });

  test('are not erased where nobody can confirm it, unless --yes or --json says so', async () => {
    await signIn('one');

    expect(await shop('customers', 'erase', 'ada@example.com')).toEqual({
      stdout: '',
      stderr: 'Nobody is there to confirm it: --yes erases without asking.\n',
      exitCode: 2,
    });
    expect(await shopJson('customers', 'find', 'ada@example.com')).toHaveLength(1);
    expect(await shopJson('customers', 'erase', 'ada@example.com')).toHaveLength(1);
    expect(await shopJson('customers', 'find', 'ada@example.com')).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'are erased on a terminal when the e-mail is typed again, which tells of unsent orders first',
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
});

test('shop activity lists what one person did, or one action', async () => {
  await signIn('one');
  await shop('customers', 'block', 'ada@example.com');
  await shop('customers', 'unblock', 'ada@example.com');

  const blocks = await shopJson<unknown[]>('activity', '--action', 'customer-blocked');

  expect(blocks).toMatchObject([{ action: 'customer-blocked' }]);
  expect(await shopJson('activity', '--who', 'ada@example.com')).toEqual([]);
  expect(await shopJson('activity', '--action', 'customer-blocked', '--until', '2020-01-01')).toEqual([]);
  expect(await shop('activity', '--action', 'nonsense')).toMatchObject({ exitCode: 2, stdout: '' });
});

test.each(['orders list', 'orders export -', 'sales', 'sales best-sellers', 'activity'])(
  'shop %s refuses a last day before the first one',
  async (command) => {
    expect(await shop(...command.split(' '), '--since', '2026-02-01', '--until', '2026-01-31')).toEqual({
      stdout: '',
      stderr: '--until: Must not be before the first day.\n',
      exitCode: 2,
    });
  },
);

test('shop sales refuses more periods than a list may have', async () => {
  expect(await shop('sales', '--since', '1999-01-01')).toEqual({
    stdout: '',
    stderr: '--since: Must be less than 3,700 days before the last day.\n',
    exitCode: 2,
  });
});

test.each([
  [['orders', 'list', '--state', 'old'], '--state: "old" is none of all, new, sent'],
  [['orders', 'mark-sent'], 'ID is missing'],
  [['orders', 'set-address', 'x'], 'TEXT is missing'],
  [['orders', 'set-address', 'x', 'y\u0007'], 'TEXT has control characters'],
  [['orders', 'set-address', 'x', 'y'.repeat(501)], 'TEXT is longer than 500 characters'],
  [['orders', 'export'], 'FILE is missing'],
  [['customers', 'erase'], 'EMAIL is missing'],
  [['customers', 'erase', 'a', 'b'], "Unexpected argument 'b'"],
  [['sales', '--by', 'year'], '--by: "year" is none of day, week, month'],
])('exits with 2 and one sentence for the wrong usage %j', async (args, sentence) => {
  const { stdout, stderr, exitCode } = await shop(...args);

  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toMatch(/^[^\n]+; --help lists the options\.\n$/);
  expect(stderr).toContain(sentence);
});

test('shop webhooks lists what was given up, and lets it be sent again', async () => {
  const customerId = await signIn('one');
  const [failed = '', waiting = ''] = await place(customerId, 2);
  await recordEvents(
    database.db,
    'order.placed',
    [failed, waiting].map((id, index) => ({ id, customerId, at: start + index })),
  );
  await database.db
    .updateTable('webhook_events')
    .set({ due_at: null, error: 'The receiver answered 500.' })
    .where('order_id', '=', failed)
    .execute();

  const listed = await shopJson<DeskWebhook[]>('webhooks', 'list', '--state', 'given-up');
  expect(listed).toMatchObject([{ orderId: failed, error: 'The receiver answered 500.' }]);
  expect((await shop('webhooks', 'list')).stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`waiting {4}order\\.placed {2}${waiting} {2}Romola$`)),
    expect.stringMatching(
      new RegExp(`given-up {3}order\\.placed {2}${failed} .*The receiver answered 500\\.$`),
    ),
  ]);
  expect((await shop('webhooks', 'list', '--state', 'delivered')).stderr).toMatch(/^No event is listed\./);

  const { _id: id = '' } = listed[0] ?? {};
  expect(await shopJson('webhooks', 'send-again', id)).toMatchObject({ orderId: failed, state: 'waiting' });
  expect(await shop('webhooks', 'send-again', id)).toEqual({
    stdout: '',
    stderr: 'Nothing was changed: this event waits, and will be tried again.\n',
    exitCode: 1,
  });
  expect(await shop('webhooks', 'send-again', 'x')).toMatchObject({
    stderr: 'There is no event x.\n',
    exitCode: 1,
  });
});
