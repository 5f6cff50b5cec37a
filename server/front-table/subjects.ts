/** The subjects of the shop, by which the home screen narrows its list. */

import { subjectsOf } from '../../contract/subjects.ts';
import { booksForSale } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { subjectWord } from '../search/search-text.ts';

const maxSubjects = 12;
/** How many of the newest books with keywords are searched for subjects. */
const maxBooks = 2_000;
/** How many of the newest books are read at most: an import of fewer books without keywords hides no subjects. */
const maxRead = 20_000;

export async function listSubjects(db: Db): Promise<string[]> {
  const newest = booksForSale(db).select(['seq', 'keywords']).orderBy('seq', 'desc').limit(maxRead);
  const books = await db
    .selectFrom(newest.as('newest'))
    .select('keywords')
    .where('keywords', '!=', '')
    .orderBy('seq', 'desc')
    .limit(maxBooks)
    .execute();
  const spellings = new Map<string, number>();
  for (const subject of books.flatMap(({ keywords }) => subjectsOf(keywords)))
    spellings.set(subject, (spellings.get(subject) ?? 0) + 1);
  // A subject has the spelling of the newest book.
  const subjects = new Map<string, { subject: string; count: number }>();
  for (const [subject, count] of spellings) {
    const word = subjectWord(subject);
    const known = subjects.get(word);
    if (known) known.count += count;
    else subjects.set(word, { subject, count });
  }
  return [...subjects.values()]
    .filter(({ count }) => count > 1)
    .sort((one, other) => other.count - one.count || (one.subject < other.subject ? -1 : 1))
    .slice(0, maxSubjects)
    .map(({ subject }) => subject);
}
