import { describe, expect, test } from 'vitest';
import type { Book, BookInStock } from '../../contract/book.ts';
import { listNameHeader } from '../../contract/book-search.ts';
import type { DeskBook } from '../../contract/desk/books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths, screens } from '../../contract/paths.ts';
import { seriesIn } from '../../contract/series.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { emma, emmaSent, readJson, setUpTestStore } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { editBook } from './edit-book.ts';
import { findBooks } from './find-books.ts';

const admin = { sub: 'admin', email: 'admin@example.com' };
const store = setUpTestStore({ settings: { adminEmails: [admin.email] } });
const facts = {
  ...{ pages: 423, language: 'PT-br', published: '1954-07-29', publisher: 'Allen & Unwin' },
  ...{ format: 'Hardcover', series: 'The Lord of the Rings', seriesNumber: '1' },
};

test('a book has its facts in the API and on the desk, its series in lists too, and loses them again', async () => {
  const cookie = await store.signIn(admin);
  const add = (json: object) => store.call(paths.addBook, { json: { ...emmaSent, ...json }, cookie });

  const added = await readJson<Book>(await add(facts), 201);

  expect(added).toMatchObject({ ...facts, language: 'pt-BR' });
  const read = async () => await store.call(paths.book(added._id));
  const first = await read();
  expect(await readJson<BookInStock>(first)).toEqual({
    ...added,
    languageText: 'Brazilian Portuguese',
    authors: [{ name: 'Jane Austen', slug: 'jane-austen' }],
    seriesSlug: 'the-lord-of-the-rings',
  });
  const { series, seriesNumber } = facts;
  const listed = { ...emmaSent, _id: added._id, price: { value: 12.99 }, series, seriesNumber };
  expect(await readJson(await store.call(`${paths.books}?q=unwin`))).toEqual([listed]);
  const desk = await readJson<DeskBook>(await store.call(deskPaths.book(added._id), { cookie }));
  expect(desk).toMatchObject({ ...facts, language: 'pt-BR' });

  const none = {
    ...{ pages: null, language: '', published: '', publisher: ' ', format: '' },
    ...{ series: '', seriesNumber: '' },
  };
  const headers = { 'if-match': first.headers.get('etag') ?? '' };
  const change = { method: 'PATCH', json: none, cookie, headers };
  await readJson(await store.call(paths.book(added._id), change));
  expect(await readJson(await read())).toEqual({
    ...{ ...emmaSent, _id: added._id, price: { value: 12.99 } },
    authors: [{ name: 'Jane Austen', slug: 'jane-austen' }],
  });
  const { entries } = await listActivity(store.database.db, { limit: 1 });
  expect(entries[0]?.details).toMatchObject({ oldPages: 423, newPages: '', oldSeriesNumber: '1' });

  for (const [field, values, message] of [
    ['pages', [0, 100_000, 1.5, '12'], ''],
    ['language', ['English', 'e', 'pt_BR', 'en us'], 'Write a language tag such as en or pt-BR.'],
    [
      'published',
      ['18510', '1851-13-01', '1851-02-30', 'May 1851', '+012026-01', '-000001-01'],
      'Write a year such as 1851, or a day',
    ],
    ['seriesNumber', ['1'.repeat(21), 'a\u0000'], ''],
  ] as const) {
    for (const value of values) {
      expect(await readJson(await add({ [field]: value }), 400), `${field} ${value}`).toMatchObject({
        errors: [{ field, message: expect.stringContaining(message) }],
      });
    }
  }
});

