import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { DeskOrder, OrderWithHistory } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { BankImport, MarkedPaid } from '../../contract/desk/payments.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import { moneyIn } from '../../contract/price.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { addBook } from '../catalogue/books.ts';
import { lockOrder } from '../orders/orders.ts';
import { noSenders } from '../outbox/record.ts';
import { emma, orderOf, readJson, setUpTestStore } from '../testing/test-store.ts';
import { changePayment, newCharge } from './standing.ts';
import { importBankFile } from './transfers.ts';

const admin = { sub: 'owner', email: 'owner@shop.example' };
const account = { iban: 'DE89370400440532013000', name: 'The Shop' };
const settings = { currency: 'EUR', payments: { ways: ['transfer'], days: 7 }, transfer: account };
const store = setUpTestStore({ settings: { ...settings, adminEmails: [admin.email] } });
let cookie: string;
let owner: string;
beforeEach(async () => {
  cookie = await store.signIn();
  owner = await store.signIn(admin);
  await addBook(store.database.db, emma, null);
});

const buy = async () =>
  await readJson<Order>(await store.call(paths.addOrder, { cookie, json: orderOf(emma) }), 201);
const read = async ({ _id }: Order) => await readJson<Order>(await store.call(paths.order(_id), { cookie }));
const importFile = (file: string | Buffer) =>
  store.call(deskPaths.paymentsImport, {
    cookie: owner,
    json: { file: Buffer.from(file as string).toString('base64') },
  });
const imported = async (file: string | Buffer) => await readJson<BankImport>(await importFile(file));
const mark = async (isPaid: boolean, ...ids: string[]) =>
  await readJson<MarkedPaid[]>(
    await store.call(deskPaths.ordersPaid, { cookie: owner, json: { ids, isPaid } }),
  );
const onDesk = async (state: string) => {
  const path = `${deskPaths.orders}?state=${state}`;
  return (await readJson<DeskOrder[]>(await store.call(path, { cookie: owner }))).map(({ _id }) => _id);
};
const charges = async () =>
  await store.database.db.selectFrom('charges').select(['cents', 'refund_at as refundAt']).execute();

/** A fixture whose references are the numbers of these orders, and whose amount is the price of the book. */
const fixture = (name: string, ...orders: Order[]): Buffer => {
  const text = readFileSync(join(import.meta.dirname, 'bank-file', 'fixtures', name), 'latin1');
  const references = [/k7m3? ?pqrt|K7M3 ?PQRT|k7m<\/Ustrd><Ustrd>3 pqrt/g, /ACDEFGHJ/g, /NMPQRTUW/g];
  return Buffer.from(
    references
      .reduce((file, reference, at) => file.replace(reference, orders[at]?.number ?? 'X'), text)
      .replace(/1\.?012([.,])99/g, '12$199'),
    'latin1',
  );
};

