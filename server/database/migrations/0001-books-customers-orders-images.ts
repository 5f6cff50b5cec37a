/**
 * Released and frozen (docs/decisions/0022): the statements that it executes stay the same byte for byte, the spaces
 * inside the templates included. So it imports nothing of the store.
 */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, bytes, counted } = columnTypes(db);
  await db.schema
    .createTable('books')
    .addColumn('seq', counted, (column) => column.primaryKey())
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('author', text, (column) => column.notNull())
    .addColumn('image', text, (column) => column.notNull())
    .addColumn('price_cents', 'integer', (column) => column.notNull().check(sql`price_cents >= 0`))
    .addColumn('search_text', text, (column) => column.notNull())
    .addColumn('title_sort', text, (column) => column.notNull())
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .addColumn('added_by', text)
    .addColumn('removed_at', 'bigint')
    .addColumn('removed_by', text)
    .execute();

  // Partial indexes: a removed book costs nothing. Each ends in a unique column, for keyset pages.
  const shelfOrders = { newest: ['seq'], title: ['title_sort', 'seq'], price: ['price_cents', 'seq'] };
  for (const [order, columns] of Object.entries(shelfOrders)) {
    await db.schema
      .createIndex(`books_for_sale_by_${order}`)
      .on('books')
      .columns(columns)
      .where(sql.ref('removed_at'), 'is', null)
      .execute();
  }
  // An order names its book by title and author; few books share a title.
  await db.schema
    .createIndex('books_for_sale_titled')
    .on('books')
    .column('title')
    .where(sql.ref('removed_at'), 'is', null)
    .execute();
  await db.schema.createIndex('books_image').on('books').column('image').execute();
  await indexSearchText(db);
  await announceChanges(db, 'books', 'catalogue');

  await db.schema
    .createTable('customers')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('sub', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('is_email_verified', 'integer', (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('photo', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('customers_issuer_sub', ['issuer', 'sub'])
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('customer_id', text, (column) => column.notNull().references('customers.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_last_seen').on('sessions').column('last_seen_at').execute();

  await db.schema
    .createTable('orders')
    .addColumn('customer_id', text, (column) => column.notNull().references('customers.id'))
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('idempotency_key', text)
    .addColumn('request_hash', text)
    .addColumn('book_id', text, (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('author', text, (column) => column.notNull())
    .addColumn('price_cents', 'integer', (column) => column.notNull())
    .addColumn('time', text, (column) => column.notNull())
    .addColumn('buyer_name', text, (column) => column.notNull())
    .addColumn('buyer_email', text, (column) => column.notNull())
    .addColumn('placed_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('orders_primary', ['customer_id', 'id'])
    .addUniqueConstraint('orders_once_per_key', ['customer_id', 'idempotency_key'])
    .execute();

  await db.schema
    .createTable('images')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('image_renditions')
    .addColumn('image_id', text, (column) => column.notNull().references('images.id').onDelete('cascade'))
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('bytes', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('image_renditions_primary', ['image_id', 'width'])
    .execute();
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter;

const columnTypes = (db: Kysely<unknown>) => ({
  /** Text that is compared byte by byte on both engines, whatever the database's locale. */
  text: isPostgres(db) ? sql`text collate "C"` : ('text' as const),
  bytes: isPostgres(db) ? ('bytea' as const) : ('blob' as const),
  /** A number that the database counts up, for a primary key. */
  counted: isPostgres(db) ? ('bigserial' as const) : ('integer' as const),
});

/** Lets PostgreSQL notify each listening node of a committed change. SQLite has `pragma data_version` instead. */
async function announceChanges(db: Kysely<unknown>, table: string, channel: string): Promise<void> {
  if (!isPostgres(db)) return;
  await sql`
    create function ${sql.ref(`announce_${table}`)}() returns trigger language plpgsql as ${sql.lit(
      `begin notify ${channel}; return null; end`,
    )}
  `.execute(db);
  await sql`
    create trigger ${sql.ref(`announce_${table}`)} after insert or update or delete or truncate on ${sql.table(table)}
    for each statement execute function ${sql.ref(`announce_${table}`)}()
  `.execute(db);
}

/** Makes an index of `books.search_text` that finds any three consecutive characters. */
async function indexSearchText(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create extension if not exists pg_trgm`.execute(db);
    await sql`
      create index books_for_sale_search on books using gin (search_text gin_trgm_ops) where removed_at is null
    `.execute(db);
    // With the default of 100, the planner can mistake a word of 30,000 books for a rare one: it fetches and sorts them
    // all, and the search takes 64 ms instead of 1.5.
    await sql`alter table books alter column search_text set statistics 1000`.execute(db);
    return;
  }
  await sql`
    create virtual table books_search
    using fts5(search_text, content = '', tokenize = 'trigram case_sensitive 1')
  `.execute(db);
  // The index holds only books for sale, so a removed book costs a search nothing. Its row ids are negative, because
  // SQLite yields matches three times as fast in ascending order, and the newest books come first.
  const forget = sql`insert into books_search (books_search, rowid, search_text) values ('delete', -old.seq, old.search_text)`;
  const learn = sql`insert into books_search (rowid, search_text) values (-new.seq, new.search_text)`;
  await sql`create trigger books_search_insert after insert on books when new.removed_at is null begin ${learn}; end`.execute(
    db,
  );
  await sql`create trigger books_search_forget after update of removed_at, search_text on books when old.removed_at is null begin ${forget}; end`.execute(
    db,
  );
  await sql`create trigger books_search_learn after update of removed_at, search_text on books when new.removed_at is null begin ${learn}; end`.execute(
    db,
  );
  await sql`create trigger books_search_delete after delete on books when old.removed_at is null begin ${forget}; end`.execute(
    db,
  );
}
