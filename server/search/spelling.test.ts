import { expect, test } from 'vitest';
import { addBook } from '../catalogue/books.ts';
import { deleteBook, restoreBook } from '../catalogue/delete-book.ts';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { findBooks } from './search.ts';
import { readQuery } from './search-text.ts';
import { findCorrections } from './spelling.ts';

const database = setUpSharedDatabase();

const actor = { customerId: 'customer', email: 'ada@readers.example', address: '127.0.0.1' };

const add = (title: string, author = 'N N') =>
  addBook(database.db, { title, author, image: 'https://covers.example/1.jpg', priceCents: 100 }, actor);

const correctionsOf = async (q: string) => {
  const query = readQuery(q);
  return query && (await findCorrections(database.db, query)).queries;
};

const search = async (q: string, options: Omit<Parameters<typeof findBooks>[1], 'q'> = {}) => {
  const { books, correctedTo, similarWords } = await findBooks(database.db, { ...options, q });
  return { titles: books.map(({ title }) => title), correctedTo, similarWords };
};

test.each([
  ['a letter that is missing', 'The Great Gatsby', 'great gatsy', 'great gatsby'],
  ['a letter too many', 'The Great Gatsby', 'great gattsby', 'great gatsby'],
  ['another letter', 'The Great Gatsby', 'gatzby', 'gatsby'],
  ['two letters that are swapped', 'Frankenstein', 'frankenstien', 'frankenstein'],
  ['a wrong first letter', 'Dracula', 'bracula', 'dracula'],
  ['two mistakes in a long word', 'Middlemarch', 'midlemrach', 'middlemarch'],
  ['mistakes in two words', 'The Great Gatsby', 'graet gatzby', 'great gatsby'],
  [
    'a word beside one that comes twice',
    'The Girl with the Dragon Tattoo',
    'the girl with the dragon tatoo',
    'the girl with the dragon tattoo',
  ],
  ['a mistake in another script', 'Преступление и наказание', 'Преступлене', 'prestuplenie'],
])('corrects %s', async (_, title, q, correctedTo) => {
  await add(title);

  expect(await search(q)).toEqual({ titles: [title], correctedTo, similarWords: undefined });
});

test.each([
  ['words of up to four letters', 'Emma', 'emmo'],
  ['two mistakes in a word of up to eight letters', 'The Great Gatsby', 'gutzby'],
  ['three mistakes in a long word', 'Middlemarch', 'mitlemrach'],
])('does not correct %s', async (_, title, q) => {
  await add(title);

  expect(await search(q)).toEqual({ titles: [], correctedTo: undefined, similarWords: [] });
});

test('keeps the words as typed that are right', async () => {
  await add('Преступление', 'Gatsby');

  expect((await search('Преступление gatzby')).correctedTo).toBe('преступление gatsby');
});

test('looks up few words, however many a query has', async () => {
  await add('The Great Gatsby');
  const many = Array.from(
    { length: 33 },
    (_, index) => `wor${String.fromCharCode(97 + (index % 26)).repeat(2)}${index < 26 ? 'x' : 'y'}`,
  );

  expect((await search('gatzby '.repeat(28))).correctedTo).toBe('gatsby '.repeat(28).trim());
  expect((await search(`${many.join(' ').slice(0, 190)} gatzby`)).titles).toEqual([]);
});

test('a word is suggested again that an older version removed without counting', async () => {
  const { id } = await add('Dracula');
  const { db } = database;
  await deleteBook(db, id, actor);
  await db.updateTable('books').set({ removed_at: null }).where('id', '=', id).execute();
  await deleteBook(db, id, actor);
  await restoreBook(db, id, actor);

  expect(await correctionsOf('bracula')).toEqual(['dracula']);
});

test('never replaces what is found as typed', async () => {
  await add('Gatzby and Others');
  await add('The Great Gatsby');

  expect(await search('gatzby')).toMatchObject({ titles: ['Gatzby and Others'], correctedTo: undefined });
});

