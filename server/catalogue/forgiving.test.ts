import { expect, test } from 'vitest';
import { readQuery } from '../search/search-text.ts';
import { findCorrections } from '../search/spelling.ts';
import { vocabularyOf } from '../search/words.ts';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { addBook } from './books.ts';
import { deleteBook, restoreBook } from './delete-book.ts';
import { findBooks } from './find-books.ts';

const database = setUpSharedDatabase();

const actor = { customerId: 'customer', email: 'ada@readers.example', address: '127.0.0.1' };

const add = (title: string, author = 'N N') =>
  addBook(database.db, { title, author, image: 'https://covers.example/1.jpg', priceCents: 100 }, actor);

const correctionsOf = async (q: string) => {
  const query = readQuery(q);
  return query && (await findCorrections(vocabularyOf(database.db), query)).queries;
};

const search = async (q: string, options: Omit<Parameters<typeof findBooks>[1], 'q'> = {}) => {
  const { books, correctedTo, similarWords } = await findBooks(database.db, { ...options, q });
  return { titles: books.map(({ title }) => title), correctedTo, similarWords };
};

test('words are corrected, parted, joined and left out until they find a book', async () => {
  const titles = [
    ...['The Great Gatsby', 'Frankenstein', 'Dracula', 'Middlemarch', 'Emma', 'Moby-Dick', 'Macbeth'],
    ...['The Girl with the Dragon Tattoo', 'Of Mice and Men', 'Fahrenheit 451', 'Naked Lunch', 'Sta', 'Nd'],
    ...['Преступление и наказание', 'Мёртвые души', 'Pride and Prejudice', 'The Stand', 'Maybe', 'Winter'],
    ...['A Winter Book', 'Winter and Pride'],
  ];
  for (const title of titles) await add(title, title === 'Dracula' ? 'Bram Stoker' : 'N N');
  const corrections = {
    'a letter that is missing': ['great gatsy', 'great gatsby'],
    'a letter too many': ['great gattsby', 'great gatsby'],
    'another letter': ['gatzby', 'gatsby'],
    'two letters that are swapped': ['frankenstien', 'frankenstein'],
    'a wrong first letter': ['bracula', 'dracula'],
    'two mistakes in a long word': ['midlemrach', 'middlemarch'],
    'mistakes in two words': ['graet gatzby', 'great gatsby'],
    'a word beside one that comes twice': [
      'the girl with the dragon tatoo',
      'the girl with the dragon tattoo',
    ],
    'a mistake in another script': ['Преступлене', 'prestuplenie'],
    'two words in one': ['mobydick', 'moby dick'],
    'two of several words in one': ['prideand prejudice', 'pride and prejudice'],
    'two short words in one': ['ofmice and men', 'of mice and men'],
    'a word and a number in one': ['fahrenheit451', 'fahrenheit 451'],
    'a half typed word in one': ['greatgatsb', 'great gatsb'],
    'two words around a short one': ['prideandprejudice', 'pride and prejudice'],
    'words of another script in one': ['Мертвыедуши', 'mertvye dushi'],
    'a word with a space': ['naked lun ch', 'naked lunch'],
    'a word with a space, whose parts are words': ['the sta nd', 'the stand'],
    'a title of one word with a space': ['macbe th', 'macbeth'],
    'a word of another script with a space': ['мертвы е души', 'мертвые души'],
    'a wrong word among those of a title': ['pride and banana prejudice', 'pride and prejudice'],
    'a wrong word that other books have': ['pride and winter prejudice', 'pride and prejudice'],
    'a wrong word beside a title of one word': ['book dracula', 'dracula'],
    'a wrong word beside an author': ['bram stoker winter', 'bram stoker'],
    'a wrong word beside a misspelt one': ['great banana gatzby', 'great gatsby'],
    'a word that no book has': ['gatsby banana', 'gatsby'],
    'a word that is right, and a misspelt one': ['Преступление наказние', 'преступление nakazanie'],
    'a word that other books have': ['naked men mice', 'men mice'],
  };
  const found = Object.keys(corrections).map(async (mistake) => {
    const [q = ''] = corrections[mistake as keyof typeof corrections];
    return [mistake, [q, (await search(q)).correctedTo]];
  });
  expect(Object.fromEntries(await Promise.all(found))).toEqual(corrections);

  const uncorrected = {
    'words of up to four letters': 'emmo',
    'two mistakes in a word of up to eight letters': 'gutzby',
    'three mistakes in a long word': 'mitlemrach',
    'more words than the nearest book has': 'winter of our banana discontents entirely',
    'two words of different books': 'naked dragon',
  };
  for (const [reason, q] of Object.entries(uncorrected)) {
    expect(await search(q), reason).toMatchObject({ titles: [], correctedTo: undefined });
  }
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

test('prefers a word with the same first letter, and then the one that more books have', async () => {
  await add('Girl on the Train');
  await add('Girl on Brian');
  await add('Brian');

  expect((await search('girl trian')).correctedTo).toBe('girl train');
  for (const title of ['Winter', 'Minter', 'The Winter']) await add(title);
  expect((await search('vinter')).correctedTo).toBe('winter');
});

test('only names what would be found, spelled as typed or when no correction finds a book, and nothing for what is found', async () => {
  for (const title of ['The Great Gatsby', 'Dracula Again']) await add(title);

  expect(await search('gatzby', { spelling: 'as-typed' })).toMatchObject({
    titles: [],
    correctedTo: 'gatsby',
  });
  const similarWords = ['gatsby', 'dracula'];
  expect(await search('gatzby bracula')).toEqual({ titles: [], correctedTo: undefined, similarWords });
  await add('Gatzby and Others');
  expect(await search('gatzby')).toMatchObject({ titles: ['Gatzby and Others'], correctedTo: undefined });
});

test('names the joined word beside few books that have its parts', async () => {
  for (const title of ['Holiday Essays', 'Holes', 'Holes and More']) await add(title);

  const { books, alsoFound } = await findBooks(database.db, { q: 'hol es' });

  expect(books.map(({ title }) => title)).toEqual(['Holiday Essays']);
  expect(alsoFound).toEqual([{ q: 'holes', books: 2, hasMore: false }]);
});

test('names similar queries that find more, when few books have the words as typed', async () => {
  for (const title of ['Dostoevsky', 'A Life']) await add(title, 'Dostoevsky');
  for (const title of ['The Idiot', 'The Gambler', 'Demons']) await add(title, 'Fyodor Dostoyevsky');
  const { db } = database;

  expect((await findBooks(db, { q: 'dostoevsky' })).alsoFound).toEqual([
    { q: 'dostoyevsky', books: 3, hasMore: false },
  ]);
  // A corrected query that finds as many books as the first does not find more.
  for (const title of ['Gatzby', 'The Great Gatsby']) await add(title);
  expect((await findBooks(db, { q: 'gatzby' })).alsoFound).toEqual([]);
  await add('White Nights', 'Dostoevsky');
  await add('Poor Folk', 'Dostoevsky');
  expect((await findBooks(db, { q: 'dostoevsky' })).alsoFound).toBeUndefined();
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
