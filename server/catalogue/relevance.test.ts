/** Searches as visitors type them, with the book that they mean, judged by hand, among the demo's books. */

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/open.ts';
import { demoBooks } from '../demo/books.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { addBook } from './books.ts';
import { findBooks } from './find-books.ts';

let database: Database;
beforeAll(async () => {
  const { open, remove } = await createStoreDatabase();
  database = await open();
  for (const { cover, ...book } of demoBooks.toReversed()) {
    await addBook(database.db, { ...book, image: `https://covers.example/${cover}.webp` }, null);
  }
  await sql`analyze`.execute(database.db);
  return async () => {
    await database.close();
    await remove();
  };
});

const searches = {
  // Queries: a part of a title, a half-typed title, words in another order, with the author, the author alone.
  'life in the woods': 'Walden; or, Life in the Woods',
  rur: 'R.U.R. (Rossum’s Universal Robots)',
  'three men in a': 'Three Men in a Boat (To Say Nothing of the Dog)',
  преступ: 'Преступление и наказание',
  'prejudice pride': 'Pride and Prejudice',
  'wilde dorian gray': 'The Picture of Dorian Gray',
  'brothers grimm': 'Kinder- und Hausmärchen',
  // Queries without accents, with typos, and in other scripts.
  'les miserables': 'Les Misérables',
  frankenstien: 'Frankenstein; or, The Modern Prometheus',
  'alice in wonderlnad': 'Alice’s Adventures in Wonderland',
  'преступление и наказние': 'Преступление и наказание',
  dostoevski: 'Преступление и наказание',
  'jane austin': 'Pride and Prejudice',
  tolstoy: 'Война и мир',
  'вишневый сад': 'Вишнёвый сад',
  // Simplified characters, typed for a title in traditional ones.
  吴承恩: '西遊記',
  hongloumeng: '紅樓夢',
  // Titles in another language.
  odyssey: 'Ὀδύσσεια',
  'crime and punishment': 'Преступление и наказание',
};

async function titlesFor(q: string): Promise<string[]> {
  const { books } = await findBooks(database.db, { q });
  return books.map(({ title }) => title);
}

test('a search finds the book that is meant first', async () => {
  const found = Object.keys(searches).map(async (q) => [q, (await titlesFor(q))[0]]);

  expect(Object.fromEntries(await Promise.all(found))).toEqual(searches);
});

test('a search that several books fit has them first, and one that none fits finds nothing', async () => {
  for (const [q, titles] of Object.entries({
    jane: ['Jane Eyre', 'Pride and Prejudice'],
    george: ['Middlemarch'],
    hunger: ['Sult'],
    'the tale': ['The Tale of Genji'],
    'omar khayyam': ['Rubáiyát of Omar Khayyám'],
  })) {
    expect((await titlesFor(q)).slice(0, 3), q).toEqual(expect.arrayContaining(titles));
  }
  for (const q of ['zzyzx quux', 'harry potter', 'пикник на обочине']) {
    expect(await titlesFor(q), q).toEqual([]);
  }
});