/** @returns a statement with an entry for each of these ids, which may be empty. */
const camt = ({ number }: Order, ...ids: string[]): string => {
  const entries = ids.map(
    (
      id,
    ) => `<Ntry><Amt Ccy="EUR">12.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>${id}</AcctSvcrRef>
      <BookgDt><Dt>2026-11-23</Dt></BookgDt><AddtlNtryInf>${number}</AddtlNtryInf></Ntry>`,
  );
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${entries.join('')}</Document>`;
};

/** @returns a CSV file with an entry for each line: its cells from the amount on. */
const csv = (...lines: string[][]): string =>
  [
    'Amount;Reference;Date;Currency;State;Type',
    ...lines.map(([amount, text, day = '2026-11-23', currency = 'EUR', ...rest]) =>
      [amount, text, day, currency, ...rest].join(';'),
    ),
  ].join('\n');

test.each(['camt.053.001.02.xml', 'sparkasse.csv', 'ing.csv'])(
  '%s marks the order that it names as paid, once',
  async (name) => {
    const [order, ...others] = [await buy(), await buy(), await buy()];
    const file = fixture(name, order, ...others);

    expect(await imported(file)).toMatchObject({ marked: 1, known: 0 });
    expect(await read(order)).toMatchObject({ state: 'new', payment: { state: 'paid', ways: [] } });
    for (const other of others) expect(await read(other)).toMatchObject({ payment: { state: 'due' } });
    expect(await imported(file)).toMatchObject({ marked: 0, known: 1 });
    expect(await charges()).toEqual([{ cents: 1299, refundAt: null }]);
  },
);

test('an entry that does not fit is listed with the reason, and marks nothing', async () => {
  const [order, other] = [await buy(), await buy()];
  const { number } = order;
  const file = csv(
    ['12,98', number],
    ['13,00', number],
    ['12,99', `${number} ${other.number}`],
    ['12,99', number, '2026-11-23', 'CHF'],
    ['-12,99', number],
    ['12,99', number, '2026-11-23', 'EUR', 'Pending'],
    ['12,99', number, '2026-11-23', 'EUR', 'Completed', 'Reversal'],
    ['ten', number],
    ['20,00', 'Thank you'],
    ['-20,00', 'Rent'],
  );

  const { left, ...counts } = await imported(file);

  expect(counts).toEqual({ marked: 0, known: 0, leftCount: 9 });
  expect(left.map(({ reason, order }) => [reason, order])).toEqual([
    ['Less than the €12.99 that the order costs.', order._id],
    ['More than the €12.99 that the order costs.', order._id],
    ['It names several orders.', null],
    ['It is not in EUR.', order._id],
    ['The money left the account.', order._id],
    ['It is not booked yet.', order._id],
    ['The money went back.', order._id],
    ['Its amount cannot be read.', order._id],
    ['It names no order.', null],
  ]);
  expect(left[0]).toMatchObject({ day: '2026-11-23', amount: 12.98, currency: 'EUR', text: number });
  const refs =
    '<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs></TxDtls></NtryDtls><AddtlNtryInf>';
  const statement = camt(order, 'one').replace('12.99', '12.98').replace('<AddtlNtryInf>', refs);
  expect((await imported(statement)).left[0]?.text).toBe(number);
  // A number may begin at each letter: of a file that is all letters, the numbers would take all memory.
  const long = `Date;Reference;Name;Amount;Currency\n2026-11-23;${'x'.repeat(2_000)};${number};12,99;EUR`;
  expect((await imported(long)).left).toMatchObject([{ reason: 'It names no order.' }]);
  expect(await read(order)).toMatchObject({ payment: { state: 'due' } });
  expect(await charges()).toEqual([]);
});

test('of two transfers of a day the bank’s own ids tell which is which, also beside a file that has none', async () => {
  const order = await buy();
  const entry = ['12,99', order.number];

  expect(await imported(csv(entry))).toMatchObject({ marked: 1 });
  for (const _ of [1, 2]) expect(await imported(camt(order, 'A'))).toMatchObject({ known: 1, leftCount: 0 });
  expect((await imported(camt(order, 'B'))).left[0]?.reason).toContain('send the money back');
  expect(await imported(camt(order, 'A'))).toMatchObject({ known: 1, leftCount: 0 });
  expect(await imported(csv(entry, entry))).toMatchObject({ known: 2, leftCount: 0 });
  expect(await charges()).toHaveLength(2);
});

test('the same entry is one in CSV and in a statement, and equal entries of a day are two: the second is surplus', async () => {
  const order = await buy();
  const once = ['12,99', `Order ${order.number}`];
  expect(await imported(csv(once))).toMatchObject({ marked: 1 });
  expect(await imported(camt(order, ''))).toMatchObject({ marked: 0, known: 1, left: [] });
  const { left, ...counts } = await imported(camt(order, '', ''));

  expect(counts).toEqual({ marked: 0, known: 1, leftCount: 1 });
  expect(left[0]?.reason).toContain('send the money back');
  expect(await charges()).toEqual([
    { cents: 1299, refundAt: null },
    { cents: 1299, refundAt: expect.any(Number) },
  ]);
  expect(await imported(csv(once, once))).toMatchObject({ known: 2, leftCount: 0 });

  expect(await onDesk('surplus')).toEqual([order._id]);
  const path = deskPaths.orderSettle(order._id);
  await readJson(await store.call(path, { cookie: owner, json: { isRefunded: true } }));
  expect(await onDesk('surplus')).toEqual([]);
  expect(await read(order)).toMatchObject({ payment: { state: 'paid' } });
});

test('an entry whose id is cut within a character is the same the next time', async () => {
  const file = camt(await buy(), `${'x'.repeat(34)}😀`);

  expect(await imported(file)).toMatchObject({ marked: 1 });
  expect(await imported(file)).toMatchObject({ known: 1, leftCount: 0 });
});

test('what the owner has marked by hand is not paid twice by its entry; another entry is surplus', async () => {
  const order = await buy();
  const seen = async () =>
    await readJson<OrderWithHistory>(await store.call(deskPaths.order(order._id), { cookie: owner }));
  const way = async () => (await seen()).order.payment?.way;
  const history = async () => {
    const { history } = await seen();
    return history.map(({ action, details }) => [action, details?.['isPaid']]);
  };

  expect(await mark(true, order.number)).toEqual([
    { _id: order._id, number: order.number, isPaid: true, isChanged: true },
  ]);
  expect(await mark(true, order._id)).toMatchObject([{ isPaid: true, isChanged: false }]);
  expect(await mark(false, order._id)).toMatchObject([{ isPaid: false, isChanged: true }]);
  expect(await read(order)).toMatchObject({ payment: { state: 'due' } });
  expect(await charges()).toEqual([]);
  await mark(true, order._id, (await buy())._id);
  expect(await history()).toEqual([true, false, true].map((isPaid) => ['orders-marked', isPaid]));

  expect(await way()).toBe('hand');
  const entry = ['12,99', order.number];
  for (const known of [1, 1])
    expect(await imported(csv(entry))).toMatchObject({ marked: 0, known, left: [] });
  expect(await way()).toBe('transfer');
  // The money is in the bank now, so the mark is not taken back.
  expect(await mark(false, order._id)).toMatchObject([{ isPaid: true, isChanged: false }]);
  expect(await imported(csv([...entry, '2026-11-24']))).toMatchObject({ marked: 0, known: 0, leftCount: 1 });
});

test('a file that two nodes import at once, while the owner marks by hand, pays each order once: nothing is to be sent back', async () => {
  const { db } = store.database;
  const other = await store.openDatabaseAgain();
  const terms = { money: moneyIn('EUR'), senders: { mail: false, webhooks: true } };
  for (let round = 0; round < 4; round += 1) {
    const orders = await Promise.all(Array.from({ length: 6 }, () => buy()));
    const file = Buffer.from(csv(...orders.map(({ number }): [string, string] => ['12,99', number])));

    const [first, second] = await Promise.all([
      importBankFile(db, file, terms),
      importBankFile(other.db, file, terms),
      ...(round % 2 === 0 ? orders.map(({ _id }) => mark(true, _id)) : []),
    ]);

    expect([first.left, second.left, first.known + first.marked, second.known + second.marked]).toEqual([
      ...[[], [], 6, 6],
    ]);
  }
  expect(await charges()).toEqual(Array(24).fill({ cents: 1299, refundAt: null }));
});

test('a mark that is taken back leaves nothing due of a withdrawn order, and no money that goes back pays in its place', async () => {
  const { db } = store.database;
  const [withdrawn, twice] = [await buy(), await buy()];
  await mark(true, withdrawn._id, twice._id);
  await readJson(await store.call(withdrawalPaths.order(withdrawn._id), { method: 'POST', cookie }));
  await db.transaction().execute(async (db) => {
    await lockOrder(db, twice._id);
    const charge = newCharge({ id: 'cs_1', reference: twice.number, way: 'stripe', cents: 1299 });
    await changePayment(db, twice.number, noSenders, ({ payment, charges }) => ({
      ...{ payment, charges: [...charges, charge] },
    }));
  });

  await mark(false, withdrawn._id, twice._id);

  expect(await read(withdrawn)).toMatchObject({
    state: 'withdrawn',
    payment: { state: 'expired', ways: [] },
  });
  expect(await read(twice)).toMatchObject({ payment: { state: 'due', ways: ['transfer'] } });
});

test('only what is due can be marked, and the mark of a sent order stays', async () => {
  const [sent, withdrawn] = [await buy(), await buy()];
  await readJson(await store.call(withdrawalPaths.order(withdrawn._id), { method: 'POST', cookie }));

  expect(await mark(true, sent._id, withdrawn._id, 'nobody')).toMatchObject([
    { _id: sent._id, isPaid: true, isChanged: true },
    { _id: withdrawn._id, isPaid: false, isChanged: false },
  ]);
  await readJson(
    await store.call(deskPaths.ordersSent, { cookie: owner, json: { ids: [sent._id], isSent: true } }),
  );
  expect(await mark(false, sent._id)).toMatchObject([{ isPaid: true, isChanged: false }]);
  expect(await imported(csv(['12,99', withdrawn.number]))).toMatchObject({ marked: 0, leftCount: 1 });
  expect(await onDesk('due')).toEqual([]);
});

test('a second file at the same time is refused, because each is in memory, and not after it', async () => {
  const file = csv(...Array.from({ length: 2_000 }, () => ['1,00', 'Thank you']));
  const answers = await Promise.all([importFile(file), importFile(file), importFile(file)]);

  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses.slice(0, 1).concat(statuses.slice(-1))).toEqual([200, 503]);
  expect(await imported(file)).toMatchObject({ leftCount: 2_000 });
});

test('a file of no bank is refused with the reason, and so is one that is too large; a customer imports none', async () => {
  const { code, detail } = await readJson<ProblemBody>(await importFile('a;b\n1;2'), 400);
  expect([code, detail]).toEqual(['BANK_FILE_UNREADABLE', expect.stringContaining('heads')]);
  await readJson(await importFile(Buffer.alloc(10 * 1024 * 1024 + 4, 'a')), 400);
  await readJson(await importFile(Buffer.alloc(12 * 1024 * 1024, 'a')), 413);
  await readJson(await store.call(deskPaths.paymentsImport, { cookie, json: { file: '' } }), 403);
});

test('the buyer, and nobody else, gets what a transfer needs while the order is due, and its code', async () => {
  const order = await buy();
  const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
  const transfer = await readJson(await store.call(paymentPaths.transfer(order._id), { cookie }));
  const text = `BCD\n002\n1\nSCT\n\nThe Shop\n${account.iban}\nEUR12.99\n\n\n${order.number}`;

  expect(transfer).toEqual({ ...account, amount: 12.99, currency: 'EUR', reference: order.number, text });
  const code = await store.call(paymentPaths.transferCode(order._id), { cookie });
  expect([code.headers.get('content-type'), (await code.text()).slice(0, 5)]).toEqual([
    'image/svg+xml',
    '<svg ',
  ]);
  for (const path of [paymentPaths.transfer(order._id), paymentPaths.transferCode(order._id)]) {
    await readJson(await store.call(path, { cookie: other }), 404);
    await readJson(await store.call(path), 401);
  }
  await mark(true, order._id);
  for (const pathOf of [paymentPaths.transfer, paymentPaths.transferCode]) {
    const paid = await readJson<ProblemBody>(await store.call(pathOf(order._id), { cookie }), 409);
    expect(paid.code).toBe('ALREADY_PAID');
    await readJson(await store.call(pathOf('a'.repeat(1000)), { cookie }), 400);
  }
});
