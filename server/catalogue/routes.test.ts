import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import { Book, ListedBook } from '../../contract/book.ts';
import { imageAddress } from '../../contract/image-address.ts';
import { storeImage } from '../images/images.ts';
import {
  type CallInit,
  emmaSent,
  nextPage,
  openTestStore,
  readJson as read,
  setUpTestStore,
} from '../testing/test-store.ts';
import { addBook } from './books.ts';

const store = setUpTestStore();
let admin: string;
beforeEach(async () => {
  admin = await store.signIn();
});

const add = (changes: object = {}, init: CallInit = {}) =>
  store.call('/addBook', { json: { ...emmaSent, ...changes }, cookie: admin, ...init });
const remove = (id = '', cookie = admin) => store.call(`/deleteBook/${id}`, { method: 'DELETE', cookie });

const shelve = (title: string, { author = 'Anon', priceCents = 1000 } = {}) =>
  addBook(store.database.db, { title, author, image: emmaSent.image, priceCents }, null);

/** Stores an image without an upload. @returns its address. */
async function storeTestImage({ database } = store): Promise<string> {
  const { id } = await storeImage(database.db, {
    id: 'ab'.repeat(16),
    width: 240,
    height: 360,
    renditions: [{ width: 240, bytes: new Uint8Array([1]) }],
  });
  return imageAddress(id);
}

/** Changes the title as another process would, and records it as a change of this one. */
async function retitle(id: string, title: string): Promise<void> {
  await store.database.db.updateTable('books').set({ title }).where('id', '=', id).execute();
  store.database.catalogueVersion.recordLocalChange();
}

const listTitles = async (query = ''): Promise<string[]> =>
  (await read<Book[]>(await store.call(`/books${query}`))).map(({ title }) => title);

