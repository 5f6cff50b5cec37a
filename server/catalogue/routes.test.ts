import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import { Book } from '../../contract/book.ts';
import { imageAddress } from '../../contract/image-address.ts';
import { storeImage } from '../images/images.ts';
import {
  type CallInit,
  emma,
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

const restore = (id = '') => store.call(`/restoreBook/${id}`, { method: 'POST', cookie: admin });

const shelve = (title: string, { author = 'Anon', priceCents = 1000 } = {}) =>
  addBook(store.database.db, { title, author, image: emmaSent.image, priceCents }, null);

const listTitles = async (query = ''): Promise<string[]> =>
  (await read<Book[]>(await store.call(`/books${query}`))).map(({ title }) => title);

/** @returns the titles of each page from an address on. */
async function pagesOf(address: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next = address; next; ) {
    const response = await store.call(next);
    pages.push((await read<Book[]>(response)).map(({ title }) => title));
    next = nextPage(response);
  }
  return pages;
}

describe('GET /books', () => {
  test('has the fields of the contract and no others, newest first', async () => {
    const first = await shelve('First', { priceCents: 1299 });
    const second = await shelve('Second', { priceCents: 5 });

    const books = await read<Book[]>(await store.call('/books'));

    expect(books).toEqual([
      { _id: second.id, title: 'Second', author: 'Anon', image: emmaSent.image, price: { value: 0.05 } },
      { _id: first.id, title: 'First', author: 'Anon', image: emmaSent.image, price: { value: 12.99 } },
    ]);
  });

  test('lists at most 200, and links through the rest, each book once', async () => {
    const titles = Array.from({ length: 450 }, (_, index) => `Book ${index}`);
    await store.database.db.transaction().execute(async (db) => {
      for (const title of titles) await addBook(db, { ...emma, title }, null);
    });

    const pages = await pagesOf('/books');

    expect(pages.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(pages.flat()).toEqual(titles.toReversed());
  });

  test('continues on the next page, even when the last book of the page was removed', async () => {
    for (const [index, priceCents] of [300, 100, 100, 200, 100].entries())
      await shelve(`Volume ${index % 2} ${index}`, { priceCents });

    for (const query of ['sort=newest', 'sort=title', 'sort=price', 'q=volume', 'minPrice=1']) {
      const all = await listTitles(`?${query}`);
      const response = await store.call(`/books?${query}&limit=2`);
      const last = (await read<Book[]>(response))[1]?._id;
      await remove(last);
      expect(await listTitles(nextPage(response).slice('/books'.length)), query).toEqual(all.slice(2, 4));
      await restore(last);
    }
  });

  test('finds all words of a query in title or author, in any order, without case and accents', async () => {
    const crime = 'Преступление и наказание';
    await shelve('Jane Eyre', { author: 'Charlotte Brontë' });
    await shelve(crime, { author: 'Фёдор Достоевский' });
    await shelve('100% Proof');
    await shelve('紅樓夢', { author: '曹雪芹' });
    const found = {
      ...{ 'EYRE Brontë': ['Jane Eyre'], преступление: [crime], 'ey br': ['Jane Eyre'], yre: ['Jane Eyre'] },
      ...{ yr: [], и: [crime], 紅: ['紅樓夢'], '100%': ['100% Proof'], 'jane-eyre': ['Jane Eyre'] },
      // Simplified characters for traditional ones, a transcription, and a character that no one sees.
      ...{ 红楼梦: ['紅樓夢'], 'prestuplenie i': [crime], 'ey\u200Bre': ['Jane Eyre'], 樓: ['紅樓夢'] },
      ...{ '"jane" OR (': ['Jane Eyre'], 'eyre and three others (': [] },
      ' _ ': ['紅樓夢', '100% Proof', crime, 'Jane Eyre'],
    };

    for (const [q, titles] of Object.entries(found)) {
      expect(await listTitles(`?q=${encodeURIComponent(q)}`), q).toEqual(titles);
    }
  });

  test('lists the best match of a search first, and by every other order what that says', async () => {
    for (const title of ['Emma Again', 'Emma', 'Aunt Emma']) await shelve(title);

    for (const query of ['q=emma', 'q=emma&sort=best'])
      expect(await listTitles(`?${query}`)).toEqual(['Emma', 'Emma Again', 'Aunt Emma']);
    for (const query of ['q=emma&sort=newest', 'sort=best', 'q=%20!&sort=best'])
      expect(await listTitles(`?${query}`), query).toEqual(['Aunt Emma', 'Emma', 'Emma Again']);
  });

  test('names the words that it has searched for instead of misspelt ones, and queries that find more', async () => {
    for (const title of ['The Gatsby', 'The Gatsby Again', 'The Dracula']) await shelve(title);
    const callFor = (query: string) => store.call(`/books?q=${query}`);

    const corrected = await callFor('gatzby&limit=1');
    expect(corrected.headers.get('corrected-query')).toBe('gatsby');
    expect(nextPage(corrected)).toMatch(/^\/books\?q=gatsby&limit=1&cursor=/);
    const asTyped = await callFor('gatzby&spelling=as-typed');
    expect(asTyped.headers.get('corrected-query')).toBe('gatsby');
    expect(await read<Book[]>(asTyped)).toEqual([]);
    expect((await callFor('gatsby')).headers.get('corrected-query')).toBeNull();
    expect((await callFor('gatzby+bracula')).headers.get('similar-words')).toBe('gatsby%20dracula');

    await shelve('Gatzby');
    const few = await callFor('gatzby&limit=1');
    expect(few.headers.get('also-found')).toBe('gatsby;2');
    expect(await read<Book[]>(few)).toHaveLength(1);
  });

  test('finds a book by its ISBN however it is written, and by one among its keywords', async () => {
    await add({ title: 'Emma', isbn: '978-0-14-143958-7' });
    await add({ title: 'Persuasion', keywords: '0141439688' });
    await add({ title: 'Mansfield Park', isbn: '0-14-143980-7' });

    for (const q of ['9780141439587', '0-14-143958-0', 'ISBN 0 14 143958 0', '0141439580&sort=title']) {
      expect(await listTitles(`?q=${q}`), q).toEqual(['Emma']);
    }
    expect(await listTitles('?q=0141439688')).toEqual(['Persuasion']);
    expect(await listTitles('?q=978014143')).toEqual(['Emma', 'Mansfield Park']);
    expect(await listTitles('?q=9780141439600')).toEqual([]);
  });

  test('rejects a wrong parameter and names it, and no text of a search', async () => {
    const wrong = {
      limit: ['limit=0', 'limit=201', 'limit=ten'],
      sort: ['sort=cheapest'],
      cursor: [
        ...['cursor=no-such-id', 'q=a&sort=best&cursor=others..no-such-book..', 'q=a&sort=best&cursor=title'],
        ...['q=a&cursor=nowhere...', 'q=a&subject=b&cursor=title....'],
      ],
      spelling: ['q=a&spelling=free'],
      subject: ['subject=', 'subject=a%00b', `subject=${'a'.repeat(101)}`],
      minPrice: ['minPrice=cheap', 'minPrice=-1'],
      maxPrice: ['maxPrice=1.999', 'minPrice=5&maxPrice=4.99'],
      q: [`q=${'a'.repeat(201)}`],
    };
    for (const [field, queries] of Object.entries(wrong)) {
      for (const query of queries) {
        const problem = await read(await store.call(`/books?${query}`), 400);
        expect(problem, query).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field }] });
      }
    }
    for (const text of ['%00', '%0A', '%09emma%09', '%ED%A0%80', '%E2%80%AEemma', 'emma%00', '%FF']) {
      expect((await store.call(`/books?q=${text}`)).status, text).toBe(200);
    }
  });

  test('lists the books for sale of subjects and prices in each order, also with a book on each page', async () => {
    const [room, oxford, regency] = ['A Room of One’s Own', 'Zuleika', 'Novels of the Regency'];
    for (const [title, author, value, keywords] of [
      [oxford, 'Max Beerbohm', '30', 'Satire, Novels (Oxford)'],
      ['Emma', 'Jane Austen', '10.00', 'novels; Regency'],
      [regency, 'Zoe Adams', '10.01', ''],
      [room, 'Virginia Woolf', '20', 'Essays'],
    ]) {
      const book = { title, author, price: { value }, ...(keywords && { keywords }) };
      await read(await add(book), 201);
    }
    // No list has these two books: one is sold out, the other is deleted.
    const gone = await read<Book>(await add({ title: 'Gone', keywords: 'Novels', copies: 0 }), 201);
    await remove((await read<Book>(await add({ title: 'Away', keywords: 'Novels' }), 201))._id);
    const lists = {
      'sort=author': [regency, 'Emma', oxford, room],
      'sort=title': ['Emma', regency, room, oxford],
      'sort=price-desc': [oxford, room, regency, 'Emma'],
      'subject=Novels': ['Emma', oxford],
      'subject=N%C3%B6VELS&sort=title': ['Emma', oxford],
      'subject=Oxford': [],
      'subject=novel': [],
      'q=regency&subject=Novels': ['Emma'],
      'q=e&subject=novels&sort=best': ['Emma'],
      'minPrice=10&maxPrice=10': ['Emma'],
      'minPrice=10.01': [room, regency, oxford],
      'maxPrice=20&sort=price': ['Emma', regency, room],
      'maxPrice=20&sort=price-desc': [room, regency, 'Emma'],
      'q=regency&maxPrice=10': ['Emma'],
      'subject=novels&minPrice=11': [oxford],
    };

    for (const [query, titles] of Object.entries(lists)) {
      expect(await listTitles(`?${query}`), query).toEqual(titles);
      expect((await pagesOf(`/books?${query}&limit=1`)).flat(), query).toEqual(titles);
    }
    expect((await store.call(`/book/${gone._id}`)).status).toBe(200);
  });

  test('responds 304 to a client that has the page, a later one, a search or a book, until it changes', async () => {
    const { id } = await shelve('Emma');
    await shelve('Persuasion');
    const later = nextPage(await store.call('/books?limit=1'));

    for (const path of ['/books', '/books?q=emma', '/books?sort=price', later, `/book/${id}`]) {
      const etag = (await store.call(path)).headers.get('etag') ?? '';
      const callAgain = () => store.call(path, { headers: { 'if-none-match': etag } });
      const same = await callAgain();
      expect([same.status, same.headers.get('etag'), await same.text()], path).toEqual([304, etag, '']);

      const title = `Emma at ${path}`;
      await store.database.db.updateTable('books').set({ title }).where('id', '=', id).execute();
      store.database.catalogueVersion.recordLocalChange();
      expect([await read(await callAgain())].flat(), path).toContainEqual(expect.objectContaining({ title }));
    }
    await remove(id);
    expect((await store.call(`/book/${id}`, { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });
});

describe('GET /book/{id}', () => {
  test('has the ISBN and the description, which lists leave out as they do the keywords', async () => {
    const description = ' A clean copy. \r\n \r\n\r\n  With a name\ron the flyleaf. ';
    const json = { isbn: '0-8044-2957-x', description, price: { value: 7.5 }, keywords: 'Regency' };
    const added = await read<Book>(await add(json), 201);

    const book = await read<Book>(await store.call(`/book/${added._id}`));
    const listed = await read<object[]>(await store.call('/books?q=regency'));

    const inList = { ...emmaSent, _id: added._id, price: { value: 7.5 } };
    expect(added).toEqual({
      ...inList,
      isbn: '9780804429573',
      isbnText: '978-0-8044-2957-3',
      description: 'A clean copy.\n\nWith a name\non the flyleaf.',
    });
    const authors = [{ name: 'Jane Austen', slug: 'jane-austen' }];
    expect(book).toEqual({ ...added, subjects: ['Regency'], authors });
    expect(Value.Errors(Book, book)).toEqual([]);
    expect(listed).toEqual([inList]);
  });

  test('responds 404 BOOK_NOT_FOUND for what is no id', async () => {
    for (const id of ['00000000-0000-7000-8000-000000000000', '%F0%9F%93%9A', "'; drop table books --"]) {
      const response = await store.call(`/book/${id}`);

      expect(response.headers.get('content-type'), id).toContain('application/problem+json');
      expect(await read(response, 404), id).toMatchObject({ code: 'BOOK_NOT_FOUND', status: 404 });
    }
  });
});

describe('POST /addBook', () => {
  test.each<[what: string, field: string, values: readonly unknown[], message: string]>([
    ['price that is no amount', 'price.value', ['-1', '1.999', '', '1e3', -1, 1.005, null, {}], ''],
    [
      'image that is no picture by https or of the store',
      'image',
      [
        ...['javascript:alert(1)', 'data:image/png;base64,AAAA', 'http://covers.example/emma.jpg', ' '],
        ...['https://user:secret@covers.example/emma.jpg', '//covers.example/emma.jpg', '/auth/sign-in'],
      ],
      '',
    ],
    ['image that is not in the store', 'image', [`/images/${'cd'.repeat(16)}.webp`], 'Upload it again'],
    ['image that is several', 'image', [`${emma.image}, ${emma.image}`], 'a book has one image'],
    ['ISBN without its 0', 'isbn', ['306406152'], 'write 0306406152'],
    [
      'title which would come back changed',
      'title',
      ['a\u0000b', 'line\nbreak', 'a \u202ekoob', '\ud800'],
      '',
    ],
    ['title of nothing that is seen', 'title', [' ', ' \u200b\u2060'], 'Must not be empty.'],
  ])('rejects the %s, and names the field', async (_, field, values, message) => {
    for (const value of values) {
      const json = field === 'price.value' ? { price: { value } } : { [field]: value };
      const problem = await read<{ errors: object[] }>(await add(json), 400);
      expect(problem.errors, JSON.stringify(value)).toContainEqual({
        field,
        message: expect.stringContaining(message),
      });
    }
    expect(await listTitles()).toEqual([]);
  });

  test('names every invalid field at once', async () => {
    const wrong = { title: ' ', author: 'a'.repeat(1001), image: '', price: { value: '1.999' } };

    const { errors } = await read<{ errors: { field: string }[] }>(await add(wrong), 400);

    expect(errors.map(({ field }) => field).toSorted()).toEqual(['author', 'image', 'price.value', 'title']);
  });

  test('with IMAGE_ORIGINS accepts images of these origins and of the store, and names them for any other', async () => {
    const imageOrigins = ['https://covers.example', 'https://images.example:8443'];
    const narrow = await openTestStore({ settings: { imageOrigins } });
    const cookie = await narrow.signIn();
    const id = 'ab'.repeat(16);
    await storeImage(narrow.database.db, {
      id,
      width: 240,
      height: 360,
      renditions: [{ width: 240, bytes: new Uint8Array([1]) }],
    });
    const message =
      'Must be an image uploaded to the store, or come from https://covers.example or https://images.example:8443.';
    const refused = { errors: [{ field: 'image', message }] };

    for (const [image, status, body] of [
      ['HTTPS://COVERS.example:443/a.jpg', 201, { image: 'https://covers.example/a.jpg' }],
      ['https://images.example:8443/', 201, {}],
      [`http://localhost:3000${imageAddress(id)}`, 201, { image: imageAddress(id) }],
      ['https://images.example/a.jpg', 400, refused],
      ['https://covers.example.evil.example/a.jpg', 400, refused],
      ['https://evil.example/https://covers.example/', 400, refused],
    ] as const) {
      const added = await narrow.call('/addBook', { json: { ...emmaSent, image }, cookie });
      expect(await read(added, status), image).toMatchObject(body);
    }
  });

  test('adds a book once per key, also at the same time and after its removal, and no other book by it', async () => {
    const addOnce = (key: string, cookie = admin, changes = {}) =>
      add(changes, { cookie, headers: { 'idempotency-key': key } });
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });

    const responses = await Promise.all(Array.from({ length: 8 }, () => addOnce('one')));
    const books = await Promise.all(responses.map((response) => read<Book>(response, 201)));
    await remove(books[0]?._id);
    const retried = await read<Book>(await addOnce('one'), 201);

    expect(new Set([...books, retried].map(({ _id }) => _id)).size).toBe(1);
    expect(await listTitles()).toEqual([]);
    expect((await read<Book>(await addOnce('two'), 201))._id).not.toBe(retried._id);
    expect((await read<Book>(await addOnce('one', other), 201))._id).not.toBe(retried._id);
    const reused = await read(await addOnce('one', admin, { title: 'Persuasion' }), 422);
    expect(reused).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await listTitles()).toEqual(['Emma', 'Emma']);
  });

  test('takes pasted values without what nobody sees', async () => {
    const pasted = {
      title: '\u202aEmma\u202c',
      author: '\u200eJane Austen\u200b',
      price: { value: '\u200e12.99\u00a0' },
      image: '\ufeffhttps://covers.example/em\u00adma.jpg',
      isbn: '="978\u200b0306406157"',
      keywords: '\u2066Novels\u2069',
    };

    const { _id } = await read<Book>(await add(pasted), 201);

    expect(await read(await store.call(`/book/${_id}`))).toMatchObject({
      ...{ ...emmaSent, price: { value: 12.99 }, isbn: '9780306406157', subjects: ['Novels'] },
    });
  });
});

test('DELETE /deleteBook/{id} removes a book, also when it is removed already, keeps who did it first, and POST /restoreBook/{id} restores it', async () => {
  const { id } = await shelve('Emma');
  const removedBy = async () =>
    (await store.database.db.selectFrom('books').select(['removed_at', 'removed_by']).execute())[0];

  // A request may announce a body of JSON without sending one.
  const headers = { 'content-type': 'application/json' };
  const removed = await store.call(`/deleteBook/${id}`, { method: 'DELETE', cookie: admin, headers });
  expect(await read(removed)).toEqual({ _id: id, deleted: true });
  const first = await removedBy();
  const other = await store.signIn({ sub: 'other', email: 'other@example.com' });
  expect(await read(await remove(id, other))).toEqual({ _id: id, deleted: true });
  expect(await removedBy()).toEqual({ removed_at: expect.anything(), removed_by: first?.removed_by });
  expect(await listTitles()).toEqual([]);
  expect((await store.call(`/book/${id}`)).status).toBe(404);

  expect(await read(await restore(id))).toMatchObject({ _id: id, title: 'Emma' });
  expect(await listTitles()).toEqual(['Emma']);
});
