import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskMailContent, DeskMails } from '../../contract/desk/mail.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { firstIdAt } from '../database/ids.ts';
import type { Tables } from '../database/tables.ts';
import { openLog } from '../http/log.ts';
import type { Identity } from '../sign-in/identity.ts';
import { endsWithTest, forThisTest } from '../testing/ends-with-test.ts';
import { openSilentServer, openSmtpServer, type TestSmtpServer } from '../testing/smtp-server.ts';
import { createStoreDatabase, isOnPostgres } from '../testing/test-database.ts';
import {
  openTestStore,
  orderOf,
  reader,
  readJson,
  setUpTestStore,
  type TestStore,
  type TestStoreOptions,
} from '../testing/test-store.ts';
import { type Mail, type MailSender, type MailTimes, openMailSender, unsentMail } from './mail.ts';
import { claimDueMail, countDueMail, receiptLimitReached } from './outbox.ts';
import { sweepReceiptSlots, takeReceiptSlot } from './receipt-slots.ts';
import { openTransport } from './transport.ts';

const emma = { title: 'Emma & <Harriet>', author: 'Jane Austen', priceCents: 1299 };
const sender = {
  storeName: 'Colophon',
  publicUrl: new URL('https://shop.example'),
  from: { name: 'The Shop', address: 'orders@shop.example' },
};
const hour = 3_600_000;
const admin = { sub: 'admin', email: 'admin@example.com' };
/** For a server that says nothing. Any other one may take its time on a busy machine: what is given up is sent again. */
const impatient = { connect: 500, silence: 500, send: 2_000 };
const times: Partial<MailTimes> = {
  pollMs: 20,
  roundMs: 1,
  firstRetryMs: 20,
  maxRetryMs: 100,
  maxPauseMs: 100,
};

/** Set by a test, for the order of the store. */
let mail: Mail = unsentMail('off', sender);
let lines: string[];
let cookie: string;

const options: TestStoreOptions = {
  settings: { adminEmails: [admin.email], hasRateLimits: false },
  mail: {
    sender,
    wake: () => mail.wake(),
    tellShop: (message) => mail.tellShop(message),
    get mode() {
      return mail.mode;
    },
    get sendsUnverified() {
      return mail.sendsUnverified;
    },
    get counts() {
      return mail.counts;
    },
  },
};
const shared = setUpTestStore(options);
let store: TestStore;
beforeEach(async () => {
  lines = [];
  mail = unsentMail('off', sender);
  await enter(shared);
});
async function enter(entered: TestStore): Promise<void> {
  store = entered;
  cookie = await store.signIn(admin);
  await addBook(store.database.db, { ...emma, image: 'https://covers.example/emma.jpg' }, null);
}

type SenderOptions = { sendsUnverified?: boolean; timeouts?: typeof impatient };
function sendThrough(
  url: URL,
  { sendsUnverified = false, timeouts, ...options }: Partial<MailTimes> & SenderOptions = {},
): MailSender {
  const log = openLog('info', { write: (line: string) => lines.push(line) });
  const opened = openMailSender({
    db: store.database.db,
    sender,
    sendsUnverified,
    transport: openTransport(url, timeouts),
    log,
    times: { ...times, ...options },
  });
  endsWithTest(() => opened.close());
  mail = opened;
  return opened;
}

async function placeOrder(identity: Partial<Identity> = {}): Promise<string> {
  const cookie = await store.signIn(identity);
  const json = orderOf(emma, identity.email ?? reader.email);
  return (await readJson<Order>(await store.call(paths.addOrder, { cookie, json }), 201))._id;
}

async function desk<Body>(path: string, method = 'GET'): Promise<Body> {
  return await readJson<Body>(await store.call(`/desk/api/mail${path}`, { cookie, method }), 200);
}

const session = async (identity: Partial<Identity>) =>
  await readJson<object>(await store.call(paths.session, { cookie: await store.signIn(identity) }), 200);

const idsOf = ({ mails }: TestSmtpServer) => mails.map(({ messageId }) => messageId).sort();
const bothOf = (id: string) => [`<notice.${id}@shop.example>`, `<receipt.${id}@shop.example>`];
/** Joins the lines of quoted-printable and of long headers. */
const plain = (raw: string) => raw.replace(/=\r\n|\r\n(?= )/g, '').replace(/=3D/g, '=');