describe('the lists of an author and of a series', () => {
  const titles = async (address: string) => {
    const response = await store.call(`${paths.books}?${address}`);
    const name = response.headers.get(listNameHeader);
    const books = await readJson<Book[]>(response);
    return [name && decodeURIComponent(name), ...books.map(({ title }) => title)];
  };
  const add = (title: string, author: string, more: object = {}) =>
    addBook(store.database.db, { ...emma, title, author, ...more }, null);

  test('have all books of one, by name and in order, and are pages; there are no others', async () => {
    const series = 'Études d’Hiver';
    const numbers = ['10', '2', undefined, '1-3', '1'];
    for (const seriesNumber of numbers)
      await add(`Volume ${seriesNumber}`, 'Jürgen Groß, Ada Q. Lovelace & 紅樓', {
        series,
        ...(seriesNumber && { seriesNumber }),
      });
    await add('Alone', 'Ada Q Lovelace; Jürgen Große');
    await add('Jürgen Groß Ada Lovelace', 'Somebody Else', { keywords: series });

    const inOrder = ['1', '2', '10', '1-3', 'undefined'].map((number) => `Volume ${number}`);
    expect(await titles('series=etudes-dhiver')).toEqual([series, ...inOrder]);
    const { books, nextCursor } = await findBooks(store.database.db, { series: 'etudes-dhiver', limit: 3 });
    expect([books.map(({ title }) => title), typeof nextCursor]).toEqual([
      ['Volume 1', 'Volume 1-3', 'Volume undefined'],
      'string',
    ]);
    expect(await titles('series=etudes-dhiver&sort=title')).toHaveLength(6);
    expect(await titles('author=jurgen-gross')).toEqual([
      'Jürgen Groß',
      ...numbers.toReversed().map((number) => `Volume ${number}`),
    ]);
    expect((await titles('author=ada-q-lovelace')).slice(0, 2)).toEqual(['Ada Q Lovelace', 'Alone']);
    expect(await titles('author=ada-q-lovelace&q=alone')).toHaveLength(2);
    expect(await titles('author=nobody')).toEqual([null]);
    expect((await store.call(`${paths.books}?author=A%20B`)).status).toBe(400);

    const statusOf = async (path: string) =>
      (await store.call(path, { headers: { accept: 'text/html' } })).status;
    const book = await readJson<BookInStock>(await store.call(paths.book(books[0]?.id ?? '')));
    for (const { slug } of book.authors ?? []) expect(await statusOf(screens.author(slug))).toBe(200);
    expect(await statusOf(screens.series(book.seriesSlug ?? ''))).toBe(200);
    const others = ['nobody', 'etudes-dhiver', 'Jurgen-Gross', '%F0%9F%93%9A', '%22', 'jurgen%20gross'];
    for (const slug of [...others, 'a'.repeat(201)])
      expect(await statusOf(`/authors/${slug}`), slug).toBe(404);
  });

  test('are of one name, also beside a name that differs in a space alone; a series has one canonical address', async () => {
    const names = ['George Mac Donald', 'George MacDonald'];
    for (const name of names) await add(`By ${name}`, name, { series: 'The Princess' });

    expect(await titles('author=george-mac-donald')).toEqual([names[0], `By ${names[0]}`]);
    expect(await titles('author=george-macdonald')).toEqual([names[1], `By ${names[1]}`]);
    expect(await titles('author=g-e-o-r-g-e-macdonald')).toEqual([null]);
    const page = await store.call(screens.series('princess'), { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain(
      '<link rel="canonical" href="http://localhost:3000/series/the-princess" />',
    );
  });

  test('follow an edit of the author and the series, also of a series without its article', async () => {
    const { id } = await add('Mort', 'Terry Pratchett', { series: 'The Discworld', seriesNumber: '4' });
    expect(await titles('series=discworld')).toEqual(['The Discworld', 'Mort']);

    await editBook(
      store.database.db,
      id,
      { series: null, author: 'Sir Terry' },
      { actor: commandActor, isExpected: () => true },
    );
    store.database.catalogueVersion.recordLocalChange();

    expect(await titles('series=the-discworld')).toEqual([null]);
    expect(await titles('author=sir-terry')).toEqual(['Sir Terry', 'Mort']);
  });
});

test('a search for a series begins with its first volume and goes on in order, whatever sells best', async () => {
  const titles = [
    'Death’s Hand (Harry Potter, #7)',
    'The Chamber of Secrets (Harry Potter, #2)',
    'Harry Potter Boxed Set (Harry Potter, #1-6)',
    'The Sorcerer’s Stone (Harry Potter, #1)',
    'Harry Potter and Philosophy',
    'The Goblet of Fire (Harry Potter, #4)',
    'The Return of the King (The Lord of the Rings, #3)',
    'The Lord of the Rings (The Lord of the Rings, #1-3)',
    'The Two Towers (The Lord of the Rings, #2)',
    'The Lord of the Rings Sketchbook',
    'The Fellowship of the Ring (The Lord of the Rings, #1)',
    'The Dark Tower (The Dark Tower, #7)',
    'Wizard and Glass (The Dark Tower, #4)',
    'The Gunslinger (The Dark Tower, #1)',
    'New Moon (Twilight, #2)',
    'Twilight (Twilight, #1)',
    'Breaking Dawn (Twilight, #4)',
    'Twilight in Delhi',
    'The Stranger Beside Me (Discworld, #0.5)',
    'Mort (Discworld, #4)',
    'The Colour of Magic (Discworld, #1)',
  ];
  for (const title of titles) await addBook(store.database.db, { ...emma, title, ...seriesIn(title) }, null);
  const { books } = await findBooks(store.database.db, {});
  const later = books.filter(({ seriesNumber }) => seriesNumber !== '1');
  const sold = new Map(later.map(({ id }, index) => [id, index + 1]));
  const numbers = async (q: string) =>
    (await findBooks(store.database.db, { q }, sold)).books.map(({ seriesNumber }) => seriesNumber);

  expect(await numbers('Harry Potter')).toEqual(['1', '2', '4', '7', '1-6', null]);
  for (const q of ['lord of the rings', 'The Lord of the Rings'])
    expect(await numbers(q), q).toEqual(['1', '2', '3', '1-3', null]);
  expect(await numbers('dark tower')).toEqual(['1', '4', '7']);
  expect(await numbers('twilight')).toEqual(['1', '2', '4', null]);
  expect(await numbers('discworld')).toEqual(['1', '0.5', '4']);
  // A number at the end is a word of its own: it is not the start of the words that name lists.
  expect(await numbers('harry potter 2')).toEqual(['2']);
});