test('corrects a word that other books have, when the words together find nothing', async () => {
  await add('Three Men in a Boat');
  await add('There and Back');

  expect(await search('there men boat')).toMatchObject({
    titles: ['Three Men in a Boat'],
    correctedTo: 'three men boat',
  });
});

test('prefers a word with the same first letter to one that more books have', async () => {
  await add('Girl on the Train');
  await add('Girl on Brian');
  await add('Brian');

  expect((await search('girl trian')).correctedTo).toBe('girl train');
});

test('prefers the word that more books have', async () => {
  await add('Winter');
  await add('Minter');
  await add('The Winter');

  expect((await search('vinter')).correctedTo).toBe('winter');
});

test('spelled as typed, only names what would be found', async () => {
  await add('The Great Gatsby');

  expect(await search('gatzby', { spelling: 'as-typed' })).toMatchObject({
    titles: [],
    correctedTo: 'gatsby',
  });
});

test('names similar words when no correction finds a book', async () => {
  await add('The Great Gatsby');
  await add('Dracula Again');

  expect(await search('gatzby bracula')).toEqual({
    titles: [],
    correctedTo: undefined,
    similarWords: ['gatsby', 'dracula'],
  });
});

test.each([
  ['two words', 'Moby-Dick', 'mobydick', 'moby dick'],
  ['two of several words', 'Pride and Prejudice', 'prideand prejudice', 'pride and prejudice'],
  ['two short words', 'Of Mice and Men', 'ofmice and men', 'of mice and men'],
  ['a word and a number', 'Fahrenheit 451', 'fahrenheit451', 'fahrenheit 451'],
  ['a word that is half typed', 'The Great Gatsby', 'greatgatsb', 'great gatsb'],
  ['two words around a short one', 'War, Peace and Prejudice', 'peaceandprejudice', 'peace and prejudice'],
  ['words of another script', 'Мёртвые души', 'Мертвыедуши', 'mertvye dushi'],
])('parts %s that were typed as one', async (_, title, q, correctedTo) => {
  await add(title);
  await add('Something Else');

  expect(await search(q)).toMatchObject({ titles: [title], correctedTo });
});

test.each([
  ['a word', 'Naked Lunch', 'naked lun ch', 'naked lunch'],
  ['a word whose parts are words', 'The Stand', 'the sta nd', 'the stand'],
  ['a title of one word', 'Macbeth', 'macbe th', 'macbeth'],
  ['a word of another script', 'Мёртвые души', 'мертвы е души', 'мертвые души'],
])('joins %s that was typed with a space inside', async (_, title, q, correctedTo) => {
  for (const other of ['Something Else', 'Sta', 'Nd', 'Maybe']) await add(other);
  await add(title);

  expect(await search(q)).toMatchObject({ titles: [title], correctedTo });
});

test('tries few joined words, however many a query has', async () => {
  for (const title of ['Holes', 'Lesson', 'Sonnets']) await add(title);

  const corrections = (await correctionsOf('ho les son nets')) ?? [];

  expect(corrections.filter((q) => /holes|lesson|sonnets/.test(q))).toEqual([
    'holes son nets',
    'ho lesson nets',
  ]);
});

test('names the joined word beside few books that have its parts', async () => {
  for (const title of ['Holiday Essays', 'Holes', 'Holes and More']) await add(title);

  const { books, alsoFound } = await findBooks(database.db, { q: 'hol es' });

  expect(books.map(({ title }) => title)).toEqual(['Holiday Essays']);
  expect(alsoFound).toEqual([{ q: 'holes', books: 2, hasMore: false }]);
});