test('an order sends the buyer a receipt and the shop a notice, as text and as HTML', async () => {
  const smtp = await forThisTest(openSmtpServer());
  sendThrough(smtp.url);

  const id = await placeOrder({ name: 'Ada "Countess" Lovelace\r\nBcc: evil' });

  await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
  const receipt = plain(smtp.mails.find(({ messageId }) => messageId.startsWith('<receipt'))?.raw ?? '');
  const notice = smtp.mails.find(({ messageId }) => messageId.startsWith('<notice'));
  expect(smtp.mails.map(({ to }) => to).sort()).toEqual([['orders@shop.example'], ['reader@example.com']]);
  expect(receipt).toMatch(/^From: The Shop <orders@shop\.example>$/m);
  expect(receipt).toMatch(/^Subject: Your order: Emma & <Harriet>$/m);
  expect(receipt).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(receipt).not.toMatch(/^Bcc:/im);
  expect(receipt).toContain('Price:  $12.99');
  expect(receipt).toContain('Emma &amp; &lt;Harriet&gt;</td>');
  expect(receipt).toContain('https://shop.example/orders');
  expect(plain(notice?.raw ?? '')).toMatch(/^Reply-To: .*<reader@example\.com>$/m);
  expect(plain(notice?.raw ?? '')).toContain('https://shop.example/desk');
  const { messages } = await desk<DeskMails>('');
  expect(messages).toMatchObject([{ _id: id, to: reader.email, state: 'sent', attempts: 1, error: null }]);
});

test.each(['hangs', 'refuses connections'])(
  'an order does not wait for a mail server that %s, and its mail arrives once the server is back',
  async (fault) => {
    const silent = await openSilentServer();
    if (fault !== 'hangs') await silent.close();
    sendThrough(silent.url, { timeouts: impatient });

    const id = await placeOrder();

    // The order is placed; its mail is still in the hands of a server that says nothing, or is not there.
    await expect.poll(async () => (await desk<DeskMails>('?state=waiting')).messages[0]?.error).toBeTruthy();
    if (fault === 'hangs') await silent.close();
    const smtp = await forThisTest(openSmtpServer({ port: Number(silent.url.port) }));
    await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
    // Once, not for each attempt.
    expect(lines.filter((line) => line.includes('takes no messages'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('takes messages again'))).toHaveLength(1);
  },
);

test('a message that breaks off is sent again under its Message-ID, and one that was taken is not', async () => {
  const attempts: string[] = [];
  const smtp = await forThisTest(
    openSmtpServer({
      beforeTaking({ messageId }) {
        attempts.push(messageId);
        if (attempts.length === 2) throw new Error('breaks off');
      },
    }),
  );
  sendThrough(smtp.url);

  const id = await placeOrder();

  await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
  const [notice, receipt] = bothOf(id);
  expect(attempts).toEqual([receipt, notice, notice]);
});

if (!isOnPostgres()) {
  test('that a message was sent is stored although the database is locked for a while, so nobody sends it again', {
    timeout: 30_000,
  }, async () => {
    const database = await createStoreDatabase();
    await enter(await openTestStore({ ...options, database: database.settings }));
    const { file } = database.settings as { file: string };
    let locked: DatabaseSync | undefined;
    const smtp = await forThisTest(
      openSmtpServer({
        beforeTaking() {
          if (locked) return;
          const lock = new DatabaseSync(file);
          locked = lock;
          lock.exec('begin immediate');
          // Longer than a statement waits for the lock.
          setTimeout(() => lock.close(), 6_000);
        },
      }),
    );
    sendThrough(smtp.url);

    const id = await placeOrder();

    const stateOfMail = async () => (await desk<DeskMailContent>(`/${id}`)).state;
    await expect.poll(stateOfMail, { timeout: 20_000, interval: 200 }).toBe('sent');
    expect(idsOf(smtp)).toEqual(bothOf(id));
  });
}

test('a message at which the server breaks off does not hold up the others', async () => {
  let bad = '';
  const smtp = await forThisTest(
    openSmtpServer({
      beforeTaking({ messageId }) {
        if (messageId.includes(bad)) throw new Error('breaks off');
      },
    }),
  );
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  bad = await placeOrder();
  sendThrough(smtp.url, { firstRetryMs: 100, maxPauseMs: 200, maxRetryMs: 200 });

  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const attempts = async () => (await desk<DeskMailContent>(`/${bad}`)).attempts;
    await expect.poll(attempts).toBeGreaterThanOrEqual(attempt);
    await placeOrder();
    await expect.poll(() => smtp.mails.length).toBe(attempt * 2);
  }

  // Only the first failure was taken for one of the server, which pauses all mail.
  expect(lines.filter((line) => line.includes('takes no messages'))).toHaveLength(1);
});

test('another attempt is for mail that was given up alone', async () => {
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const id = await placeOrder();
  const { nextAttemptAt } = await desk<DeskMailContent>(`/${id}`);
  await store.database.db.updateTable('orders').set({ mail_error: 'refused' }).execute();

  // A node may be sending it just now.
  expect((await desk<DeskMailContent>(`/${id}/retry`, 'POST')).nextAttemptAt).toBe(nextAttemptAt);
});

