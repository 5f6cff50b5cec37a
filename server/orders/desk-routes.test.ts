import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { maxAtOnce } from '../../contract/desk/limits.ts';
import type { DeskOrder, MarkedOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { createToken } from '../access/tokens.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { addOrders, customerIdOf, type PlacedOrder } from '../testing/orders.ts';
import { emma, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';

const admin = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
const dayMs = 24 * 60 * 60 * 1000;
const noon = Date.parse('2026-03-10T12:00:00Z');

const store = setUpTestStore({ settings: { adminEmails: [admin.email], hasRateLimits: false } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn(admin);
  await store.signIn();
});

/** Adds orders of the reader. @returns their ids. */
const place = async (...orders: readonly Partial<PlacedOrder>[]) =>
  addOrders(
    store.database.db,
    await customerIdOf(store.database.db),
    orders.map((order) => ({ at: noon, ...order })),
  );

const get = (path: string) => store.call(path, { cookie });
async function list(query = ''): Promise<{ orders: DeskOrder[]; next: string | undefined }> {
  const response = await get(`${deskPaths.orders}${query}`);
  const next = response.headers.get('link')?.match(/<\/desk\/api\/orders([^>]*)>; rel="next"/)?.[1];
  return { orders: await readJson<DeskOrder[]>(response), next };
}
const titles = async (query: string) => (await list(query)).orders.map(({ title }) => title);
const mark = async (ids: readonly string[], isSent: boolean) =>
  readJson<MarkedOrder[]>(await store.call(deskPaths.ordersSent, { cookie, json: { ids, isSent } }));
const trail = async () => (await listActivity(store.database.db, { limit: 100 })).entries;

describe('GET /desk/api/orders', () => {
  test('has the orders of all customers with their buyers, newest first, page by page', async () => {
    const other = await store.signIn({ sub: 'other', email: 'other@example.com', name: 'Øther' });
    const [old] = await place({ sentAt: noon + 5 });
    const added = await addBook(store.database.db, emma, null);
    await store.call('/addOrder', { cookie: other, json: orderOf(emma, 'other@example.com') });

    const first = await list('?limit=1');
    const second = await list(first.next);

    expect(first.orders).toEqual([
      {
        _id: expect.any(String),
        title: 'Emma',
        author: 'Jane Austen',
        price: 12.99,
        time: new Date().toDateString(),
        placedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
        sentAt: null,
        bookId: added.id,
        image: emma.image,
        state: 'new',
        ...{ tracking: null, deliveryAddress: null, addressCorrectedAt: null },
        ...{ withdrawnAt: null, withdrawnBy: null },
        ...{ withdrawalReason: null, refundedAt: null, returnedAt: null, cancelledAt: null, note: null },
        number: expect.stringMatching(/^[A-Z34679]{8}$/),
        currency: 'USD',
        total: 12.99,
        buyer: { _id: expect.any(String), name: 'Øther', email: 'other@example.com' },
      },
    ]);
    const times = { placedAt: '2026-03-10T12:00:00.000Z', sentAt: '2026-03-10T12:00:00.005Z' };
    expect(second).toMatchObject({ orders: [{ _id: old, ...times, buyer: { email: reader.email } }] });
    expect([second.orders.length, second.next]).toEqual([1, undefined]);
    const [newest] = first.orders;
    const madeAt = Number.parseInt((newest?._id ?? '').replace('-', '').slice(0, 12), 16);
    expect(new Date(madeAt).toISOString()).toBe(newest?.placedAt);
  });

  test('has those of a state, and those of days, the first and the last included', async () => {
    const midnight = Date.parse('2026-03-10T00:00:00Z');
    await place(
      { at: midnight - 1, title: 'before' },
      { at: midnight, title: 'first', sentAt: noon },
      { at: midnight + 2 * dayMs - 1, title: 'last' },
      { at: midnight + 2 * dayMs, title: 'after', sentAt: noon },
    );

    expect(await titles('?state=new')).toEqual(['last', 'before']);
    expect(await titles('?state=sent')).toEqual(['after', 'first']);
    expect(await titles('?state=all&limit=2')).toEqual(['after', 'last']);
    expect(await titles('?from=2026-03-10&to=2026-03-11')).toEqual(['last', 'first']);
    expect(await titles('?to=2026-03-09')).toEqual(['before']);
    expect(await titles('?from=2026-03-11&state=sent')).toEqual(['after']);
    expect(await titles('?from=0001-01-01&to=9999-12-31')).toHaveLength(4);
  });

  test('finds an id or a number, or words of the buyer and of the book in any order, whatever case and accents', async () => {
    const [id = ''] = await place(
      { title: 'Zbabělci', author: 'Josef Škvorecký', name: 'Łucja Żak', email: 'lucja@example.com' },
      { title: '紅樓夢', author: '曹雪芹', name: 'Ada', email: 'ada+books@example.com' },
      { title: 'Emma', name: 'Margaret 100%', email: 'e_@example.com' },
    );
    const find = (q: string) => titles(`?q=${encodeURIComponent(q)}`);
    const { number = '' } = (await list(`?q=${id}`)).orders[0] ?? {};

    // Margaret has the letters of a number. Letters inside a word match only in scripts without spaces.
    for (const [title, queries] of [
      ['Zbabělci', ['skvorecky LUCJA', 'ŻAK', id, id.toUpperCase(), number, number.toLowerCase()]],
      ['紅樓夢', ['樓 ada+BOOKS@', 'books', '夢']],
      ['Emma', ['100%', 'e_@', 'margaret']],
      [undefined, [`${id} emma`, crypto.randomUUID(), 'emma zbabelci', 'babel']],
    ] as const)
      for (const q of queries) expect([q, await find(q)]).toEqual([q, title ? [title] : []]);
    expect(await titles(`?q=${id}&state=sent`)).toEqual([]);
    expect(await find('  ')).toHaveLength(3);
  });

  test('reads 20,000 orders for a page of a search, and goes on with the next page, which may be the first with one', async () => {
    await place({ title: 'The needle' }, ...Array.from({ length: 20_000 }, () => ({})));

    const first = await list('?q=needle');

    expect(first.orders).toEqual([]);
    expect(await list(first.next)).toMatchObject({ orders: [{ title: 'The needle' }], next: undefined });
  });

  test('finds similar words with `spelling=similar`, and no other e-mail or id', async () => {
    const [id = ''] = await place(
      { title: 'Moby-Dick', author: 'Herman Melville', name: 'Ada Marlowe', email: 'ada@example.com' },
      { title: '12345', author: 'A', name: 'Jun' },
    );
    const find = (q: string) => titles(`?spelling=similar&q=${encodeURIComponent(q)}`);

    expect(await titles('?q=ada%20marlwoe')).toEqual([]);
    for (const q of ['Ada Marlwoe', 'mobydick', 'melvile', id])
      expect([q, await find(q)]).toEqual([q, ['Moby-Dick']]);
    for (const q of ['12346', 'adda@example.com', id.replace(/.$/, 'x'), '-'])
      expect([q, await find(q)]).toEqual([q, []]);
  });

  test('refuses a state, a day, a page or words that there cannot be, and names the field', async () => {
    const days = ['from=yesterday', 'to=2026-02-30', 'to=2026-03-01&from=2026-03-02'];
    for (const query of ['state=old', ...days, 'limit=0', 'limit=201', 'q=%00', 'cursor=']) {
      const { code, errors } = await readJson<ProblemBody>(await get(`${deskPaths.orders}?${query}`), 400);
      expect([query, code, errors?.[0]?.field]).toEqual([query, 'VALIDATION_FAILED', query.split('=')[0]]);
    }
  });
});

describe('POST /desk/api/orders/sent', () => {
  test('marks orders once and takes the mark back, and the trail has how many', async () => {
    const ids = await place({}, {}, {});
    const [one = '', two = ''] = ids;

    const marked = await mark([one, two, 'no-such-id'], true);
    expect(marked.map(({ _id }) => _id).sort()).toEqual([one, two].sort());
    for (const { sentAt, isChanged } of marked)
      expect([isChanged, Date.parse(sentAt ?? '') > noon]).toEqual([true, true]);
    expect(await mark([one, two], true)).toEqual(marked.map((order) => ({ ...order, isChanged: false })));
    expect(await mark([one], false)).toMatchObject([{ _id: one, sentAt: null, isChanged: true }]);

    const customerId = expect.any(String);
    expect(await trail()).toMatchObject([
      { action: 'orders-marked', subject: one, details: { isSent: false, orders: 1, ids: one }, customerId },
      { action: 'orders-marked', subject: null, details: { isSent: true, orders: 2 }, email: admin.email },
    ]);
  });

  test('marks all orders that one may pack together, or none of them where one is withdrawn', async () => {
    const ids = await place(...Array.from({ length: maxAtOnce }, () => ({})));
    const { db } = store.database;
    const ofLast = db.updateTable('orders').where('id', '=', ids.at(-1) ?? '');

    await ofLast.set({ withdrawn_at: noon, withdrawn_by: 'shop' }).execute();
    const refused = await store.call(deskPaths.ordersSent, { cookie, json: { ids, isSent: true } });
    expect([refused.status, await titles('?state=sent')]).toEqual([409, []]);

    await ofLast.set({ withdrawn_at: null, withdrawn_by: null }).execute();
    expect((await mark(ids, true)).filter(({ isChanged }) => isChanged)).toHaveLength(maxAtOnce);
  });

  test('takes how to follow the parcel, which the buyer reads and the trail does not have; the text can be changed, and goes with the mark', async () => {
    const added = await addBook(store.database.db, emma, null);
    const customer = await store.signIn();
    const json = { ...orderOf(emma), bookId: added.id, deliveryAddress: '1 Hartfield Lane' };
    const { _id } = await readJson<Order>(await store.call('/addOrder', { cookie: customer, json }), 201);
    const send = async (tracking: string | undefined, isSent = true) =>
      await store.call(deskPaths.ordersSent, { cookie, json: { ids: [_id], isSent, tracking } });
    const read = async () => [
      (await list()).orders[0]?.tracking,
      (await readJson<Order>(await store.call(paths.order(_id), { cookie: customer }))).tracking,
    ];
    expect(await read()).toEqual([null, undefined]);

    await send(' DHL 00340 ');
    expect(await read()).toEqual(['DHL 00340', 'DHL 00340']);
    const again = await readJson<MarkedOrder[]>(await send('https://dhl.example/00340'));
    expect(again).toMatchObject([{ _id, isChanged: false }]);
    await send(undefined);
    expect(await read()).toEqual(Array(2).fill('https://dhl.example/00340'));
    await send('https://dhl.example/00340');
    const details = { orders: 1, ids: _id };
    expect((await trail()).map((entry) => entry.details)).toEqual([
      { ...details, isTracking: true },
      { ...details, isSent: true },
    ]);
    for (const wrong of ['x'.repeat(201), 'a\nb']) expect((await send(wrong)).status).toBe(400);
    await send(undefined, false);
    expect(await read()).toEqual([null, undefined]);
    await send('DHL 00341');
    await eraseCustomer(store.database.db, await customerIdOf(store.database.db), commandActor);
    expect((await list()).orders[0]?.tracking).toBeNull();
    expect([(await send('DHL 00342')).status, (await send('')).status]).toEqual([404, 200]);
    expect((await list()).orders[0]?.tracking).toBeNull();
  });

  test('does not mark an order whose entry cannot be stored', async () => {
    const { db } = store.database;
    const [id = ''] = await place({});
    await db.schema.alterTable('activity').renameTo('activity_elsewhere').execute();
    onTestFinished(() => db.schema.alterTable('activity_elsewhere').renameTo('activity').execute());

    const response = await store.call(deskPaths.ordersSent, { cookie, json: { ids: [id], isSent: true } });

    expect(response.status).toBe(500);
    expect(await titles('?state=sent')).toEqual([]);
  });
});

describe('GET /desk/api/orders/export', () => {
  const download = (query = '') => get(`${deskPaths.ordersExport}${query}`);

  const fileNameOf = ({ headers }: Response) =>
    /^attachment; filename="(.+)"$/.exec(headers.get('content-disposition') ?? '')?.[1];

  test('is refused while four others are under way, and not after one of them', async () => {
    // The export is larger than the buffers of a connection, so it waits for a client that does not read.
    const title = 'x'.repeat(2_000);
    for (let part = 0; part < 40; part += 1) {
      await place(...Array.from({ length: 250 }, (_, index) => ({ at: noon + part * 250 + index, title })));
    }
    const clients = Array.from({ length: 4 }, () => new AbortController());
    const held = await Promise.all(
      clients.map(({ signal }) => store.call(deskPaths.ordersExport, { cookie, signal })),
    );
    expect(held.map(({ status }) => status)).toEqual([200, 200, 200, 200]);

    const refused = await download();
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(fileNameOf(refused)).toBeUndefined();
    expect(await readJson<ProblemBody>(refused, 503)).toMatchObject({ code: 'BUSY' });
    expect((await store.call(deskPaths.booksExport, { cookie })).status).toBe(503);

    clients[0]?.abort();
    const statusOfBooks = async () => {
      const response = await store.call(deskPaths.booksExport, { cookie });
      await response.text();
      return response.status;
    };
    await expect.poll(statusOfBooks).toBe(200);
    for (const client of clients) client.abort();
  });

  test('is CSV for a spreadsheet, oldest first, and no cell of it is computed', async () => {
    await place(
      { title: 'Ünïcode, "quoted"\n紅樓夢', sentAt: noon + 1 },
      { at: noon + 1, title: '=1+1', author: '+1', name: '@SUM(A1)', email: '-2@example.com' },
      { at: noon + 2, title: ' =1', author: 'x;=1+1', name: '\uFF1D1', email: "it's=fine@example.com" },
      { at: noon + 3, title: 'x\t=1', author: 'x; "＠1;y;-1', name: 'x\n+1', email: 'x;y@example.com' },
    );

    const response = await download();

    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(fileNameOf(response)).toMatch(/^orders-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const { orders } = await list();
    const customer = orders[0]?.buyer._id;
    const lines = bytes.subarray(3).toString().split('\r\n');
    expect(lines).toEqual([
      'id,placedAt,sentAt,title,author,price,buyerName,buyerEmail,customerId,deliveryAddress,' +
        'withdrawnAt,withdrawnBy,withdrawalReason,refundedAt,returnedAt,note,number,currency,delivery,deliveryPrice,total,isGift,gift,' +
        'cancelledAt,paidAt,paid,refunded,tracking',
      `${orders[3]?._id},2026-03-10T12:00:00.000Z,2026-03-10T12:00:00.001Z,"Ünïcode, ""quoted""\n紅樓夢",Jane Austen,12.99,A Reader,reader@example.com,${customer},,,,,,,,${orders[3]?.number},USD,,,12.99,,,,,,,`,
      `${orders[2]?._id},2026-03-10T12:00:00.001Z,,'=1+1,'+1,12.99,'@SUM(A1),'-2@example.com,${customer},,,,,,,,${orders[2]?.number},USD,,,12.99,,,,,,,`,
      `${orders[1]?._id},2026-03-10T12:00:00.002Z,,' =1,"x;'=1+1",12.99,'\uFF1D1,it's=fine@example.com,${customer},,,,,,,,${orders[1]?.number},USD,,,12.99,,,,,,,`,
      `${orders[0]?._id},2026-03-10T12:00:00.003Z,,"x\t'=1","x;' ""＠1;y;'-1",12.99,"x\n'+1","x;y@example.com",${customer},,,,,,,,${orders[0]?.number},USD,,,12.99,,,,,,,`,
      '',
    ]);
  });

  test('is JSON Lines for a script, each as in the list, with the same filters, and is in the trail', async () => {
    await place({ title: 'Persuasion' }, { title: 'Romola', sentAt: noon }, { title: '=Persuasion' });
    const token = await createToken(store.database.db, { name: 'books', may: 'orders' }, commandActor);
    const headers = { authorization: `Bearer ${token}` };
    const query = '?format=jsonl&state=new&spelling=similar&q=persuason&from=2026-01-02&to=2026-03-31';

    const response = await store.call(`${deskPaths.ordersExport}${query}`, { headers });

    expect(response.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    // The entry has the chosen filters, without the words of a search.
    expect(fileNameOf(response)).toMatch(
      /^orders-new-search-from-2026-01-02-to-2026-03-31-\d{4}-\d{2}-\d{2}\.jsonl$/,
    );
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    const { orders } = await list('?state=new');
    expect(lines.map((line) => JSON.parse(line))).toEqual(orders.reverse());
    const [entry] = await trail();
    expect(entry).toMatchObject({
      action: 'orders-exported',
      token: 'books',
      details: { format: 'jsonl', state: 'new', isSearch: true },
    });
    expect(JSON.stringify(entry)).not.toContain('persuason');
  });

  test('of no orders is the header alone; HEAD reads nothing, and is not in the trail', async () => {
    const head = await store.call(deskPaths.ordersExport, { method: 'HEAD', cookie });
    expect(head.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await trail()).toEqual([]);
    expect((await (await download()).text()).split('\r\n')).toHaveLength(2);
    expect(await (await download('?format=jsonl')).text()).toBe('');
  });
});
