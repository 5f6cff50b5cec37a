import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskMailContent, DeskMails, MailKind } from '../../contract/desk/mail.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { idAt } from '../database/ids.ts';
import type { Tables } from '../database/tables.ts';
import { openLog } from '../http/log.ts';
import { claimDue, countDue, sweepOutbox } from '../outbox/due.ts';
import { recordMessages } from '../outbox/record.ts';
import type { WorkerTimes } from '../outbox/worker.ts';
import type { Identity } from '../sign-in/identity.ts';
import { endsWithTest, forThisTest } from '../testing/ends-with-test.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import {
  openSilentServer,
  openSmtpServer,
  type SmtpOptions,
  type TestSmtpServer,
} from '../testing/smtp-server.ts';
import { nextPage, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { type Mail, openMailSender, unsentMail } from './mail.ts';
import { openTransport } from './transport.ts';

const emma = { title: 'Emma & <Harriet>', author: 'Jane Austen', priceCents: 1299 };
const sender = {
  storeName: 'Colophon',
  timeZone: 'UTC',
  publicUrl: new URL('https://shop.example'),
  from: { name: 'The Shop', address: 'orders@shop.example' },
};
const hour = 3_600_000;
const admin = { sub: 'admin', email: 'admin@example.com' };
const other = { sub: 'other', email: 'other@example.com' };
const unverified = { sub: 'attacker', email: 'victim@elsewhere.example', isEmailVerified: false };
/** The timeout for a server that is silent. Other servers may be slow on a busy machine: given-up messages would be sent again. */
const impatient = { silence: 500, send: 2_000 };
const times: Partial<WorkerTimes> = {
  pollMs: 20,
  roundMs: 1,
  firstRetryMs: 20,
  maxRetryMs: 100,
};

/** The store's mail settings, which a test sets. */
let mail: Mail = unsentMail('off', sender);
let lines: string[];
let cookie: string;

const store = setUpTestStore({
  settings: { adminEmails: [admin.email] },
  mail: new Proxy({} as Mail, { get: (_, name) => Reflect.get(mail, name) }),
});
beforeEach(async () => {
  lines = [];
  mail = unsentMail('off', sender);
  cookie = await store.signIn(admin);
  await addBook(store.database.db, { ...emma, image: 'https://covers.example/emma.jpg' }, null);
});

type SenderOptions = { sendsUnverified?: boolean; timeouts?: typeof impatient };
function sendThrough(
  { url }: Pick<TestSmtpServer, 'url'>,
  { sendsUnverified = false, timeouts, ...options }: Partial<WorkerTimes> & SenderOptions = {},
): Mail {
  const opened = openMailSender({
    ...{ db: store.database.db, sender, sendsUnverified, transport: openTransport(url, timeouts) },
    log: openLog('info', { write: (line: string) => lines.push(line) }),
    times: { ...times, ...options },
  });
  endsWithTest(() => opened.close());
  mail = opened;
  return opened;
}
/** Makes mail due; nothing sends it yet. */
const keepMail = () => {
  mail = { ...unsentMail('off', sender), mode: 'sent' };
};
const openSmtp = (options: SmtpOptions = {}) => forThisTest(openSmtpServer(options));
/** A server that refuses an address a number of times. */
const openRefusing = (address: string, code: number, times: number) => {
  let refusals = 0;
  const isRefused = (to: string) => to === address && refusals++ < times;
  return openSmtp({
    refuse: (to) => (isRefused(to) ? { code, message: `no mailbox ${to} here` } : undefined),
  });
};

async function placeOrder(identity: Partial<Identity> = {}, more = {}): Promise<string> {
  const cookie = await store.signIn(identity);
  const json = { ...orderOf(emma, identity.email ?? reader.email), ...more };
  return (await readJson<Order>(await store.call(paths.addOrder, { cookie, json }), 201))._id;
}
const withdraw = async (id: string, identity: Partial<Identity> = {}, json = {}) => {
  const call = { method: 'POST', cookie: await store.signIn(identity), json };
  return await readJson<object>(await store.call(withdrawalPaths.order(id), call));
};

async function desk<Body>(path: string, method = 'GET'): Promise<Body> {
  return await readJson<Body>(await store.call(`${deskPaths.mail}${path}`, { cookie, method }), 200);
}
const mailOf = (id: string) => desk<DeskMailContent>(`/${id}`);
const stateOf = async (id: string) => (await mailOf(id)).state;
const listed = async (state: string) => (await desk<DeskMails>(`?state=${state}&limit=200`)).messages;
const retry = (id: string) => desk<DeskMailContent>(`/${id}/retry`, 'POST');
const change = (changes: Partial<Omit<Tables['outbox'], 'attempts'>>, ...kinds: MailKind[]) =>
  store.database.db
    .updateTable('outbox')
    .set(changes)
    .$if(kinds.length > 0, (messages) => messages.where('kind', 'in', kinds))
    .execute();
/** Makes the store forget the messages of the last hour. */
const passAnHour = async () => {
  const outbox = store.database.db.updateTable('outbox');
  await outbox.set({ done_at: 1 }).where('done_at', 'is not', null).execute();
  await outbox.set({ due_at: 0 }).where('due_at', 'is not', null).execute();
};
const limitReached = 'This buyer has had ten receipts within an hour.';

const session = async (identity: Partial<Identity>) =>
  await readJson<object>(await store.call(paths.session, { cookie: await store.signIn(identity) }), 200);

const idsOf = ({ mails }: TestSmtpServer) => mails.map(({ messageId }) => messageId).sort();
const idOf = (kind: string, id: string) => `<${kind}.${id}@shop.example>`;
const bothOf = (id: string) => [idOf('notice', id), idOf('receipt', id)];
const ofWithdrawal = (id: string) => [idOf('acknowledgement', id), idOf('withdrawal-notice', id)];
/** Joins the lines of quoted-printable and of long headers. */
const plain = ({ mails }: TestSmtpServer, kind: string) => {
  const raw = mails.find(({ messageId }) => messageId.startsWith(`<${kind}.`))?.raw ?? '';
  return raw.replace(/=\r\n|\r\n(?= )/g, '').replace(/=3D/g, '=');
};
const countLines = (text: string) => lines.filter((line) => line.includes(text)).length;

test('an order sends the buyer a receipt and the shop a notice, as text and as HTML', async () => {
  const smtp = await openSmtp();
  sendThrough(smtp);

  const id = await placeOrder({ name: 'Ada "Countess" Lovelace\r\nBcc: evil' });

  await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
  expect(smtp.mails.map(({ to }) => to).sort()).toEqual([['orders@shop.example'], ['reader@example.com']]);
  const receipt = plain(smtp, 'receipt');
  expect(receipt).toMatch(/^From: The Shop <orders@shop\.example>$/m);
  expect(receipt).toMatch(/^Subject: Your order: Emma & <Harriet>$/m);
  expect(receipt).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(receipt).not.toMatch(/^Bcc:/im);
  for (const text of ['Price:  $12.99', 'Emma &amp; &lt;Harriet&gt;</td>', 'https://shop.example/orders'])
    expect(receipt).toContain(text);
  expect(plain(smtp, 'notice')).toMatch(/^Reply-To: .*<reader@example\.com>$/m);
  expect(plain(smtp, 'notice')).toContain('https://shop.example/desk');
  await expect
    .poll(() => listed('all'))
    .toMatchObject([{ _id: id, to: reader.email, state: 'sent', attempts: 1, error: null }]);
});

test('an order does not wait for a mail server that hangs: its mail arrives once the server is back, within three days', async () => {
  const silent = await openSilentServer();
  keepMail();
  const old = await placeOrder();
  await change({ created_at: Date.now() - 72 * hour - 1_000 });
  sendThrough(silent, { timeouts: impatient });

  const id = await placeOrder();

  // The order is placed while its mail is still being sent to a silent server.
  await expect.poll(() => stateOf(old)).toBe('given-up');
  await expect.poll(async () => (await mailOf(id)).error).toBeTruthy();
  expect(await stateOf(id)).toBe('waiting');
  await silent.close();
  const smtp = await openSmtp({ port: Number(silent.url.port) });
  await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
  // The log has one line, and not one for each attempt.
  expect([countLines('takes no messages'), countLines('takes messages again')]).toEqual([1, 1]);
});

test('a message that breaks off is sent again under its Message-ID and holds up no other, and one that was taken is not', async () => {
  const attempts: string[] = [];
  let broken = '';
  const smtp = await openSmtp({
    beforeTaking({ messageId }) {
      attempts.push(messageId);
      if (messageId === broken) throw new Error('breaks off');
    },
  });
  keepMail();
  const [notice = '', receipt = ''] = bothOf(await placeOrder());
  broken = notice;
  sendThrough(smtp, { firstRetryMs: 100, maxRetryMs: 200 });

  for (let retries = 1; retries <= 3; retries += 1) {
    await expect.poll(() => attempts.filter((id) => id === notice).length).toBeGreaterThan(retries);
    await placeOrder(other);
    await expect.poll(() => smtp.mails.length).toBe(1 + retries * 2);
  }
  broken = '';

  await expect.poll(() => idsOf(smtp)).toEqual(expect.arrayContaining([notice, receipt]));
  expect(attempts.filter((id) => id === receipt)).toHaveLength(1);
});

test('an address that the server refuses for good is given up, shown without the address, and sent when the owner asks for it', async () => {
  const smtp = await openRefusing(reader.email, 550, 1);
  sendThrough(smtp);
  const id = await placeOrder();

  const givenUp = { _id: id, state: 'given-up', nextAttemptAt: null, error: '550 no mailbox … here' };
  await expect.poll(() => listed('given-up')).toMatchObject([givenUp]);
  expect(idsOf(smtp)).toEqual([idOf('notice', id)]);
  expect(lines.join('')).not.toContain(reader.email);
  await retry(id);

  await expect.poll(() => stateOf(id)).toBe('sent');
  expect(idsOf(smtp)).toEqual(bothOf(id));
});

test('an address that the server refuses for now is tried again: what it does not take is not counted for the address', async () => {
  const smtp = await openRefusing(reader.email, 450, 11);
  sendThrough(smtp, { firstRetryMs: 1, maxRetryMs: 1 });

  const id = await placeOrder();

  await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
  await expect.poll(() => mailOf(id)).toMatchObject({ state: 'sent', attempts: 12 });
});

test('a mail does not go to another address than that of a customer whom an older version let in', async () => {
  const smtp = await openSmtp();
  sendThrough(smtp, { sendsUnverified: true });

  const id = await placeOrder({ email: '<bob@example.com' });

  await expect.poll(() => stateOf(id)).toBe('given-up');
  expect(smtp.mails.map(({ to }) => to)).toEqual([['orders@shop.example']]);
});

describe('an address that the provider has not verified', () => {
  test('gets no receipt, which the desk and the buyer are told, also when the customer has verified another one since, until the owner asks for it or it is verified', async () => {
    const smtp = await openRefusing(unverified.email, 450, 1);
    keepMail();
    const id = await placeOrder(unverified);
    await store.signIn({ ...unverified, email: 'own@example.com', isEmailVerified: true });

    sendThrough(smtp);

    await expect
      .poll(() => listed('unverified'))
      .toMatchObject([{ _id: id, state: 'unverified', nextAttemptAt: null }]);
    expect(idsOf(smtp)).toEqual([idOf('notice', id)]);
    const told = { userName: reader.name, email: unverified.email, photo: '', hasNoReceipts: true };
    expect(await session(unverified)).toEqual(told);
    expect(Object.keys(await session({}))).toEqual(['userName', 'email', 'photo']);
    // The first attempt fails. The retry does not send the notice again.
    await retry(id);
    await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));
    const second = await placeOrder({ ...unverified, isEmailVerified: true });
    await expect.poll(() => idsOf(smtp)).toEqual([...bothOf(id), ...bothOf(second)].sort());
  });

  test('gets ten messages an hour with MAIL_UNVERIFIED, and holds up no receipt of a customer with the same, verified address', async () => {
    const smtp = await openSmtp();
    keepMail();
    const ids: string[] = [];
    for (let order = 0; order < 11; order += 1) ids.push(await placeOrder(unverified));
    for (const id of ids.slice(0, 2)) await withdraw(id, unverified);
    const toBuyer = () => smtp.mails.filter(({ to }) => to.includes(unverified.email));
    sendThrough(smtp, { sendsUnverified: true });
    await expect.poll(() => smtp.mails.length).toBe(10 + 11 + 2);
    await expect
      .poll(async () => (await listed('waiting')).map(({ error }) => error))
      .toContain(limitReached);
    expect(toBuyer()).toHaveLength(10);
    expect(await session(unverified)).not.toHaveProperty('hasNoReceipts');

    const id = await placeOrder({ sub: 'its owner', email: unverified.email });

    await expect.poll(() => idsOf(smtp)).toEqual(expect.arrayContaining(bothOf(id)));
    await passAnHour();
    await expect.poll(() => toBuyer().length).toBe(11 + 2 + 1);
    expect(new Set(idsOf(smtp)).size).toBe(28);
  });
});

