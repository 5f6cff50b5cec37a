/** `npm run bench -- fill`: fills a database with invented books, customers and orders. */

import { CompiledQuery, type Kysely, PostgresAdapter, sql } from 'kysely';
import { idAt, newId } from '../../server/database/ids.ts';
import { type Database, type DatabaseSettings, openDatabase } from '../../server/database/open.ts';
import { openErrorMessage } from '../../server/database/open-error.ts';
import type { Db, Tables } from '../../server/database/tables.ts';
import { textColumnsOf } from '../../server/search/text-columns.ts';
import { countWords } from '../../server/search/words.ts';
import { SettingsError } from '../../server/settings/reader.ts';
import { readSettings } from '../../server/settings/settings.ts';
import type { Identity } from '../../server/sign-in/identity.ts';
import { randomNumbers } from '../../server/testing/random-numbers.ts';
import { readOptions, wholeNumber } from '../../tools/options.ts';
import { inventBook } from './invented-books.ts';
import { openProgress, type Progress } from './progress.ts';

type Amounts = { books: number; orders: number };

/** A customer with a thousand orders, more than a page lists. These are added to the number of orders that is asked for. */
export const regular: Identity = {
  issuer: 'https://identity.example',
  sub: 'regular',
  email: 'regular@readers.example',
  isEmailVerified: true,
  name: 'A Regular',
  photo: '',
};
const ordersOfRegular = 1_000;
const ordersPerCustomer = 20;
/** The number of books whose words are counted together. */
const booksPerCount = 10_000;

/** A row has about twelve columns: their parameters are fewer than either engine allows in a statement. */
const rowsPerStatement = 1_000;
const rowsPerTransaction = 50_000;
const dayMs = 24 * 60 * 60 * 1000;
/** The time over which the orders are spread, up to now. */
const historyMs = 365 * dayMs;

/**
 * Adds books, customers (one for twenty orders, and {@link regular}), and orders.
 * @param database use it for nothing else, and close it afterwards: its connection keeps settings that make a fill faster.
 */
export async function fillDatabase(
  { db }: Database,
  { books, orders }: Amounts,
  progress: Progress,
): Promise<void> {
  // Cache of a gigabyte: otherwise pages of indexes with random keys would be read and written again and again.
  if (!isPostgres(db)) await sql`pragma cache_size = -1000000`.execute(db);
  const withoutIndexes = isPostgres(db) ? withoutIndexesOfPostgres : withoutIndexesOfSqlite;
  if (books < rowsPerTransaction) await addBooks(db, books, progress);
  else await withoutIndexes(db, 'books', () => addBooks(db, books, progress));
  if (orders > 0) await addOrders(db, orders, progress);
  progress.print('gathering statistics for the planner');
  await sql`analyze`.execute(db);
  // PostgreSQL has built its index in one piece. SQLite would merge the parts of its index over months of normal use.
  if (isPostgres(db)) return;
  progress.print('merging the search index');
  await sql`insert into books_search (books_search) values ('optimize')`.execute(db);
}

async function addBooks(db: Db, count: number, progress: Progress): Promise<void> {
  const { last } = await db
    .selectFrom('books')
    .select(({ fn }) => fn.max('seq').as('last'))
    .executeTakeFirstOrThrow();
  const first = Number(last ?? 0);
  const now = Date.now();
  await inBatches(db, count, 'books', progress, (index) => {
    const book = inventBook(first + index);
    return {
      id: newId(),
      title: book.title,
      author: book.author,
      image: book.image,
      price_cents: book.priceCents,
      ...textColumnsOf(book),
      added_at: now - count + index,
    };
  });
  for (let index = 0; index < count; index += booksPerCount) {
    const length = Math.min(booksPerCount, count - index);
    await countWords(db, {
      come: Array.from({ length }, (_, offset) => inventBook(first + index + offset)),
    });
  }
}

async function addOrders(db: Db, count: number, progress: Progress): Promise<void> {
  const now = Date.now();
  const customerIds = Array.from({ length: Math.ceil(count / ordersPerCustomer) }, () => newId());
  const run = newId().slice(0, 13);
  await inBatches(db, customerIds.length, 'customers', progress, (index) => ({
    id: customerIds[index],
    issuer: regular.issuer,
    sub: `${run}-${index}`,
    email: `reader-${index}@${run}.example`,
    is_email_verified: 1,
    name: `Reader ${index}`,
    photo: '',
    created_at: now - historyMs,
  }));

  const regularId = await addRegular(db, now - historyMs);
  const books = await db
    .selectFrom('books')
    .select(['id', 'title', 'author', 'price_cents'])
    .where('removed_at', 'is', null)
    .limit(100_000)
    .execute();
  const random = randomNumbers(count);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  // The orders come in the order of their times, with the customers mixed, as in a real store.
  const total = count + ordersOfRegular;
  const everyNth = Math.floor(total / ordersOfRegular);
  await inBatches(db, total, 'orders', progress, (index) => {
    const placedAt = now - historyMs + Math.floor((index / total) * historyMs);
    const isOfRegular = index % everyNth === 0 && index / everyNth < ordersOfRegular;
    const book = pick(books);
    const id = idAt(placedAt);
    return {
      customer_id: isOfRegular ? regularId : pick(customerIds),
      id,
      // Random numbers would collide among some hundred thousand orders.
      number: String(index).padStart(8, '0'),
      idempotency_key: id.slice(9),
      request_hash: 'x'.repeat(43),
      book_id: book?.id,
      title: book?.title,
      author: book?.author,
      price_cents: book?.price_cents,
      time: new Date(placedAt).toDateString(),
      buyer_name: isOfRegular ? regular.name : 'A Reader',
      buyer_email: isOfRegular ? regular.email : 'reader@readers.example',
      placed_at: placedAt,
    };
  });
}

