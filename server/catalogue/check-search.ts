import { counted } from '../../contract/counted.ts';
import { imageIdIn } from '../../contract/image-address.ts';
import { engineOf } from '../database/engine.ts';
import { collectFaults, type Finding } from '../database/findings.ts';
import type { Db } from '../database/tables.ts';
import { textColumnsOf, textsVersion } from '../search/text-columns.ts';
import { countedWordsOf, vocabularyOf } from '../search/words.ts';
import { searchedColumns } from './book-columns.ts';

const pageSize = 500;

/** Checks what search and lists have of each book, and that its stored image exists. */
export async function checkSearch(db: Db, onShare: (share: number) => void): Promise<Finding> {
  const faults = collectFaults();
  const { last } = await db
    .selectFrom('books')
    .select(({ fn }) => fn.max('seq').as('last'))
    .executeTakeFirstOrThrow();
  let books = 0;
  let forSale = 0;
  for (let after = 0; ; ) {
    const page = await listPage(db, after);
    const end = page.at(-1)?.seq;
    if (end === undefined) break;
    const suspects = await findFaults(db, page);
    // An admin may have changed a book between two of the reads.
    const seqs = [...suspects.keys()];
    const again = seqs.length === 0 ? [] : await listBooks(db).where('seq', 'in', seqs).execute();
    for (const fault of (await findFaults(db, again)).values()) faults.add(fault);
    books += page.length;
    forSale += page.filter(({ removed_at }) => removed_at === null).length;
    after = end;
    onShare(end / Number(last));
  }
  const orphans = await engineOf(db).listOrphans(db);
  faults.add(...orphans.map((seq) => `The search finds a book ${seq}, which is not for sale.`));
  return faults.finding('search', `${counted(books, 'book')}, ${forSale.toLocaleString('en-GB')} for sale`);
}

const listBooks = (db: Db) =>
  db
    .selectFrom('books')
    .select(['seq', 'books.id', 'image', ...searchedColumns, 'removed_at'])
    .select(['search_text', 'title_key', 'author_key', 'title_sort', 'author_sort', 'is_indexed']);

const listPage = (db: Db, after: number) =>
  listBooks(db).where('seq', '>', after).orderBy('seq').limit(pageSize).execute();

type Book = Awaited<ReturnType<typeof listPage>>[number];

async function findFaults(db: Db, books: readonly Book[]): Promise<Map<number, string>> {
  const faults = new Map<number, string>();
  const [first, last] = [books[0]?.seq, books.at(-1)?.seq];
  if (first === undefined || last === undefined) return faults;
  const report = ({ seq, id }: Book, fault: string) => faults.set(seq, `The book ${id} ${fault}.`);

  const forSale = books.filter(({ removed_at }) => removed_at === null);
  const words = new Map(forSale.map((book) => [book.seq, countedWordsOf(book)]));
  const known = await vocabularyOf(db).countBooks([...new Set([...words.values()].flat())]);
  const unindexed = new Set(await engineOf(db).findUnindexed(db, { first, last }));
  const images = await findImages(db, books);
  for (const book of books) {
    const image = imageIdIn(book.image);
    if (image !== undefined && !images.has(image)) report(book, `has the image ${image}, which is missing`);
    if (book.is_indexed !== textsVersion) {
      report(book, 'is not indexed for the search: a start of the store does that');
      continue;
    }
    const wrong = Object.entries(textColumnsOf(book)).find(
      ([column, text]) => book[column as keyof Book] !== text,
    )?.[0];
    const word = words.get(book.seq)?.find((word) => !known.has(word));
    if (wrong !== undefined) report(book, `has another ${wrong} than its texts make`);
    else if (unindexed.has(book.seq)) report(book, 'is for sale, and the search does not find it');
    else if (word !== undefined) report(book, `has the word "${word}", which the list of words lacks`);
  }
  return faults;
}

async function findImages(db: Db, books: readonly Book[]): Promise<Set<string>> {
  const ids = [...new Set(books.flatMap(({ image }) => imageIdIn(image) ?? []))];
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('images').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}