describe('an address that the server refuses', () => {
  test('for now is tried again', async () => {
    let refusals = 0;
    const refuse = () =>
      refusals++ < 2 ? { code: 450, message: 'greylisted, reader@example.com' } : undefined;
    const smtp = await forThisTest(openSmtpServer({ refuse }));
    sendThrough(smtp.url);

    const id = await placeOrder();

    await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
    expect((await desk<DeskMailContent>(`/${id}`)).attempts).toBe(2);
  });

  test('for good is given up, shown without the address, and sent when the owner asks for it; the shop has its notice', async () => {
    let isKnown = false;
    const refuse = (address: string) =>
      address === reader.email && !isKnown ? { code: 550, message: `no mailbox ${address} here` } : undefined;
    const smtp = await forThisTest(openSmtpServer({ refuse }));
    sendThrough(smtp.url);
    const id = await placeOrder();
    const other = await placeOrder({ sub: 'other', email: 'other@example.com' });

    const [notice = '', receipt = ''] = bothOf(id);
    await expect.poll(() => idsOf(smtp)).toEqual([notice, ...bothOf(other)].sort());
    const givenUp = async () => (await desk<DeskMails>('?state=given-up')).messages;
    await expect.poll(givenUp).toMatchObject([{ _id: id, state: 'given-up', nextAttemptAt: null }]);
    expect((await givenUp())[0]?.error).toBe('550 no mailbox … here');
    expect(lines.join('')).not.toContain(reader.email);

    isKnown = true;
    await desk(`/${id}/retry`, 'POST');

    await expect.poll(() => smtp.mails.at(-1)?.messageId).toBe(receipt);
    expect(smtp.mails).toHaveLength(4);
    await expect.poll(givenUp).toEqual([]);
  });
});

test('a mail does not go to another address than that of a customer whom an older version let in', async () => {
  const smtp = await forThisTest(openSmtpServer());
  sendThrough(smtp.url, { sendsUnverified: true });

  const id = await placeOrder({ email: '<bob@example.com' });

  await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).state).toBe('given-up');
  expect(smtp.mails.map(({ to }) => to)).toEqual([['orders@shop.example']]);
});

describe('an address that the provider has not verified', () => {
  const victim = { sub: 'attacker', email: 'victim@elsewhere.example', isEmailVerified: false };

  test('gets no receipt, which the desk and the buyer are told; the shop has its notice', async () => {
    const smtp = await forThisTest(openSmtpServer());
    sendThrough(smtp.url);

    const id = await placeOrder(victim);

    const withheld = async () => (await desk<DeskMails>('?state=unverified')).messages;
    await expect.poll(withheld).toMatchObject([{ _id: id, state: 'unverified', nextAttemptAt: null }]);
    const verified = await placeOrder();
    await expect.poll(() => idsOf(smtp)).toEqual([`<notice.${id}@shop.example>`, ...bothOf(verified)].sort());
    // The mail server has the message a moment before its row says so.
    await expect
      .poll(async () => (await desk<DeskMails>('')).messages.map(({ state }) => state))
      .toEqual(['sent', 'unverified']);
    expect(await session(victim)).toEqual({
      userName: reader.name,
      email: victim.email,
      photo: '',
      hasNoReceipts: true,
    });
    expect(Object.keys(await session({}))).toEqual(['userName', 'email', 'photo']);
  });

  test('gets none when the customer has verified another one since, and the next one when it is verified', async () => {
    const smtp = await forThisTest(openSmtpServer());
    mail = { ...unsentMail('off', sender), mode: 'sent' };
    const first = await placeOrder(victim);
    await store.signIn({ ...victim, email: 'own@example.com', isEmailVerified: true });

    sendThrough(smtp.url);

    const stateOf = async (id: string) => (await desk<DeskMailContent>(`/${id}`)).state;
    await expect.poll(() => stateOf(first)).toBe('unverified');
    const second = await placeOrder({ ...victim, isEmailVerified: true });
    await expect
      .poll(() => idsOf(smtp))
      .toEqual([`<notice.${first}@shop.example>`, ...bothOf(second)].sort());
    expect(await stateOf(first)).toBe('unverified');
  });

  test('gets a receipt when the owner asks for it, although the first attempt fails, and the notice is not sent again', async () => {
    let refusals = 0;
    const refuse = (address: string) =>
      address === victim.email && refusals++ === 0 ? { code: 450, message: 'greylisted' } : undefined;
    const smtp = await forThisTest(openSmtpServer({ refuse }));
    sendThrough(smtp.url);
    const id = await placeOrder(victim);
    await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).state).toBe('unverified');

    await desk(`/${id}/retry`, 'POST');

    await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
    expect(refusals).toBe(2);
  });

  test('gets receipts with MAIL_UNVERIFIED', async () => {
    const smtp = await forThisTest(openSmtpServer());
    sendThrough(smtp.url, { sendsUnverified: true });

    const id = await placeOrder(victim);

    await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
    expect(await session(victim)).not.toHaveProperty('hasNoReceipts');
  });

  test('holds up no receipt of a customer with the same, verified address', async () => {
    const smtp = await forThisTest(openSmtpServer());
    mail = { ...unsentMail('off', sender), mode: 'sent' };
    for (let order = 0; order < 12; order += 1) await placeOrder(victim);
    sendThrough(smtp.url, { sendsUnverified: true });
    await expect.poll(() => smtp.mails.length).toBe(22);

    const id = await placeOrder({ sub: 'its owner', email: victim.email });

    await expect.poll(() => idsOf(smtp)).toEqual(expect.arrayContaining(bothOf(id)));
  });
});

