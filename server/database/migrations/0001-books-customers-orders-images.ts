import { type Kysely, sql } from 'kysely';
import { announceChanges, columnTypes, indexSearchText } from '../engine-differences.ts';

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

  // Partial: what is off the shelf costs the shelf nothing. Each ends in what tells equals apart, for keyset pages.
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