describe('GET /books', () => {
  test('lists _id, title, author, image and price.value of each book, newest first', async () => {
    const first = await shelve('First', { priceCents: 1299 });
    const second = await shelve('Second', { priceCents: 5 });

    const books = await read<Book[]>(await store.call('/books'));

    expect(books).toEqual([
      { _id: second.id, title: 'Second', author: 'Anon', image: emmaSent.image, price: { value: 0.05 } },
      { _id: first.id, title: 'First', author: 'Anon', image: emmaSent.image, price: { value: 12.99 } },
    ]);
  });

  test.each(['/books', '/books?q=emma', '/books?sort=title&limit=1'])(
    '%s has the fields of the contract and no others',
    async (path) => {
      await shelve('Emma');
      await shelve('Emma again');

      const books = await read<Book[]>(await store.call(path));

      const contract = Type.Array(ListedBook);
      expect(books).not.toEqual([]);
      expect(Value.Errors(contract, books)).toEqual([]);
      expect(books).toEqual(Value.Clean(contract, structuredClone(books)));
    },
  );

  test('lists at most 200, and links through the rest, each book once', async () => {
    await store.database.db.transaction().execute(async (db) => {
      for (let index = 0; index < 450; index += 1) {
        await addBook(
          db,
          { title: `Book ${index}`, author: 'Anon', image: emmaSent.image, priceCents: index },
          null,
        );
      }
    });

    const seen: string[] = [];
    const sizes: number[] = [];
    let address: string | undefined = '/books';
    while (address) {
      const response = await store.call(address);
      address = nextPage(response);
      const books = await read<Book[]>(response);
      sizes.push(books.length);
      seen.push(...books.map(({ title }) => title));
    }

    expect(sizes).toEqual([200, 200, 50]);
    expect(seen).toEqual(Array.from({ length: 450 }, (_, index) => `Book ${449 - index}`));
  });

  test.each([
    ...['?sort=newest', '?sort=title', '?sort=author', '?sort=price', '?sort=price-desc', '?q=volume'],
    ...['?minPrice=1', '?maxPrice=100&sort=price'],
  ])('%s continues on the next page, even when the last book of the page was removed', async (query) => {
    const prices = [300, 100, 100, 200, 100];
    for (const [index, priceCents] of prices.entries())
      await shelve(`Volume ${index % 2} ${index}`, { priceCents });
    const all = await listTitles(query);

    const response = await store.call(`/books${query}&limit=2`);
    const page = await read<Book[]>(response);
    await remove(page[1]?._id);

    expect(await listTitles(nextPage(response)?.slice('/books'.length))).toEqual(all.slice(2, 4));
  });

  test.each([
    ['bronte eyre', ['Jane Eyre']],
    ['EYRE Brontë', ['Jane Eyre']],
    ['ëyre', ['Jane Eyre']],
    ['преступление', ['Преступление и наказание']],
    ['lodz', ['Łódź']],
    ['ey br', ['Jane Eyre']],
    ['yre', ['Jane Eyre']],
    ['yr', []],
    ['e', ['Jane Eyre', 'O’Neill’s Plays']],
    ['и', ['Преступление и наказание']],
    ['oneill', ['O’Neill’s Plays']],
    ["o'neill's", ['O’Neill’s Plays']],
    ['紅', ['紅樓夢']],
    ['樓夢', ['紅樓夢']],
    ['100%', ['100% Proof']],
    ['"jane" OR (', ['Jane Eyre']],
    ['eyre and three others (', []],
    ['jane-eyre', ['Jane Eyre']],
    [' _ ', ['O’Neill’s Plays', '紅樓夢', '100% Proof', 'Łódź', 'Преступление и наказание', 'Jane Eyre']],
  ])(
    'finds all words of %j in title or author, in any order, without case and accents',
    async (q, titles) => {
      await shelve('Jane Eyre', { author: 'Charlotte Brontë' });
      await shelve('Преступление и наказание', { author: 'Фёдор Достоевский' });
      await shelve('Łódź');
      await shelve('100% Proof');
      await shelve('紅樓夢', { author: '曹雪芹' });
      await shelve('O’Neill’s Plays', { author: 'Eugene O’Neill' });

      expect(await listTitles(`?q=${encodeURIComponent(q)}`)).toEqual(titles);
    },
  );

  test('lists the best match of a search first, and by every other order what that says', async () => {
    await shelve('Emma Again', { priceCents: 300 });
    await shelve('Emma', { priceCents: 900 });
    await shelve('Aunt Emma', { priceCents: 500 });

    expect(await listTitles('?q=emma')).toEqual(['Emma', 'Emma Again', 'Aunt Emma']);
    expect(await listTitles('?q=emma&sort=best')).toEqual(['Emma', 'Emma Again', 'Aunt Emma']);
    expect(await listTitles('?q=emma&sort=newest')).toEqual(['Aunt Emma', 'Emma', 'Emma Again']);
    expect(await listTitles('?sort=best')).toEqual(['Aunt Emma', 'Emma', 'Emma Again']);
    expect(await listTitles('?q=%20!&sort=best')).toEqual(['Aunt Emma', 'Emma', 'Emma Again']);
  });

  test('names the words that it has searched for instead of misspelt ones, also in the link to the next page', async () => {
    for (const title of ['Gatsby', 'Gatsby Again']) await shelve(title);

    const corrected = await store.call('/books?q=gatzby&limit=1');
    const asTyped = await store.call('/books?q=gatzby&spelling=as-typed');
    const found = await store.call('/books?q=gatsby');

    expect(corrected.headers.get('corrected-query')).toBe('gatsby');
    expect(nextPage(corrected)).toMatch(/^\/books\?q=gatsby&limit=1&cursor=/);
    expect(asTyped.headers.get('corrected-query')).toBe('gatsby');
    expect(await read<Book[]>(asTyped)).toEqual([]);
    expect(found.headers.get('corrected-query')).toBeNull();
  });

  test('names similar words when nothing is found', async () => {
    await shelve('The Gatsby');
    await shelve('The Dracula');

    const { headers } = await store.call('/books?q=gatzby+bracula');

    expect(headers.get('similar-words')).toBe('gatsby%20dracula');
  });

  test('names similar queries that find more beside few books, with their numbers', async () => {
    await shelve('Emma', { author: 'Jane Austin' });
    for (const title of ['Persuasion', 'Sanditon']) await shelve(title, { author: 'Jane Austen' });

    const response = await store.call('/books?q=jane+austin&limit=1');

    expect(response.headers.get('also-found')).toBe('jane%20austen;2');
    expect(await read<Book[]>(response)).toHaveLength(1);
  });

  test('finds a book by its keywords, and does not show them', async () => {
    const json = { ...emmaSent, title: 'Ὀδύσσεια', author: 'Ὅμηρος', keywords: ' The Odyssey, Homer ' };
    const added = await store.call('/addBook', { method: 'POST', cookie: admin, json });

    const [found] = await read<Book[]>(await store.call('/books?q=odyssey+homer'));

    expect(found).toEqual({
      _id: found?._id,
      title: 'Ὀδύσσεια',
      author: 'Ὅμηρος',
      image: emmaSent.image,
      price: { value: 12.99 },
    });
    expect(await read<Book>(added, 201)).toEqual(found);
  });

  test('finds a book by its ISBN however it is written, and by one among its keywords', async () => {
    await add({ title: 'Emma', isbn: '978-0-14-143958-7' });
    await add({ title: 'Persuasion', keywords: '0141439688' });
    await add({ title: 'Mansfield Park', isbn: '0-14-143980-7' });

    for (const q of [
      '9780141439587',
      '978-0-14-143958-7',
      '0141439580',
      '0-14-143958-0',
      'ISBN 0 14 143958 0',
    ]) {
      expect(await listTitles(`?q=${q}`), q).toEqual(['Emma']);
      expect(await listTitles(`?q=${q}&sort=title`), q).toEqual(['Emma']);
    }
    expect(await listTitles('?q=0141439688')).toEqual(['Persuasion']);
    expect(await listTitles('?q=978014143')).toEqual(['Emma', 'Mansfield Park']);
    expect(await listTitles('?q=9780141439600')).toEqual([]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['sort=cheapest', 'sort'],
    ['cursor=no-such-id', 'cursor'],
    ['q=a&sort=best&cursor=others..no-such-book..', 'cursor'],
    ['q=a&sort=best&cursor=title', 'cursor'],
    ['q=a&cursor=nowhere...', 'cursor'],
    ['q=a&spelling=free', 'spelling'],
    ['subject=', 'subject'],
    ['subject=a%00b', 'subject'],
    [`subject=${'a'.repeat(101)}`, 'subject'],
    ['minPrice=cheap', 'minPrice'],
    ['minPrice=-1', 'minPrice'],
    ['maxPrice=1.999', 'maxPrice'],
    ['minPrice=5&maxPrice=4.99', 'maxPrice'],
    ['from=', 'from'],
    ['q=a&subject=b&cursor=title....', 'cursor'],
    [`q=${'a'.repeat(201)}`, 'q'],
  ])('rejects %s and names the field', async (query, field) => {
    const problem = await read(await store.call(`/books?${query}`), 400);

    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
  });

  describe('with subjects, prices and orders', () => {
    beforeEach(async () => {
      const books = [
        { title: 'Zuleika', author: 'Max Beerbohm', price: '30', keywords: 'Satire, Novels (Oxford)' },
        { title: 'Emma', author: 'Jane Austen', price: '10.00', keywords: 'novels; Regency' },
        { title: 'Novels of the Regency', author: 'Zoe Adams', price: '10.01', keywords: null },
        { title: 'A Room of One’s Own', author: 'Virginia Woolf', price: '20', keywords: 'Essays' },
      ];
      for (const { title, author, price, keywords } of books)
        expect(
          (await add({ title, author, price: { value: price }, ...(keywords && { keywords }) })).status,
        ).toBe(201);
    });

    test.each([
      ['?sort=author', ['Novels of the Regency', 'Emma', 'Zuleika', 'A Room of One’s Own']],
      ['?sort=title', ['Emma', 'Novels of the Regency', 'A Room of One’s Own', 'Zuleika']],
      ['?sort=price-desc', ['Zuleika', 'A Room of One’s Own', 'Novels of the Regency', 'Emma']],
      ['?subject=Novels', ['Emma', 'Zuleika']],
      ['?subject=N%C3%B6VELS&sort=title', ['Emma', 'Zuleika']],
      ['?subject=Oxford', []],
      ['?subject=novel', []],
      ['?q=regency&subject=Novels', ['Emma']],
      ['?q=e&subject=novels&sort=best', ['Emma']],
      ['?minPrice=10&maxPrice=10', ['Emma']],
      ['?minPrice=10.01', ['A Room of One’s Own', 'Novels of the Regency', 'Zuleika']],
      ['?maxPrice=20&sort=price', ['Emma', 'Novels of the Regency', 'A Room of One’s Own']],
      ['?maxPrice=20&sort=price-desc', ['A Room of One’s Own', 'Novels of the Regency', 'Emma']],
      ['?q=regency&maxPrice=10', ['Emma']],
      ['?subject=novels&minPrice=11', ['Zuleika']],
      ['?sort=title&from=o', ['A Room of One’s Own', 'Zuleika']],
      ['?sort=author&from=B', ['Zuleika', 'A Room of One’s Own']],
      ['?from=e', ['A Room of One’s Own', 'Novels of the Regency', 'Emma', 'Zuleika']],
    ])('%s lists %j, a book on each page too', async (query, titles) => {
      expect(await listTitles(query)).toEqual(titles);

      const listed: string[] = [];
      for (let next: string | undefined = `/books${query}&limit=1`; next; ) {
        const response = await store.call(next);
        listed.push(...(await read<Book[]>(response)).map(({ title }) => title));
        next = nextPage(response);
      }
      expect(listed).toEqual(titles);
    });

    test('a book that is sold out or deleted is in none of them', async () => {
      const { _id } = await read<Book>(await add({ title: 'Gone', keywords: 'Novels', copies: 0 }), 201);
      const deleted = await read<Book>(await add({ title: 'Away', keywords: 'Novels' }), 201);
      await remove(deleted._id);

      for (const query of ['?subject=novels', '?sort=author', '?sort=price-desc', '?maxPrice=100'])
        expect(await listTitles(query), query).not.toEqual(expect.arrayContaining(['Gone']));
      expect(await listTitles('?subject=novels')).toEqual(['Emma', 'Zuleika']);
      expect((await store.call(`/book/${_id}`)).status).toBe(200);
    });
  });

  test('sends the same bytes plain, in gzip and in brotli, each with its own ETag', async () => {
    await shelve('Emma');
    const responses = await Promise.all(
      ['identity', 'gzip', 'br'].map((coding) =>
        store.app.inject({ url: '/books', headers: { 'accept-encoding': coding } }),
      ),
    );

    const [plain, gzip, brotli] = responses.map(({ rawPayload }) => rawPayload);
    expect(gunzipSync(gzip ?? '')).toEqual(plain);
    expect(brotliDecompressSync(brotli ?? '')).toEqual(plain);
    expect(responses.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(3);
    expect(responses.every(({ headers }) => headers.vary === 'accept-encoding')).toBe(true);
  });

  test('prefers brotli to gzip, and sends neither to a client that accepts neither', async () => {
    const codingFor = async (accepted: string) =>
      (await store.app.inject({ url: '/books', headers: { 'accept-encoding': accepted } })).headers[
        'content-encoding'
      ];

    expect(await codingFor('gzip, deflate, br, zstd')).toBe('br');
    expect(await codingFor('br;q=0, gzip;q=0')).toBeUndefined();
    expect(await codingFor('deflate')).toBeUndefined();
  });

  test('responds 304 to a client that has the page, a later one or a search, until their books change', async () => {
    const { id } = await shelve('Emma');
    await shelve('Persuasion');
    const later = nextPage(await store.call('/books?limit=1')) ?? '';

    for (const path of ['/books', '/books?q=emma', '/books?sort=price', later]) {
      const etag = (await store.call(path)).headers.get('etag') ?? '';
      const same = await store.call(path, { headers: { 'if-none-match': `"other", W/${etag}` } });
      await retitle(id, `Emma at ${path}`);
      const changed = await store.call(path, { headers: { 'if-none-match': etag } });

      expect([same.status, same.headers.get('etag')], path).toEqual([304, etag]);
      expect(changed.headers.get('etag'), path).not.toBe(etag);
      expect(await read<Book[]>(changed)).toContainEqual(
        expect.objectContaining({ title: `Emma at ${path}` }),
      );
    }
  });

  test('shows a change that another process made within a second', async () => {
    const book = await shelve('Emma');
    expect(await listTitles()).toEqual(['Emma']);

    const other = await store.openDatabaseAgain();
    await other.db.updateTable('books').set({ title: 'Emma, revised' }).where('id', '=', book.id).execute();

    await expect.poll(() => listTitles(), { timeout: 1_000, interval: 5 }).toEqual(['Emma, revised']);
  });

  test('shows each of many simultaneous additions as soon as its request has returned', async () => {
    const titles = Array.from({ length: 30 }, (_, index) => `Simultaneous ${index}`);

    await Promise.all(
      titles.map(async (title) => {
        expect((await add({ title })).status).toBe(201);
        expect(await listTitles()).toContain(title);
      }),
    );
  });
});

describe('GET /book/{id}', () => {
  test('returns the book', async () => {
    const { id } = await shelve('Emma', { priceCents: 1299 });

    const book = await read(await store.call(`/book/${id}`));

    expect(book).toEqual({
      _id: id,
      title: 'Emma',
      author: 'Anon',
      image: emmaSent.image,
      price: { value: 12.99 },
    });
    expect(Value.Errors(Book, book)).toEqual([]);
    expect(book).toEqual(Value.Clean(Book, structuredClone(book)));
  });

  test('has the ISBN and the description, which lists leave out', async () => {
    const description = ' A clean copy. \r\n \r\n\r\n  With a name\ron the flyleaf. ';
    const added = await read<Book>(await add({ isbn: '0-8044-2957-x', description }), 201);

    const book = await read<Book>(await store.call(`/book/${added._id}`));
    const listed = await read<object[]>(await store.call('/books'));

    const details = {
      isbn: '9780804429573',
      isbnText: '978-0-8044-2957-3',
      description: 'A clean copy.\n\nWith a name\non the flyleaf.',
    };
    expect(added).toEqual({ _id: added._id, ...emmaSent, ...details, price: { value: 12.99 } });
    expect(book).toEqual(added);
    expect(listed).toEqual([{ _id: added._id, ...emmaSent, price: { value: 12.99 } }]);
  });

  test('responds 304 to a client that has the book, until the book changes', async () => {
    const { id } = await shelve('Emma');
    const etag = (await store.call(`/book/${id}`)).headers.get('etag') ?? '';
    const callWith = (tags: string) => store.call(`/book/${id}`, { headers: { 'if-none-match': tags } });

    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, `"other", W/${etag}`, '*']) {
      const same = await callWith(tags);
      expect([same.status, same.headers.get('etag'), await same.text()], tags).toEqual([304, etag, '']);
    }
    expect((await callWith('"other"')).status).toBe(200);

    await retitle(id, 'Emma, revised');
    const changed = await callWith(etag);

    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(await read(changed)).toMatchObject({ title: 'Emma, revised' });
  });

  test('has no ETag for a removed book, and responds 404 to a client that has it', async () => {
    const { id } = await shelve('Emma');
    const etag = (await store.call(`/book/${id}`)).headers.get('etag') ?? '';
    await remove(id);

    const response = await store.call(`/book/${id}`, { headers: { 'if-none-match': etag } });

    expect([response.status, response.headers.get('etag')]).toEqual([404, null]);
  });

  test.each(['no-such-id', '00000000-0000-7000-8000-000000000000', '%F0%9F%93%9A', "'; drop table books --"])(
    'responds 404 BOOK_NOT_FOUND for %s',
    async (id) => {
      const response = await store.call(`/book/${id}`);

      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await read(response, 404)).toMatchObject({ code: 'BOOK_NOT_FOUND', status: 404 });
    },
  );
});