test('an address gets ten receipts an hour, from several nodes and accounts; the others wait, and notices do not', async () => {
  const smtp = await forThisTest(openSmtpServer());
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const accounts = [reader.email, 'READER@example.com', reader.email];
  for (let order = 0; order < 13; order += 1) {
    await placeOrder({ sub: `account ${order % 3}`, email: accounts[order % 3] ?? '' });
  }
  const { db } = store.database;
  const waiting = async () => (await desk<DeskMails>('?state=waiting')).messages;
  const receipts = () => smtp.mails.filter(({ messageId }) => messageId.startsWith('<receipt'));

  const nodes = [0, 1, 2].map(() => sendThrough(smtp.url));

  await expect.poll(() => smtp.mails.length, { timeout: 10_000 }).toBe(23);
  await expect
    .poll(async () => (await waiting()).map(({ error }) => error))
    .toEqual(Array(3).fill('This address has had its ten receipts of an hour.'));
  const soonest = Math.min(...(await waiting()).map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '')));
  const [{ firstFreeAt }] = (await db
    .selectFrom('receipt_slots')
    .select(({ fn }) => fn.min('free_at').as('firstFreeAt'))
    .execute()) as [{ firstFreeAt: number }];
  expect(soonest).toBeGreaterThanOrEqual(firstFreeAt);
  expect(await countDueMail(db)).toBe(0);
  // Others are not concerned, also after a restart.
  await Promise.all(nodes.map((node) => node.close()));
  await db.updateTable('orders').set({ mail_due_at: 0 }).where('mail_due_at', 'is not', null).execute();
  sendThrough(smtp.url);
  const other = await placeOrder({ sub: 'other', email: 'other@example.com' });
  await expect.poll(() => idsOf(smtp)).toEqual(expect.arrayContaining(bothOf(other)));
  await expect.poll(async () => (await waiting()).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
  expect(receipts()).toHaveLength(11);

  // An hour later.
  await db.updateTable('receipt_slots').set({ free_at: 0 }).execute();
  await db.updateTable('orders').set({ mail_due_at: 0 }).where('mail_due_at', 'is not', null).execute();

  await expect.poll(() => receipts().length).toBe(14);
  expect(new Set(idsOf(smtp)).size).toBe(28);
  await sweepReceiptSlots(db);
  expect(await db.selectFrom('receipt_slots').selectAll().execute()).toHaveLength(3);
});

/** Adds copies of an order, each older than it by `ageMs`. @param changes to each copy. */
async function addCopies(
  id: string,
  { count, ageMs }: { count: number; ageMs: number },
  changes: Partial<Tables['orders']> = {},
): Promise<void> {
  const { db } = store.database;
  const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const columns = Object.keys(order).map((column) => sql.ref(column));
  const prefix = `${firstIdAt(order.placed_at - ageMs)}-7000-8000-`;
  const copied = columns.map((column, index) =>
    Object.keys(order)[index] === 'id'
      ? sql`cast(${prefix} as text) || cast(100000000000 + number as text)`
      : column,
  );
  await sql`insert into orders (${sql.join(columns)})
    with recursive numbers(number) as
      (select 1 union all select number + 1 from numbers where number < ${sql.lit(count)})
    select ${sql.join(copied)} from orders, numbers where id = ${id}`.execute(db);
  if (Object.keys(changes).length === 0) return;
  await db.updateTable('orders').set(changes).where('id', 'like', `${prefix}%`).execute();
}

test('of a flood for one address ten receipts an hour have their turn within three days, the others are given up, and a later buyer does not wait for it', async () => {
  const smtp = await forThisTest(openSmtpServer());
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  await addCopies(await placeOrder(), { count: 99, ageMs: 1 });
  const other = await placeOrder({ sub: 'other', email: 'other@example.com' });
  const { db } = store.database;

  sendThrough(smtp.url, { giveUpAfterMs: 3 * hour });

  const listed = async (state: string) => (await desk<DeskMails>(`?state=${state}&limit=200`)).messages;
  await expect.poll(async () => (await listed('given-up')).length, { timeout: 10_000 }).toBe(70);
  await expect.poll(() => smtp.mails.length).toBe(100 + 10 + 2);
  expect(idsOf(smtp).filter((id) => id.startsWith('<receipt'))).toHaveLength(11);
  // Two rounds of the 112 messages: the oldest and the newest.
  const place = smtp.mails.findIndex(({ messageId }) => messageId === `<receipt.${other}@shop.example>`);
  expect(place).toBeLessThan(55);
  await expect.poll(async () => (await listed('waiting')).length).toBe(20);
  const turns = (await listed('waiting')).map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '')).sort();
  expect(new Set(turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0)))).toEqual(
    new Set([hour / 10]),
  );
  expect(await countDueMail(db)).toBe(0);
});

