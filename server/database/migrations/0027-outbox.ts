/**
 * tables.ts describes the new table. It takes over the mail of the orders and the events of webhooks: what waits, what was given up, and
 * of the last 30 days what was sent or kept back. Older mail has no state on the desk any more.
 */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

const buyers = { receipt: 'receipt_sent_at', acknowledgement: 'acknowledgement_sent_at' };
const notices = { notice: 'notice_sent_at', 'withdrawal-notice': 'withdrawal_notice_sent_at' };

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('outbox')
    .addColumn('sender', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('order_id', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('error', text)
    .addColumn('done_at', 'bigint')
    .addColumn('address_hash', text)
    .addPrimaryKeyConstraint('outbox_pkey', ['sender', 'id'])
    .execute();

  const now = isPostgres ? sql`extract(epoch from now())` : sql`unixepoch()`;
  const since = sql`cast((${now} - ${sql.lit(30 * 24 * 60 * 60)}) * 1000 as bigint)`;
  // A message to a buyer whose attempts are 0 is for a verified address alone, as one was whose notice to the shop was unsent.
  const isUndecided = sql`(order_mail_ended_at is null and notice_sent_at is null)
    or (withdrawn_at is not null and withdrawal_notice_sent_at is null)`;
  for (const [kind, sentAt] of Object.entries({ ...buyers, ...notices })) {
    const sent = sql.ref(sentAt);
    const isOfWithdrawal = /acknowledgement|withdrawal/.test(kind);
    const isToBuyer = kind in buyers;
    const notice = sql.ref(isOfWithdrawal ? 'withdrawal_notice_sent_at' : 'notice_sent_at');
    const attempts = sql`coalesce(mail_attempts, 0)`;
    await sql`
      insert into outbox (sender, id, kind, order_id, created_at, due_at, attempts, error, done_at)
      select 'mail', id || ${sql.lit(`-${kind}`)}, ${sql.lit(kind)}, id, ${sql.ref(isOfWithdrawal ? 'withdrawn_at' : 'placed_at')},
        case when ${sent} is null then mail_due_at end,
        ${isToBuyer ? sql`case when ${sent} is null and (${isUndecided}) then 0 else ${attempts} end` : attempts},
        case when ${sent} is null then mail_error end, ${sent}
      from orders
      where buyer_email <> '' and ${isOfWithdrawal ? sql`withdrawn_at is not null` : sql`(order_mail_ended_at is null or ${sent} is not null)`}
        and case when ${sent} is null and (mail_due_at is not null or mail_error is not null) then true
          else placed_at > ${since} and coalesce(${sent}, ${notice}) is not null end
    `.execute(db);
  }
  await sql`
    insert into outbox (sender, id, kind, order_id, created_at, due_at, attempts, error, done_at)
    select 'webhooks', id, type, order_id, created_at, due_at, attempts, error, delivered_at from webhook_events
    where due_at is not null or created_at > ${since}
  `.execute(db);

  await db.schema.createIndex('outbox_of_orders').on('outbox').column('order_id').execute();
  const indexes = [
    ['outbox_due', 'due_at', sql`due_at is not null`],
    ['outbox_unsent', 'order_id', sql`due_at is null and done_at is null`],
  ] as const;
  for (const [name, column, condition] of indexes) {
    await sql`create index ${sql.ref(name)} on outbox (sender, ${sql.ref(column)}) where ${condition}`.execute(
      db,
    );
  }
  await sql`create index outbox_addresses on outbox (address_hash, done_at) where address_hash is not null`.execute(
    db,
  );

  for (const table of ['webhook_events', 'receipt_slots']) await db.schema.dropTable(table).execute();
  for (const index of ['orders_mail_due', 'orders_mail_failed']) await db.schema.dropIndex(index).execute();
  const columns = [
    ...Object.values(buyers),
    ...Object.values(notices),
    ...['mail_due_at', 'mail_attempts', 'mail_error', 'order_mail_ended_at'],
  ];
  for (const column of columns) await db.schema.alterTable('orders').dropColumn(column).execute();
}