test.each(['%00', '%0A', '%09emma%09', '%ED%A0%80', '%E2%80%AEemma', 'emma%00', '%FF'])(
  'a search for %s is never an error of the store: a pasted tab is no reason to refuse it',
  async (text) => {
    await shelve('Emma');

    const { status } = await store.call(`/books?q=${text}`);

    expect(status).toBe(200);
  },
);

describe('POST /addBook', () => {
  test('adds the book, whose price may be text or a number, and returns it', async () => {
    const asText = await read<Book>(await add(), 201);
    const asNumber = await read<Book>(await add({ price: { value: 7.5 } }), 201);

    expect(asText).toEqual({ ...emmaSent, _id: asText._id, price: { value: 12.99 } });
    expect(await read(await store.call(`/book/${asNumber._id}`))).toEqual({
      ...emmaSent,
      _id: asNumber._id,
      price: { value: 7.5 },
    });
  });

  test.each([
    ...['-1', '1.999', 'ten', '', '1e3', '12,50', 'NaN', '99999999', '١٢', -1, 1.005, 1e21, null],
    {},
    [12],
  ])('rejects the price %j and names the field', async (value) => {
    const problem = await read<{ errors: { field: string }[] }>(await add({ price: { value } }), 400);

    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(problem.errors.map(({ field }) => field)).toContain('price.value');
    expect(await listTitles()).toEqual([]);
  });

  test.each([
    ...['javascript:alert(1)', 'data:image/png;base64,AAAA', 'http://covers.example/emma.jpg'],
    ...['https:covers.example/emma.jpg', 'https://user:secret@covers.example/emma.jpg'],
    ...['//covers.example/emma.jpg', '/auth/sign-in', 'emma.jpg', ' '],
  ])('rejects the image %j', async (image) => {
    const problem = await read(await add({ image }), 400);

    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'image' }] });
  });

  test('rejects an image at another address of the store', async () => {
    const other = await openTestStore({ settings: { publicUrl: new URL('https://shop.example') } });
    const cookie = await other.signIn();
    const image = 'https://shop.example/auth/sign-in?returnTo=/';

    const problem = await read(await other.call('/addBook', { json: { ...emmaSent, image }, cookie }), 400);

    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'image' }] });
  });

  test('stores a hosted image as a path, also when it is sent as an absolute address', async () => {
    const path = await storeTestImage();
    const image = `http://localhost:3000${path}`;

    const book = await read<Book>(await add({ image }), 201);

    expect(book.image).toBe(path);
  });

  test('with IMAGE_ORIGINS accepts images of these origins and of the store, and names them for any other', async () => {
    const imageOrigins = ['https://covers.example', 'https://images.example:8443'];
    const narrow = await openTestStore({ settings: { imageOrigins } });
    const cookie = await narrow.signIn();
    const hosted = await storeTestImage(narrow);
    const add = (image: string) => narrow.call('/addBook', { json: { ...emmaSent, image }, cookie });

    for (const image of [
      emmaSent.image,
      'HTTPS://COVERS.example:443/a.jpg',
      'https://images.example:8443/',
      hosted,
      `http://localhost:3000${hosted}`,
    ]) {
      expect((await add(image)).status, image).toBe(201);
    }
    for (const image of [
      'https://evil.example/a.jpg',
      'https://images.example/a.jpg',
      'https://covers.example.evil.example/a.jpg',
      'https://evil.example/https://covers.example/',
    ]) {
      expect(await read(await add(image), 400)).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [
          {
            field: 'image',
            message:
              'Must be an image uploaded to the store, or come from https://covers.example or https://images.example:8443.',
          },
        ],
      });
    }
  });

  test('rejects the address of a hosted image that the store does not have', async () => {
    const image = `/images/${'cd'.repeat(16)}.webp`;

    const problem = await read(await add({ image }), 400);

    expect(problem).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'image', message: expect.stringContaining('Upload it again') }],
    });
    expect(await listTitles()).toEqual([]);
  });

  test('adds a book once per key: a retry returns it, also at the same time and after its removal', async () => {
    const addOnce = (key: string, cookie = admin) => add({}, { cookie, headers: { 'idempotency-key': key } });
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });

    const responses = await Promise.all(Array.from({ length: 8 }, () => addOnce('one')));
    const books = await Promise.all(responses.map((response) => read<Book>(response, 201)));
    await remove(books[0]?._id);
    const retried = await read<Book>(await addOnce('one'), 201);

    expect(new Set([...books, retried].map(({ _id }) => _id)).size).toBe(1);
    expect(await listTitles()).toEqual([]);
    expect((await read<Book>(await addOnce('two'), 201))._id).not.toBe(retried._id);
    expect((await read<Book>(await addOnce('one', other), 201))._id).not.toBe(retried._id);
  });

  test('rejects a key that was used for another book, and adds nothing', async () => {
    const headers = { 'idempotency-key': 'one' };
    await add({}, { headers });

    const problem = await read(await add({ title: 'Persuasion' }, { headers }), 422);

    expect(problem).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await listTitles()).toEqual(['Emma']);
  });

  test('names every invalid field at once', async () => {
    const json = { title: ' ', author: 'a'.repeat(1001), image: '', price: { value: '1.999' } };

    const problem = await read<{ errors: { field: string; message: string }[] }>(
      await store.call('/addBook', { json, cookie: admin }),
      400,
    );

    expect(problem.errors.map(({ field }) => field).toSorted()).toEqual([
      'author',
      'image',
      'price.value',
      'title',
    ]);
    expect(problem.errors.find(({ field }) => field === 'title')?.message).toBe('Must not be empty.');
    expect(problem.errors.find(({ field }) => field === 'price.value')?.message).toContain('such as 12.99');
  });

  const uncleanTexts = ['a\u0000b', 'line\nbreak', '\u0007', '\ud800', 'a\udc00b'];
  const directions = ['a \u202ekoob', 'a\u2066b'];
  const uncleanFields = [...uncleanTexts, ...directions].flatMap((text) => [
    ['title', text],
    ['author', text],
    ...(directions.includes(text) ? [] : [['image', `https://covers.example/a${text}b.jpg`]]),
  ]);

  test('takes pasted values without what nobody sees, and refuses a title of nothing else', async () => {
    const pasted = {
      title: '\u202aEmma\u202c',
      author: '\u200eJane Austen\u200b',
      price: { value: '\u200e12.99\u00a0' },
      image: '\ufeffhttps://covers.example/em\u00adma.jpg',
      isbn: '="978\u200b0306406157"',
      keywords: '\u2066Novels\u2069',
    };

    const { _id } = await read<{ _id: string }>(await add(pasted), 201);

    expect(await read(await store.call(`/book/${_id}`))).toMatchObject({
      title: 'Emma',
      author: 'Jane Austen',
      price: { value: 12.99 },
      image: 'https://covers.example/emma.jpg',
      isbn: '9780306406157',
      subjects: ['Novels'],
    });
    const problem = await read(await add({ title: ' \u200b\u2060' }), 400);
    expect(problem).toMatchObject({ errors: [{ field: 'title', message: 'Must not be empty.' }] });
  });

  test.each([
    ['isbn', '306406152', 'A 0 is missing in front, which spreadsheets take away: write 0306406152.'],
    [
      'image',
      'https://covers.example/a.jpg, https://covers.example/b.jpg',
      'These are several addresses: a book has one image.',
    ],
  ])('gives the reason that fits the %s %j', async (field, text, message) => {
    expect(await read(await add({ [field]: text }), 400)).toMatchObject({ errors: [{ field, message }] });
  });

  test.each(uncleanFields)('rejects the %s %j, which would come back changed', async (field, text) => {
    const problem = await read(await add({ [field]: text }), 400);

    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
    expect(await listTitles()).toEqual([]);
  });
});