describe('while the receipt waits for the limit of its address, a notice', () => {
  const takeAllSlots = async () => {
    for (let slot = 0; slot < 10; slot += 1) {
      await takeReceiptSlot(store.database.db, { address: reader.email, isVerified: true }, Date.now());
    }
  };
  const refuseNotice = (code: number, times: number) => {
    let refusals = 0;
    return (address: string) =>
      address === sender.from.address && refusals++ < times ? { code, message: 'not now' } : undefined;
  };

  test('that is refused for now is tried again at once, and not with the receipt', async () => {
    const smtp = await forThisTest(openSmtpServer({ refuse: refuseNotice(450, 2) }));
    await takeAllSlots();
    sendThrough(smtp.url);

    const id = await placeOrder();

    await expect.poll(() => idsOf(smtp)).toEqual([`<notice.${id}@shop.example>`]);
    await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).attempts).toBe(3);
  });

  test('that is refused for good is given up with the receipt after three days', async () => {
    const smtp = await forThisTest(openSmtpServer({ refuse: refuseNotice(550, 100) }));
    await takeAllSlots();
    mail = { ...unsentMail('off', sender), mode: 'sent' };
    const id = await placeOrder();
    await store.database.db
      .updateTable('orders')
      .set({ placed_at: Date.now() - 73 * hour })
      .execute();

    sendThrough(smtp.url);

    await expect
      .poll(() => desk<DeskMailContent>(`/${id}`))
      .toMatchObject({ state: 'given-up', attempts: 1, error: expect.stringContaining('550') });
    expect(smtp.mails).toEqual([]);
  });
});

test('neither the count of waiting mail nor a page of a list reads all orders of a flood', async () => {
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const id = await placeOrder();
  const { db } = store.database;
  await addCopies(
    id,
    { count: 20_000, ageMs: hour },
    { notice_sent_at: 1, mail_due_at: 5, mail_error: receiptLimitReached },
  );
  await addCopies(id, { count: 1, ageMs: 2 * hour }, { notice_sent_at: 1, mail_due_at: null });
  const mailDueAt = (mail_due_at: number) =>
    db.updateTable('orders').set({ mail_due_at }).where('id', '=', id).execute();

  const first = await store.call('/desk/api/mail?state=unverified', { cookie });
  const link = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect((await readJson<DeskMails>(first, 200)).messages).toEqual([]);
  const second = await readJson<DeskMails>(await store.call(link, { cookie }), 200);
  expect(second.messages).toMatchObject([{ state: 'unverified' }]);
  await mailDueAt(4);
  expect(await countDueMail(db)).toBe(1);
  await mailDueAt(6);
  expect(await countDueMail(db)).toBe(0);
});

test('receipts that ask at the same time share the ten slots of their address, however its domain is written', async () => {
  const { db } = store.database;
  const domains = [
    'gmäil.example',
    'GMÄIL.example',
    'xn--gmil-moa.example',
    'gmäil。example',
    'ｇmäil．example.',
  ];

  const taken = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      takeReceiptSlot(db, { address: `bob@${domains[index % 5]}`, isVerified: true }, 5_000),
    ),
  );

  expect(taken.filter((slot) => typeof slot !== 'number')).toHaveLength(10);
  expect(taken).toContain(3_605_000);
});

test('a receipt that the server does not take is not counted for its address', async () => {
  let refusals = 0;
  const refuse = (address: string) =>
    address === reader.email && refusals++ < 11 ? { code: 450, message: 'greylisted' } : undefined;
  const smtp = await forThisTest(openSmtpServer({ refuse }));
  sendThrough(smtp.url, { firstRetryMs: 1, maxRetryMs: 1 });

  const id = await placeOrder();

  await expect.poll(() => idsOf(smtp), { timeout: 10_000 }).toEqual(bothOf(id));
});

test('mail that cannot be sent for three days is given up', async () => {
  const silent = await forThisTest(openSilentServer());
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const ids = [await placeOrder(), await placeOrder()];
  const placedAt = Date.now() - 3 * 24 * 3_600_000;
  await store.database.db
    .updateTable('orders')
    .set({ placed_at: placedAt - 1_000 })
    .where('id', '=', ids[0] ?? '')
    .execute();

  sendThrough(silent.url, { timeouts: impatient });

  const stateOf = async (id = '') => (await desk<DeskMailContent>(`/${id}`)).state;
  await expect.poll(() => stateOf(ids[0]), { timeout: 10_000 }).toBe('given-up');
  expect(await stateOf(ids[1])).toBe('waiting');
});