test('a customer gets ten receipts an hour, from several nodes; the others wait, and notices do not', async () => {
  const smtp = await openSmtp();
  keepMail();
  for (let order = 0; order < 13; order += 1) await placeOrder();
  const receipts = () => smtp.mails.filter(({ messageId }) => messageId.startsWith('<receipt'));

  for (let node = 0; node < 3; node += 1) sendThrough(smtp);

  await expect.poll(() => smtp.mails.length).toBe(23);
  const waiting = Array.from({ length: 3 }, () => ({ error: limitReached }));
  await expect.poll(() => listed('waiting')).toMatchObject(waiting);
  await expect.poll(() => countDue(store.database.db, 'mail')).toBe(0);
  // Mail to other addresses is not affected.
  const second = await placeOrder(other);
  await expect.poll(() => idsOf(smtp)).toEqual(expect.arrayContaining(bothOf(second)));
  expect(receipts()).toHaveLength(11);

  await passAnHour();

  await expect.poll(() => receipts().length).toBe(14);
  expect(new Set(idsOf(smtp)).size).toBe(28);
});

test('of a flood of one customer ten receipts an hour are sent, and those that wait for three days are given up', async () => {
  const { db } = store.database;
  const smtp = await openSmtp();
  keepMail();
  await store.signIn();
  const at = Date.now() - 1_000;
  const flood = await addOrders(
    db,
    await customerIdOf(db),
    Array.from({ length: 100 }, () => ({ at })),
  );
  const senders = { mail: true, webhooks: false };
  await recordMessages(
    db,
    'placed',
    flood.map((id) => ({ id, at, senders })),
  );
  await placeOrder(other);

  sendThrough(smtp);

  await expect.poll(() => smtp.mails.length).toBe(100 + 10 + 2);
  await expect.poll(async () => (await listed('waiting')).length).toBe(90);
  const turns = (await listed('waiting')).map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? ''));
  expect(Math.min(...turns)).toBeGreaterThan(Date.now() + hour / 2);
  await db
    .updateTable('outbox')
    .set({ created_at: at - 72 * hour, due_at: 1 })
    .where('due_at', 'is not', null)
    .execute();
  await expect.poll(async () => (await listed('given-up')).length).toBe(90);
  expect(smtp.mails).toHaveLength(112);
});

