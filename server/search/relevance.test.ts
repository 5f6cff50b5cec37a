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

async function titlesFor(q: string): Promise<string[]> {
  const { books } = await findBooks(database.db, { q });
  return books.map(({ title }) => title);
}

test.each([
  // The title, or a part of it.
  ['middlemarch', 'Middlemarch'],
  ['THE GREAT GATSBY', 'The Great Gatsby'],
  ['moby dick', 'Moby-Dick; or, The Whale'],
  ['life in the woods', 'Walden; or, Life in the Woods'],
  ['rur', 'R.U.R. (Rossum’s Universal Robots)'],
  ['R. U. R.', 'R.U.R. (Rossum’s Universal Robots)'],
  ['rossums universal robots', 'R.U.R. (Rossum’s Universal Robots)'],
  ["alice's adventures", 'Alice’s Adventures in Wonderland'],
  ['alices adventures', 'Alice’s Adventures in Wonderland'],
  // Half typed.
  ['frank', 'Frankenstein; or, The Modern Prometheus'],
  ['pride and prej', 'Pride and Prejudice'],
  ['the time m', 'The Time Machine'],
  ['three men in a', 'Three Men in a Boat (To Say Nothing of the Dog)'],
  ['madame bov', 'Madame Bovary'],
  ['преступ', 'Преступление и наказание'],
  // In another order, and author and title together.
  ['prejudice pride', 'Pride and Prejudice'],
  ['north deep narrow road', 'The Narrow Road to the Deep North'],
  ['wilde dorian gray', 'The Picture of Dorian Gray'],
  ['ulysses joyce', 'Ulysses'],
  ['whitman leaves', 'Leaves of Grass'],
  // The author.
  ['virginia woolf', 'Mrs Dalloway'],
  ['kafka', 'Die Verwandlung'],
  ['brothers grimm', 'Kinder- und Hausmärchen'],
  ['hg wells', 'The Time Machine'],
  ['H.G. Wells', 'The Time Machine'],
  // Without the accents.
  ['bronte', 'Jane Eyre'],
  ['les miserables', 'Les Misérables'],
  ['karel capek', 'R.U.R. (Rossum’s Universal Robots)'],
  ['my antonia', 'My Ántonia'],
  ['frygt og baeven', 'Frygt og Bæven'],
  ['truyen kieu', 'Truyện Kiều'],
  ['pere goriot', 'Le Père Goriot'],
  // Misspelt titles.
  ['gatzby', 'The Great Gatsby'],
  ['frankenstien', 'Frankenstein; or, The Modern Prometheus'],
  ['pride and predjudice', 'Pride and Prejudice'],
  ['middelmarch', 'Middlemarch'],
  ['drakula', 'Dracula'],
  ['the picture of dorien gray', 'The Picture of Dorian Gray'],
  ['leavs of grass', 'Leaves of Grass'],
  ['alice in wonderlnad', 'Alice’s Adventures in Wonderland'],
  ['преступление и наказние', 'Преступление и наказание'],
  // Misspelt authors.
  ['fitzgerlad', 'The Great Gatsby'],
  ['hemran melville', 'Moby-Dick; or, The Whale'],
  ['oscar wylde', 'The Picture of Dorian Gray'],
  ['dostoevski', 'Преступление и наказание'],
  ['jane austin', 'Pride and Prejudice'],
  ['kirkegaard', 'Frygt og Bæven'],
  ['mary shelly', 'Frankenstein; or, The Modern Prometheus'],
  // The author in Latin letters.
  ['dostoevsky', 'Преступление и наказание'],
  ['dostoevskij', 'Преступление и наказание'],
  ['dostoyevsky', 'Преступление и наказание'],
  ['tolstoj', 'Война и мир'],
  ['shevchenko', 'Кобзар'],
  ['tolstoy', 'Война и мир'],
  ['chekhov', 'Вишнёвый сад'],
  ['homer', 'Ὀδύσσεια'],
  // Other scripts, and how they are typed without them.
  ['Преступление', 'Преступление и наказание'],
  ['prestuplenie', 'Преступление и наказание'],
  ['толстой', 'Война и мир'],
  ['вишневый сад', 'Вишнёвый сад'],
  ['οδυσσεια', 'Ὀδύσσεια'],
  ['ΟΜΗΡΟΣ', 'Ὀδύσσεια'],
  ['紅樓夢', '紅樓夢'],
  // Simplified characters, for traditional ones.
  ['红楼梦', '紅樓夢'],
  ['吴承恩', '西遊記'],
  ['西遊', '西遊記'],
  ['hongloumeng', '紅樓夢'],
  ['xi you ji', '西遊記'],
  ['omiros', 'Ὀδύσσεια'],
  ['曹雪芹', '紅樓夢'],
  ['kobzar', 'Кобзар'],
  // Titles in another language.
  ['odyssey', 'Ὀδύσσεια'],
  ['war and peace', 'Война и мир'],
  ['crime and punishment', 'Преступление и наказание'],
  ['the metamorphosis', 'Die Verwandlung'],
  ['divine comedy', 'La Divina Commedia'],
  ['don quixote', 'Don Quijote de la Mancha'],
  ['swanns way', 'Du côté de chez Swann'],
  ['monkey', '西遊記'],
])('“%s” finds %s first', async (q, title) => {
  expect((await titlesFor(q))[0]).toBe(title);
});

test.each([
  // Several are right.
  ['jane', 'Jane Eyre'],
  ['jane', 'Pride and Prejudice'],
  ['george', 'Middlemarch'],
  ['hunger', 'Sult'],
  ['the tale', 'The Tale of Genji'],
  ['omar khayyam', 'Rubáiyát of Omar Khayyám'],
])('“%s” finds %s among the first three', async (q, title) => {
  expect((await titlesFor(q)).slice(0, 3)).toContain(title);
});

test.each(['zzyzx quux', 'harry potter', 'пикник на обочине'])('“%s” finds nothing', async (q) => {
  expect(await titlesFor(q)).toEqual([]);
});