test('mail of an erased customer is not sent, and does not become due again', async () => {
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const { db } = store.database;
  const id = await placeOrder();
  const { customer_id: customerId } = await db
    .selectFrom('orders')
    .select('customer_id')
    .executeTakeFirstOrThrow();
  // Its receipt waits, and its notice was sent.
  await db.updateTable('orders').set({ notice_sent_at: Date.now() }).execute();

  await eraseCustomer(db, customerId, commandActor);

  const claim = () => claimDueMail(db, { now: Date.now(), claimMs: 1_500, limit: 10 });
  expect(await claim()).toEqual([]);
  expect(await desk<DeskMailContent>(`/${id}/retry`, 'POST')).toMatchObject({ state: 'none', to: '' });
  expect(await claim()).toEqual([]);
});

test('several nodes send each message once', async () => {
  const smtp = await forThisTest(openSmtpServer());
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const buyers = Array.from({ length: 10 }, (_, name) => ({
    sub: `b${name}`,
    email: `b${name}@example.com`,
  }));
  const ids = await Promise.all([...buyers, ...buyers, ...buyers, ...buyers].map(placeOrder));

  for (let node = 0; node < 3; node += 1) sendThrough(smtp.url);

  await expect.poll(() => smtp.mails.length, { timeout: 20_000 }).toBe(80);
  await expect.poll(async () => (await desk<DeskMails>('?state=waiting')).messages).toEqual([]);
  expect(idsOf(smtp)).toEqual(ids.flatMap(bothOf).sort());
});

test('the mail of a node that died is sent by another one when its claim is over', async () => {
  const smtp = await forThisTest(openSmtpServer());
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const id = await placeOrder();
  const now = Date.now();
  const claim = () => claimDueMail(store.database.db, { now: Date.now(), claimMs: 1_500, limit: 10 });
  expect(await claim()).toHaveLength(1);
  expect(await claim()).toEqual([]);

  sendThrough(smtp.url);

  await expect.poll(() => idsOf(smtp), { timeout: 10_000 }).toEqual(bothOf(id));
  expect(Date.now() - now).toBeGreaterThanOrEqual(1_500);
});

test('a stop lets the message that is under way end, and leaves the others to the next start', async () => {
  const { promise: isTaken, resolve: take } = Promise.withResolvers<void>();
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
  const smtp = await forThisTest(
    openSmtpServer({
      beforeTaking() {
        begin();
        return isTaken;
      },
    }),
  );
  const first = sendThrough(smtp.url);
  const id = await placeOrder();
  await hasBegun;

  const closing = first.close();
  take();
  await closing;

  expect(idsOf(smtp)).toEqual([`<receipt.${id}@shop.example>`]);
  sendThrough(smtp.url);
  await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
});

test('in demo mode the desk shows the mail, and none is due', async () => {
  mail = unsentMail('shown', sender);
  const id = await placeOrder();

  const { mode, messages } = await desk<DeskMails>('');

  expect(mode).toBe('shown');
  expect(messages).toMatchObject([{ _id: id, state: 'shown', subject: 'Your order: Emma & <Harriet>' }]);
  const { receipt, notice } = await desk<DeskMailContent>(`/${id}`);
  expect(receipt.text).toContain('Thank you for your order');
  expect(notice).toMatchObject({
    to: 'The Shop <orders@shop.example>',
    subject: 'New order: Emma & <Harriet>',
  });
});

test('an order from before mail was set up has none, and none can be sent', async () => {
  const smtp = await forThisTest(openSmtpServer());
  const id = await placeOrder();
  sendThrough(smtp.url);

  expect(await desk<DeskMailContent>(`/${id}`)).toMatchObject({ state: 'none', attempts: 0 });
  expect(await desk<DeskMailContent>(`/${id}/retry`, 'POST')).toMatchObject({ state: 'none' });
});

test('without a mail server there is no mail', async () => {
  await placeOrder();

  expect(await desk('')).toEqual({ mode: 'off', messages: [] });
});

test('the desk lists mail page by page, and knows no other order', async () => {
  mail = { ...unsentMail('off', sender), mode: 'sent' };
  const ids = [await placeOrder(), await placeOrder(), await placeOrder()];

  const first = await store.call('/desk/api/mail?state=waiting&limit=2', { cookie });
  const link = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await store.call(link, { cookie });

  const listed = [await readJson<DeskMails>(first, 200), await readJson<DeskMails>(second, 200)];
  expect(listed.flatMap(({ messages }) => messages.map(({ _id }) => _id))).toEqual(ids.reverse());
  expect(second.headers.get('link')).toBeNull();
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/retry'],
  ] as const) {
    const missing = await store.call(`/desk/api/mail/no-such-order${path}`, { cookie, method });
    expect(missing.status).toBe(404);
  }
});