test.each([
  ['among the words of a title', 'Pride and Prejudice', 'pride and banana prejudice', 'pride and prejudice'],
  ['that other books have', 'Pride and Prejudice', 'pride and winter prejudice', 'pride and prejudice'],
  ['beside a title of one word', 'Dracula', 'book dracula', 'dracula'],
  ['beside an author', 'Dracula', 'bram stoker winter', 'bram stoker'],
  ['beside a misspelt one', 'The Great Gatsby', 'great banana gatzby', 'great gatsby'],
  ['that no book has, beside a single word', 'The Great Gatsby', 'gatsby banana', 'gatsby'],
])('leaves out a wrong word %s', async (_, title, q, correctedTo) => {
  for (const other of ['Winter', 'A Winter Book', 'Winter and Pride']) await add(other);
  await add(title, 'Bram Stoker');

  expect(await search(q)).toMatchObject({ titles: [title], correctedTo });
});

test.each([
  ['more words than the nearest book has', 'winter of our banana discontents entirely'],
  ['two words of different books', 'great winter'],
])('finds nothing for %s', async (_, q) => {
  for (const title of ['The Great Gatsby', 'Winter in Paris']) await add(title);

  expect(await search(q)).toMatchObject({ titles: [], correctedTo: undefined });
});

test('names similar queries that find more, when few books have the words as typed', async () => {
  for (const title of ['Dostoevsky', 'A Life']) await add(title, 'Dostoevsky');
  for (const title of ['The Idiot', 'The Gambler', 'Demons']) await add(title, 'Fyodor Dostoyevsky');
  const { db } = database;

  expect((await findBooks(db, { q: 'dostoevsky' })).alsoFound).toEqual([
    { q: 'dostoyevsky', books: 3, hasMore: false },
  ]);
  // As many are no more.
  for (const title of ['Gatzby', 'The Great Gatsby']) await add(title);
  expect((await findBooks(db, { q: 'gatzby' })).alsoFound).toBeUndefined();
  await add('White Nights', 'Dostoevsky');
  await add('Poor Folk', 'Dostoevsky');
  expect((await findBooks(db, { q: 'dostoevsky' })).alsoFound).toBeUndefined();
});

test.each(['newest', 'title', 'price'] as const)('corrects words in the order of %s too', async (sort) => {
  await add('The Great Gatsby');

  expect(await search('gatzby', { sort })).toMatchObject({
    titles: ['The Great Gatsby'],
    correctedTo: 'gatsby',
  });
});

test('a word goes with the last book that has it, and comes back with it', async () => {
  const one = await add('Dracula');
  const other = await add('Dracula Again');
  const { db } = database;

  await deleteBook(db, one.id, actor);
  await deleteBook(db, one.id, actor);
  expect(await correctionsOf('bracula')).toEqual(['dracula']);

  await deleteBook(db, other.id, actor);
  expect(await correctionsOf('bracula')).toEqual([]);

  await restoreBook(db, one.id, actor);
  expect(await correctionsOf('bracula')).toEqual(['dracula']);
});

test('counts each book once, however often its addition is repeated', async () => {
  const details = { title: 'Dracula', author: 'N N', image: 'https://covers.example/1.jpg', priceCents: 100 };
  await addBook(database.db, details, actor, 'the same key');
  await addBook(database.db, details, actor, 'the same key');

  const { books } = await database.db
    .selectFrom('words')
    .select('books')
    .where('word', '=', 'dracula')
    .executeTakeFirstOrThrow();
  expect(Number(books)).toBe(1);
});

test('books that come and go at the same time are all counted', async () => {
  const titles = ['Dracula and Carmilla', 'Carmilla and Dracula', 'Dracula', 'Carmilla'];
  const books = await Promise.all(Array.from({ length: 40 }, (_, index) => add(titles[index % 4] ?? '')));
  const leaving = books.filter((_, index) => index % 8 === 0);
  await Promise.all([
    ...leaving.map(({ id }) => deleteBook(database.db, id, actor)),
    ...leaving.map(() => add('Carmilla and Dracula')),
  ]);

  const counts = await database.db.selectFrom('words').select(['word', 'books']).orderBy('word').execute();
  expect(counts.map(({ word, books }) => [word, Number(books)])).toEqual([
    ['carmilla', 30],
    ['dracula', 30],
  ]);
});
