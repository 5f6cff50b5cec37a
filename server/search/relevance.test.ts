/** Searches as visitors type them, with the book that they mean, judged by hand, among the demo's books. */

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { demoBooks } from '../demo/books.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { findBooks } from './search.ts';

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

const searches = [
  // The title, or a part of it.
  ['middlemarch', 'Middlemarch'],
  ['moby dick', 'Moby-Dick; or, The Whale'],
  ['life in the woods', 'Walden; or, Life in the Woods'],
  ['rur', 'R.U.R. (Rossum’s Universal Robots)'],
  ['alices adventures', 'Alice’s Adventures in Wonderland'],
  // Half typed.
  ['frank', 'Frankenstein; or, The Modern Prometheus'],
  ['pride and prej', 'Pride and Prejudice'],
  ['three men in a', 'Three Men in a Boat (To Say Nothing of the Dog)'],
  ['преступ', 'Преступление и наказание'],
  // In another order, and author and title together.
  ['prejudice pride', 'Pride and Prejudice'],
  ['wilde dorian gray', 'The Picture of Dorian Gray'],
  // The author.
  ['brothers grimm', 'Kinder- und Hausmärchen'],
  // Without the accents.
  ['bronte', 'Jane Eyre'],
  ['les miserables', 'Les Misérables'],
  ['my antonia', 'My Ántonia'],
  // Misspelt titles.
  ['gatzby', 'The Great Gatsby'],
  ['frankenstien', 'Frankenstein; or, The Modern Prometheus'],
  ['pride and predjudice', 'Pride and Prejudice'],
  ['alice in wonderlnad', 'Alice’s Adventures in Wonderland'],
  ['преступление и наказние', 'Преступление и наказание'],
  // Misspelt authors.
  ['dostoevski', 'Преступление и наказание'],
  ['jane austin', 'Pride and Prejudice'],
  // The author in Latin letters.
  ['dostoevsky', 'Преступление и наказание'],
  ['tolstoy', 'Война и мир'],
  ['homer', 'Ὀδύσσεια'],
  // Other scripts, and how they are typed without them.
  ['prestuplenie', 'Преступление и наказание'],
  ['вишневый сад', 'Вишнёвый сад'],
  ['紅樓夢', '紅樓夢'],
  // Simplified characters, for traditional ones.
  ['红楼梦', '紅樓夢'],
  ['吴承恩', '西遊記'],
  ['hongloumeng', '紅樓夢'],
  // Titles in another language.
  ['odyssey', 'Ὀδύσσεια'],
  ['crime and punishment', 'Преступление и наказание'],
  ['don quixote', 'Don Quijote de la Mancha'],
] as const;

async function titlesFor(q: string): Promise<string[]> {
  const { books } = await findBooks(database.db, { q });
  return books.map(({ title }) => title);
}

test('a search finds the book that is meant first', async () => {
  const wrong: string[] = [];
  for (const [q, title] of searches) {
    const [first] = await titlesFor(q);
    if (first !== title) wrong.push(`“${q}” finds ${first}, not ${title}`);
  }
  expect(wrong).toEqual([]);
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