async function addRegular(db: Db, createdAt: number): Promise<string> {
  const { isEmailVerified: _, ...customer } = regular;
  const { id } = await db
    .insertInto('customers')
    .values({ ...customer, id: newId(), is_email_verified: 1, created_at: createdAt })
    .onConflict((conflict) => conflict.columns(['issuer', 'sub']).doUpdateSet({ name: regular.name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type Table = 'books' | 'customers' | 'orders';
type Row = Readonly<Record<string, string | number | undefined>>;

async function inBatches(
  db: Db,
  count: number,
  table: Table,
  progress: Progress,
  row: (index: number) => Row,
): Promise<void> {
  progress.begin(table, count);
  for (let start = 0; start < count; start += rowsPerTransaction) {
    const end = Math.min(count, start + rowsPerTransaction);
    await db.transaction().execute(async (db) => {
      for (let from = start; from < end; from += rowsPerStatement) {
        const length = Math.min(end - from, rowsPerStatement);
        await insertRows(
          db,
          table,
          Array.from({ length }, (_, offset) => row(from + offset)),
        );
        progress.update(from + length);
      }
    });
  }
  progress.end();
}

const isPostgres = (db: Kysely<Tables>) => db.getExecutor().adapter instanceof PostgresAdapter;

/** Adds many rows with one statement, written by hand: Kysely's builder would take longer than either engine. */
async function insertRows(db: Db, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const placeholder = isPostgres(db) ? (index: number) => `$${index + 1}` : () => '?';
  const tuples = rows.map(
    (_, row) => `(${columns.map((_, column) => placeholder(row * columns.length + column)).join()})`,
  );
  const text = `insert into ${table} (${columns.join()}) values ${tuples.join()}`;
  await db.executeQuery(
    CompiledQuery.raw(
      text,
      rows.flatMap((row) => columns.map((name) => row[name])),
    ),
  );
}

/**
 * Fills a table while it has only the indexes of its keys, which is several times faster, and creates the other indexes
 * again from their definitions.
 */
async function withoutIndexesOfPostgres(db: Db, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = ${table}::regclass
    and not exists (select from pg_constraint where conindid = indexrelid)
  `.execute(db);
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db);
  try {
    await fill();
  } finally {
    await db.transaction().execute(async (db) => {
      await sql`set local maintenance_work_mem = '512MB'`.execute(db);
      for (const { definition } of indexes) await sql.raw(definition).execute(db);
    });
  }
}

async function withoutIndexesOfSqlite(db: Db, table: string, fill: () => Promise<void>): Promise<void> {
  // `sql` is null for the indexes of keys, which cannot be dropped.
  const { rows: parts } = await sql<{ type: 'index' | 'trigger'; name: string; sql: string }>`
    select type, name, sql from sqlite_schema
    where tbl_name = ${table} and type in ('index', 'trigger') and sql is not null
  `.execute(db);
  const { last } = await db
    .selectFrom('books')
    .select(({ fn }) => fn.max('seq').as('last'))
    .executeTakeFirstOrThrow();
  for (const { type, name } of parts) await sql`drop ${sql.raw(type)} ${sql.ref(name)}`.execute(db);
  try {
    await fill();
  } finally {
    await db.transaction().execute(async (db) => {
      // This does the work of the dropped triggers for the new rows.
      await sql`
        insert into books_search (rowid, search_text)
        select -seq, search_text from books where removed_at is null and seq > ${last ?? 0} order by seq desc
      `.execute(db);
      for (const part of parts) await sql.raw(part.sql).execute(db);
    });
  }
}

/** @returns the settings of `DATABASE_URL`. Ends the process where it is wrong. */
function readTarget(): DatabaseSettings {
  const { DATABASE_URL } = process.env;
  try {
    return readSettings(DATABASE_URL === undefined ? {} : { DATABASE_URL }).database;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.faults.join(', ')}\n`);
    process.exit(2);
  }
}

/** `npm run bench -- fill`. */
export async function fill(args: readonly string[]): Promise<void> {
  const options = readOptions(
    'npm run bench -- fill',
    'Fills the database of DATABASE_URL with invented books and orders.',
    { books: wholeNumber('how many books', 100_000), orders: wholeNumber('how many orders', 0) },
    args,
  );
  const settings = readTarget();
  const hourMs = 60 * 60 * 1000;
  const limits = { readTimeoutMs: hourMs, statementTimeoutMs: hourMs };
  const database = await openDatabase({ ...settings, ...limits }).catch((error: unknown) => {
    const message = openErrorMessage(error, settings);
    if (message === undefined) throw error;
    process.stderr.write(`${message}\n`);
    process.exit(1);
  });
  try {
    const progress = openProgress(process.stdout);
    await fillDatabase(database, options, progress);
    progress.printTotal();
  } finally {
    await database.close();
  }
}