test('mail of an erased customer is not sent, and does not become due again', async () => {
  const { db } = store.database;
  keepMail();
  const id = await placeOrder();
  // The receipt waits, and the notice was sent.
  await change({ due_at: null, done_at: Date.now() }, 'notice');

  await eraseCustomer(db, await customerIdOf(db), commandActor);

  const claim = () => claimDue(db, 'mail', { now: Date.now(), claimMs: 1_500, limit: 10 });
  expect(await claim()).toEqual([]);
  expect(await retry(id)).toMatchObject({ state: 'none', to: '' });
  expect(await claim()).toEqual([]);
});

test('a stop lets the messages that are under way end, and leaves the others to the next start', async () => {
  const [taken, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const smtp = await openSmtp({
    beforeTaking() {
      begun.resolve();
      return taken.promise;
    },
  });
  keepMail();
  const ids = [await placeOrder(), await placeOrder(), await placeOrder()];
  const first = sendThrough(smtp);
  await begun.promise;

  const closing = first.close();
  taken.resolve();
  await closing;

  expect(smtp.mails).toHaveLength(5);
  sendThrough(smtp);
  await expect.poll(() => idsOf(smtp)).toEqual(ids.flatMap(bothOf).sort());
});

test('mail that was sent is kept for thirty days, and mail that was given up for longer', async () => {
  const { db } = store.database;
  keepMail();
  await placeOrder();
  await change({ id: idAt(Date.now() - 31 * 24 * hour), due_at: null, done_at: 1 }, 'notice');
  await change({ id: idAt(Date.now() - 31 * 24 * hour), due_at: null, error: 'no' }, 'receipt');

  await sweepOutbox(db);

  expect(await db.selectFrom('outbox').select('kind').execute()).toEqual([{ kind: 'receipt' }]);
});

test('without a mail server there is no mail, and in demo mode the desk shows it', async () => {
  await placeOrder();
  expect(await desk('')).toEqual({ mode: 'off', messages: [] });
  mail = unsentMail('shown', sender);
  const id = await placeOrder(other);

  expect(await desk('')).toMatchObject({ mode: 'shown', messages: [{ _id: id, state: 'shown' }, {}] });
  const subject = 'New order: Emma & <Harriet>';
  expect((await mailOf(id)).notice).toMatchObject({ to: 'The Shop <orders@shop.example>', subject });
});

test('the desk lists mail page by page, and tries mail again that was given up alone', async () => {
  keepMail();
  const ids = [await placeOrder(), await placeOrder(), await placeOrder()];

  const first = await store.call(`${deskPaths.mail}?state=waiting&limit=2`, { cookie });
  const second = await store.call(nextPage(first), { cookie });

  const { messages } = await readJson<DeskMails>(first);
  const listed = [...messages, ...(await readJson<DeskMails>(second)).messages];
  expect(listed.map(({ _id }) => _id)).toEqual(ids.toReversed());
  expect(nextPage(second)).toBe('');
  // A node may be sending the message at this moment.
  expect((await retry(ids[2] ?? '')).nextAttemptAt).toBe(messages[0]?.nextAttemptAt);
});

test('the buyer hears a minute later that the book was sent, unless the mark was taken back, or the book is handed over', async () => {
  const smtp = await openSmtp();
  sendThrough(smtp);
  const posted = await placeOrder({}, { deliveryAddress: '1 Hartfield Lane' });
  const handedOver = await placeOrder();
  await expect.poll(() => smtp.mails.length).toBe(4);
  const mark = async (isSent: boolean) => {
    const json = { ids: [posted, handedOver], isSent, tracking: 'DHL 1' };
    await readJson(await store.call(deskPaths.ordersSent, { cookie, json }));
  };

  await mark(true);
  const { state, nextAttemptAt, dispatch } = await mailOf(posted);
  expect([state, dispatch?.text]).toEqual(['waiting', expect.stringContaining('DHL 1')]);
  expect(Date.parse(nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(50_000);
  expect(await mailOf(handedOver)).toMatchObject({ state: 'sent', subject: 'Your order: Emma & <Harriet>' });
  await mark(false);
  expect(await mailOf(posted)).toMatchObject({ state: 'sent', dispatchSentAt: null });
  await mark(true);
  await change({ due_at: 0 }, 'dispatch');

  const dispatches = () => idsOf(smtp).filter((messageId) => messageId.startsWith(`<dispatch.${posted}.`));
  await expect.poll(dispatches).toHaveLength(1);
  await expect.poll(() => stateOf(posted)).toBe('sent');
  expect(await mailOf(posted)).toMatchObject({
    ...{ subject: 'Your book is on its way: Emma & <Harriet>', dispatchSentAt: expect.any(String) },
  });
  expect(smtp.mails).toHaveLength(5);
  await mark(false);
  expect((await mailOf(posted)).dispatchSentAt).not.toBeNull();

  // A mail program hides a second message with the same Message-ID.
  await mark(true);
  await change({ due_at: 0 }, 'dispatch');
  await expect.poll(() => new Set(dispatches()).size).toBe(2);
});

describe('a withdrawal', () => {
  test('is acknowledged to the buyer with its reason, and the shop has a notice, once', async () => {
    const smtp = await openSmtp();
    sendThrough(smtp);
    const id = await placeOrder();
    await expect.poll(() => idsOf(smtp)).toEqual(bothOf(id));

    await withdraw(id, {}, { reason: 'I have it.' });
    await withdraw(id);

    await expect.poll(() => idsOf(smtp)).toEqual([...bothOf(id), ...ofWithdrawal(id)].sort());
    expect(plain(smtp, 'acknowledgement')).toMatch(/^To: .*<reader@example\.com>$/m);
    expect(plain(smtp, 'acknowledgement')).toMatch(/^Reason: +I have it\.\r?$/m);
    expect(plain(smtp, 'withdrawal-notice')).toMatch(/^To: The Shop <orders@shop\.example>$/m);
    const subject = 'Withdrawal received: Emma & <Harriet>';
    const sentAt = expect.any(String);
    const times = { acknowledgementSentAt: sentAt, withdrawalNoticeSentAt: sentAt };
    await expect
      .poll(() => mailOf(id))
      .toMatchObject({ state: 'sent', subject, ...times, acknowledgement: { subject } });
    expect((await retry(id)).state).toBe('sent');
  });

  test('is acknowledged although the customer had the receipts of the hour; a receipt that waits stays waiting', async () => {
    const smtp = await openSmtp();
    keepMail();
    for (let order = 0; order < 10; order += 1) await placeOrder();
    sendThrough(smtp);
    await expect.poll(() => smtp.mails.length).toBe(20);
    const id = await placeOrder();
    const ofOrder = () => idsOf(smtp).filter((messageId) => messageId.includes(id));
    await expect.poll(ofOrder).toEqual([idOf('notice', id)]);

    await withdraw(id);

    await expect.poll(ofOrder).toEqual([idOf('notice', id), ...ofWithdrawal(id)].sort());
    await expect.poll(() => stateOf(id)).toBe('waiting');
  });

  test.each(['notice', 'withdrawal-notice'])(
    'of an address that is not verified is in no mail to it until the owner sends it, also when the shop’s %s has failed',
    async (kind) => {
      let messages = 0;
      const refuse = (address: string) => {
        if (address === sender.from.address) messages += 1;
        return messages === (kind === 'notice' ? 1 : 2) ? { code: 450, message: 'too many' } : undefined;
      };
      const smtp = await openSmtp({ refuse });
      keepMail();
      const id = await placeOrder(unverified);
      await withdraw(id, unverified);

      sendThrough(smtp);

      await expect.poll(() => stateOf(id)).toBe('unverified');
      expect(idsOf(smtp)).toEqual([idOf('notice', id), idOf('withdrawal-notice', id)]);
      await retry(id);
      await expect.poll(() => stateOf(id)).toBe('sent');
      expect(idsOf(smtp)).toEqual([...bothOf(id), ...ofWithdrawal(id)].sort());
    },
  );
});