describe('a withdrawal', () => {
  const withdraw = async (id: string, identity: Partial<Identity> = {}, json = {}) => {
    const buyer = await store.signIn(identity);
    return await readJson<object>(
      await store.call(withdrawalPaths.order(id), { method: 'POST', cookie: buyer, json }),
    );
  };
  const allOf = (id: string) =>
    ['acknowledgement', 'notice', 'receipt', 'withdrawal-notice'].map(
      (kind) => `<${kind}.${id}@shop.example>`,
    );

  test('is acknowledged to the buyer with its time to the second, and the shop has a notice, once', async () => {
    const smtp = await forThisTest(openSmtpServer());
    sendThrough(smtp.url);
    const id = await placeOrder();
    await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));

    await withdraw(id, {}, { reason: 'I have it.' });
    await withdraw(id);

    await expect.poll(() => idsOf(smtp)).toEqual(allOf(id));
    const { withdrawn_at: at } = await store.database.db
      .selectFrom('orders')
      .select('withdrawn_at')
      .executeTakeFirstOrThrow();
    const [acknowledgement, notice] = ['<acknowledgement', '<withdrawal-notice'].map((start) =>
      plain(smtp.mails.find(({ messageId }) => messageId.startsWith(start))?.raw ?? ''),
    );
    const time = `${new Date(at ?? 0).toUTCString().slice(0, -3)}UTC`;
    expect(acknowledgement).toMatch(/^Subject: Withdrawal received: Emma & <Harriet>$/m);
    expect(acknowledgement).toMatch(/^To: .*<reader@example\.com>$/m);
    expect(acknowledgement).toContain(`Withdrawn: ${time}`);
    expect(acknowledgement).toMatch(/^Reason: +I have it\.\r?$/m);
    expect(notice).toMatch(/^Subject: Withdrawn: Emma & <Harriet>$/m);
    expect(notice).toMatch(/^To: The Shop <orders@shop\.example>$/m);
    expect(notice).toContain('Do not send it.');
    expect(await desk<DeskMailContent>(`/${id}`)).toMatchObject({
      state: 'sent',
      subject: 'Withdrawal received: Emma & <Harriet>',
      acknowledgementSentAt: expect.any(String),
      withdrawalNoticeSentAt: expect.any(String),
      acknowledgement: { subject: 'Withdrawal received: Emma & <Harriet>' },
    });
    await desk(`/${id}/retry`, 'POST');
    expect((await desk<DeskMailContent>(`/${id}`)).state).toBe('sent');
  });

  test('is acknowledged although the address had its receipts of the hour; a receipt that waits stays waiting', async () => {
    const smtp = await forThisTest(openSmtpServer());
    mail = { ...unsentMail('off', sender), mode: 'sent' };
    const ids: string[] = [];
    for (let order = 0; order < 11; order += 1) ids.push(await placeOrder());
    sendThrough(smtp.url);
    await expect.poll(() => smtp.mails.length).toBe(21);
    const sent = new Set(idsOf(smtp));
    const waiting = ids.find((id) => !sent.has(`<receipt.${id}@shop.example>`)) ?? '';

    await withdraw(waiting);

    await expect.poll(() => smtp.mails.length).toBe(23);
    const [acknowledgement = '', notice = '', , withdrawalNotice = ''] = allOf(waiting);
    expect(idsOf(smtp)).toEqual(expect.arrayContaining([acknowledgement, notice, withdrawalNotice]));
    await expect.poll(async () => (await desk<DeskMailContent>(`/${waiting}`)).state).toBe('waiting');
  });

  test('does not send a receipt that was given up, nor those of an order from before the shop had mail', async () => {
    const smtp = await forThisTest(openSmtpServer());
    const id = await placeOrder();
    sendThrough(smtp.url);

    await withdraw(id);

    const [acknowledgement, , , notice] = allOf(id);
    await expect.poll(() => idsOf(smtp)).toEqual([acknowledgement, notice]);
    await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).state).toBe('sent');
  });

  test('of an order that is older than three days is tried again like any other mail', async () => {
    let isKnown = false;
    const smtp = await forThisTest(
      openSmtpServer({ refuse: () => (isKnown ? undefined : { code: 450, message: 'later' }) }),
    );
    const id = await placeOrder();
    await store.database.db
      .updateTable('orders')
      .set({ placed_at: Date.now() - 96 * hour })
      .execute();
    sendThrough(smtp.url);

    await withdraw(id);

    await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).attempts).toBeGreaterThan(1);
    isKnown = true;
    await expect.poll(() => smtp.mails.length).toBe(2);
  });

  test('of an address that is not verified is in no mail to it, until the owner sends it; the shop has its notice', async () => {
    const smtp = await forThisTest(openSmtpServer());
    const buyer = { sub: 'attacker', email: 'victim@elsewhere.example', isEmailVerified: false };
    sendThrough(smtp.url);
    const id = await placeOrder(buyer);
    await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).state).toBe('unverified');

    await withdraw(id, buyer);

    await expect
      .poll(async () => (await desk<DeskMailContent>(`/${id}`)).withdrawalNoticeSentAt)
      .toBeTruthy();
    await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).state).toBe('unverified');
    expect(smtp.mails.map(({ to }) => to)).toEqual([['orders@shop.example'], ['orders@shop.example']]);
    await desk(`/${id}/retry`, 'POST');
    await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).state).toBe('sent');
    expect(smtp.mails.at(-1)).toMatchObject({
      to: [buyer.email],
      messageId: `<acknowledgement.${id}@shop.example>`,
    });
    expect(smtp.mails).toHaveLength(3);
  });

  test.each(['notice', 'withdrawal-notice'])(
    'of an address that is not verified gets nothing when one of the shop’s messages has failed: the %s',
    async (kind) => {
      const isFirst = kind === 'notice';
      let messages = 0;
      const refuse = (address: string) => {
        if (address === sender.from.address) messages += 1;
        return messages === (isFirst ? 1 : 2) ? { code: 450, message: 'too many' } : undefined;
      };
      const smtp = await forThisTest(openSmtpServer({ refuse }));
      const buyer = { sub: 'attacker', email: 'victim@elsewhere.example', isEmailVerified: false };
      mail = { ...unsentMail('off', sender), mode: 'sent' };
      const id = await placeOrder(buyer);
      await withdraw(id, buyer);

      sendThrough(smtp.url);

      await expect.poll(async () => (await desk<DeskMailContent>(`/${id}`)).state).toBe('unverified');
      const [, notice, , withdrawalNotice] = allOf(id);
      expect(idsOf(smtp)).toEqual([notice, withdrawalNotice]);
    },
  );

  test('of an address that is not verified has the limit of receipts with MAIL_UNVERIFIED', async () => {
    const smtp = await forThisTest(openSmtpServer());
    const buyer = { sub: 'attacker', email: 'victim@elsewhere.example', isEmailVerified: false };
    mail = { ...unsentMail('off', sender), mode: 'sent' };
    for (let order = 0; order < 8; order += 1) await withdraw(await placeOrder(buyer), buyer);
    const toBuyer = () => smtp.mails.filter(({ to }) => to.includes(buyer.email));

    sendThrough(smtp.url, { sendsUnverified: true });

    await expect.poll(() => smtp.mails.length).toBe(26);
    const waiting = async () => (await desk<DeskMails>('?state=waiting')).messages;
    await expect
      .poll(async () => new Set((await waiting()).map(({ error }) => error)))
      .toEqual(new Set(['This address has had its ten receipts of an hour.']));
    expect(toBuyer()).toHaveLength(10);
    expect(await countDueMail(store.database.db)).toBe(0);

    // An hour later.
    const { db } = store.database;
    await db.updateTable('receipt_slots').set({ free_at: 0 }).execute();
    await db.updateTable('orders').set({ mail_due_at: 0 }).where('mail_due_at', 'is not', null).execute();

    await expect.poll(() => toBuyer().length).toBe(16);
    expect(new Set(idsOf(smtp)).size).toBe(32);
  });

  test('by the owner is told to the buyer: a cancellation before the book is sent; to an erased one nothing', async () => {
    const smtp = await forThisTest(openSmtpServer());
    sendThrough(smtp.url);
    const [id, erased] = [await placeOrder(), await placeOrder({ sub: 'gone', email: 'gone@example.com' })];
    await expect.poll(() => smtp.mails.length).toBe(4);
    const { customer_id: goneId } = await store.database.db
      .selectFrom('orders')
      .select('customer_id')
      .where('id', '=', erased)
      .executeTakeFirstOrThrow();
    await eraseCustomer(store.database.db, goneId, commandActor);

    for (const one of [id, erased]) {
      await readJson(
        await store.call(deskPaths.orderWithdraw(one), { cookie, json: { reason: 'Its spine is broken.' } }),
      );
    }

    await expect.poll(() => smtp.mails.length).toBe(6);
    const cancelled = smtp.mails.find(({ messageId }) => messageId.startsWith('<acknowledgement'));
    expect(plain(cancelled?.raw ?? '')).toMatch(/^Subject: Order cancelled: Emma & <Harriet>$/m);
    expect(plain(cancelled?.raw ?? '')).toContain('Its spine is broken.');
    expect((await desk<DeskMailContent>(`/${erased}`)).nextAttemptAt).toBeNull();
  });
});