describe('DELETE /deleteBook/{id} and POST /restoreBook/{id}', () => {
  test('removes a book, also when it is removed already, and restores it', async () => {
    const { id } = await shelve('Emma');

    expect(await read(await remove(id))).toEqual({ _id: id, deleted: true });
    expect(await read(await remove(id))).toEqual({ _id: id, deleted: true });
    expect(await listTitles()).toEqual([]);
    expect((await store.call(`/book/${id}`)).status).toBe(404);

    const restored = await read<Book>(
      await store.call(`/restoreBook/${id}`, { method: 'POST', cookie: admin }),
    );
    expect(restored).toMatchObject({ _id: id, title: 'Emma' });
    expect(await listTitles()).toEqual(['Emma']);
  });

  test('a restored book keeps who removed it last', async () => {
    const { id } = await shelve('Emma');
    await remove(id);

    await store.call(`/restoreBook/${id}`, { method: 'POST', cookie: admin });

    const { db } = store.database;
    const row = await db.selectFrom('books').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row).toMatchObject({ removed_at: null, removed_by: expect.any(String) });
  });

  test('stores the customer and the time of the first removal', async () => {
    const { id } = await shelve('Emma');
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });

    await remove(id);
    const row = () =>
      store.database.db.selectFrom('books').selectAll().where('id', '=', id).executeTakeFirst();
    const first = await row();
    await remove(id, other);

    expect(first?.removed_by).toEqual(expect.any(String));
    expect(await row()).toEqual(first);
  });

  test('respond 404 for an id that never existed', async () => {
    const removed = await remove('no-such-id');
    const restored = await store.call('/restoreBook/no-such-id', { method: 'POST', cookie: admin });

    expect([removed.status, restored.status]).toEqual([404, 404]);
  });

  test('accept the content type of JSON without a body', async () => {
    const { id } = await shelve('Emma');

    const response = await store.call(`/deleteBook/${id}`, {
      method: 'DELETE',
      cookie: admin,
      headers: { 'content-type': 'application/json' },
    });

    expect(response.status).toBe(200);
  });
});
